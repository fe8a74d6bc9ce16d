// A streamed request body, never whole in memory.
import { Readable } from 'node:stream'
import { limits } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { fail } from './failure.ts'

export interface Upload {
  /** Includes the boundary of `multipart/form-data`. Empty if the client sent none. */
  readonly contentType: string
  /** Can be read once. */
  readonly bytes: AsyncIterable<Buffer>
}

export interface UploadLimit {
  readonly bytes: number
  /** The error message for larger bodies. */
  readonly message?: string
}

const ofLists: UploadLimit = { bytes: limits.batchBodyBytes }

export function uploadOf({ headers, body }: FastifyRequest, limit: UploadLimit = ofLists): Upload {
  if (headers['content-encoding']) {
    fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send the body without a Content-Encoding.' })
  }
  if (!(body instanceof Readable)) {
    return fail('VALIDATION_ERROR', {
      details: [{ path: '', message: 'A body is required, as application/json or multipart/form-data.' }],
    })
  }
  if (Number(headers['content-length'] ?? 0) > limit.bytes) tooLarge(limit)
  return { contentType: headers['content-type'] ?? '', bytes: measured(body, limit) }
}

export const isForm = ({ contentType }: Upload): boolean => /^multipart\/form-data\b/i.test(contentType)

/** Leaving it early must not destroy the connection, which carries the response. */
async function* measured(body: Readable, limit: UploadLimit): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > limit.bytes) tooLarge(limit)
      yield chunk
    }
  } catch (error) {
    if (body.errored) fail('MALFORMED_REQUEST', { message: 'The body ended too early.', cause: error })
    throw error
  }
}

export const tooLarge = ({ message }: UploadLimit): never =>
  fail('PAYLOAD_TOO_LARGE', message === undefined ? {} : { message })

/** Discards the unread rest, so that the connection can carry the response and the next request. */
export const forgetUpload = ({ raw }: FastifyRequest): void => void raw.resume()
