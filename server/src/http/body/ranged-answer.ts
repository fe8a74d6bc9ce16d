// Answers with stored content, whole or in parts, so that players can seek in it.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, Stored } from '../../platform/storage/storage.ts'
import { rangeOf } from './range.ts'

export interface Ranged extends Stored {
  read(range: ByteRange): Promise<Readable>
}

export async function answerInRange(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Ranged,
): Promise<FastifyReply> {
  const { bytes, etag } = content
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'x-content-type-options': 'nosniff',
    etag,
    'last-modified': content.modifiedAt.toUTCString(),
  })
  const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers
  if (known?.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*'))
    return reply.code(304).send()
  // A range of other content would not match what the client already has.
  const wanted = rangeOf(ifRange === undefined || ifRange === etag ? range : undefined, bytes)
  if (wanted.of === 'nothing') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const { first, last } = wanted.of === 'part' ? wanted : { first: 0, last: bytes - 1 }
  if (wanted.of === 'part') reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`)
  reply.header('content-length', last - first + 1)
  return reply.send(request.method === 'HEAD' ? undefined : await content.read({ first, last }))
}
