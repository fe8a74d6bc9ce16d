// A streamed request body, never whole in memory.
import { limits } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { fail } from '../failure.ts'
import { isJson, mustBePlain } from './body.ts'
import { bodyChunks, bodyMs, hasBody } from './body-stream.ts'

export interface Upload {
  /** The content type with the boundary of `multipart/form-data`; empty if the client sent none. */
  readonly contentType: string
  /** The body, which can be read once. */
  readonly bytes: AsyncIterable<Buffer>
}

export interface UploadLimit {
  readonly bytes: number
  readonly ms: number
  /** The error message for larger bodies. */
  readonly message?: string
}

const ofLists: UploadLimit = { bytes: limits.batchBodyBytes, ms: bodyMs }

/** The upload of a batch: a list in JSON or in a form. */
export function batchUploadOf(request: FastifyRequest): Upload {
  const { headers } = request
  if (!hasBody(headers)) {
    return fail('VALIDATION_ERROR', {
      details: [{ path: '', message: 'A body is required, as application/json or multipart/form-data.' }],
    })
  }
  const upload = uploadOf(request, ofLists)
  if (!isForm(upload) && !isJson(upload.contentType)) {
    fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send application/json or multipart/form-data.' })
  }
  return upload
}

export function uploadOf({ raw, headers }: FastifyRequest, limit: UploadLimit): Upload {
  mustBePlain(headers)
  if (Number(headers['content-length'] ?? 0) > limit.bytes) tooLarge(limit)
  return { contentType: headers['content-type'] ?? '', bytes: measured(bodyChunks(raw, limit.ms), limit) }
}

export const isForm = ({ contentType }: Upload): boolean => /^multipart\/form-data\b/i.test(contentType)

async function* measured(chunks: AsyncIterable<Buffer>, limit: UploadLimit): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > limit.bytes) tooLarge(limit)
    yield chunk
  }
}

export const tooLarge = ({ message }: Pick<UploadLimit, 'message'>): never =>
  fail('PAYLOAD_TOO_LARGE', message === undefined ? {} : { message })
