// Storage in any S3-compatible store.
//
// Reads are proxied instead of using the store's own signed URLs: the store may be unreachable for callers, and our
// signed URLs work the same for both kinds of storage.
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3ServiceException } from '@aws-sdk/client-s3'
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
  const opened = openClient(options)
  const at = (name: string) => ({ Bucket: options.bucket, Key: options.prefix + name })

  return {
    // A single request suffices: stores accept 5 GB, and a WAV file ends at 4.
    async take(name, file) {
      const { size } = await stat(file)
      const { client, sdk } = await opened
      await client.send(
        new sdk.PutObjectCommand({
          ...at(name),
          Body: createReadStream(file),
          ContentLength: size,
          ContentType: mediaType,
        }),
      )
      await rm(file)
    },
    async stat(name) {
      const { client, sdk } = await opened
      const head = await client.send(new sdk.HeadObjectCommand(at(name))).catch(orAbsent)
      return (
        head && {
          bytes: head.ContentLength ?? 0,
          etag: head.ETag ?? '""',
          modifiedAt: head.LastModified ?? new Date(0),
        }
      )
    },
    async read(name, { first, last }) {
      const { client, sdk } = await opened
      const { Body } = await client.send(
        new sdk.GetObjectCommand({ ...at(name), Range: `bytes=${first}-${last}` }),
      )
      return Body as Readable
    },
    async remove(name) {
      const { client, sdk } = await opened
      await client.send(new sdk.DeleteObjectCommand(at(name)))
    },
    close: () => void opened.then(({ client }) => client.destroy()),
  }
}

/** Amazon's library is a tenth of what a start loads, so that only those who have such a store load it. */
async function openClient({ region, endpoint, accessKeyId, secretAccessKey }: S3Options) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other stores rarely support virtual-hosted buckets or trailing checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The default logger writes to the console; errors are thrown anyway.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  })
  return { client, sdk }
}

function orAbsent(error: S3ServiceException): undefined {
  if (error.$metadata?.httpStatusCode !== 404) throw error
}
