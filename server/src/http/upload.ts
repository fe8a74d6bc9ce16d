// A body that is read as it comes, by the operation itself: it is never whole in memory.
import type { Readable } from 'node:stream'
import { limits } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from './failure.ts'

export interface Upload {
  /** `multipart/form-data` has its boundary in here. */
  readonly contentType: string
  /** To be read once. */
  readonly bytes: AsyncIterable<Buffer>
}

/** In this corner of the application bodies are not read before the route. */
export function takeUploads(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'multipart/form-data'], (_request, body, done) =>
    done(null, body),
  )
}

export function uploadOf(request: FastifyRequest): Upload {
  const { headers, body } = request
  if (headers['content-encoding']) {
    fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send the body without a Content-Encoding.' })
  }
  if (body === undefined || headers['content-type'] === undefined) {
    fail('VALIDATION_ERROR', {
      details: [{ path: '', message: 'A body is required, as application/json or multipart/form-data.' }],
    })
  }
  if (Number(headers['content-length'] ?? 0) > limits.batchBodyBytes) fail('PAYLOAD_TOO_LARGE')
  return { contentType: headers['content-type'], bytes: measured(body as Readable) }
}

/** Leaving it early must not destroy the connection: the answer goes the same way. */
async function* measured(body: Readable): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > limits.batchBodyBytes) fail('PAYLOAD_TOO_LARGE')
      yield chunk
    }
  } catch (error) {
    if (body.errored) fail('MALFORMED_REQUEST', { message: 'The body ended too early.', cause: error })
    throw error
  }
}

/** Whatever was not read is let go of, so that the connection can carry the answer and the next request. */
export const forgetUpload = ({ raw }: FastifyRequest): void => void raw.resume()
