// Storage in any S3-compatible store.
//
// Reads are proxied instead of using the store's own signed URLs: the store may be unreachable for callers, and our
// signed URLs work the same for both kinds of storage.
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Storage } from './storage.ts'

export interface S3Options {
  /** Unset: Amazon S3, by region. */
  readonly endpoint: string | undefined
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Prepended to every name. */
  readonly prefix: string
}

export function openS3Storage(options: S3Options, mediaType = 'audio/wav'): Storage {
  const { bucket: Bucket, accessKeyId, secretAccessKey } = options
  const client = new S3Client({
    region: options.region,
    credentials: { accessKeyId, secretAccessKey },
    // Other stores rarely support virtual-hosted buckets or trailing checksums.
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The default logger writes to the console; errors are thrown anyway.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  })
  const at = (name: string) => ({ Bucket, Key: options.prefix + name })

  return {
    // A single request: stores accept 5 GB, and WAV ends at 4.
    async take(name, file) {
      const { size } = await stat(file)
      await client.send(
        new PutObjectCommand({
          ...at(name),
          Body: createReadStream(file),
          ContentLength: size,
          ContentType: mediaType,
        }),
      )
      await rm(file)
    },
    async stat(name) {
      const found = await client.send(new HeadObjectCommand(at(name))).catch(orAbsent)
      return (
        found && {
          bytes: found.ContentLength ?? 0,
          etag: found.ETag ?? '""',
          modifiedAt: found.LastModified ?? new Date(0),
        }
      )
    },
    async read(name, { first, last }) {
      const { Body } = await client.send(
        new GetObjectCommand({ ...at(name), Range: `bytes=${first}-${last}` }),
      )
      return Body as Readable
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(at(name)))
    },
    close: () => client.destroy(),
  }
}

function orAbsent(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return
  throw error
}
