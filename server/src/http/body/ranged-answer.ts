// Answers with stored content, whole or in parts, so that players can seek in it.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, StoredFile } from '../../platform/storage/storage.ts'

type Range =
  | { readonly of: 'all' }
  | { readonly of: 'part'; readonly first: number; readonly last: number }
  | { readonly of: 'nothing' }

const all: Range = { of: 'all' }

/** A single range is honoured. Several ranges, or another unit, get the whole content, as HTTP allows. */
export function byteRangeOf(header: string | undefined, bytes: number): Range {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match) return all
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return all
  if (from === '') return part(Math.max(0, bytes - Number(to)), bytes - 1, bytes)
  if (to !== '' && Number(to) < Number(from)) return all
  return part(Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1), bytes)
}

const part = (first: number, last: number, bytes: number): Range =>
  first < bytes && first <= last ? { of: 'part', first, last } : { of: 'nothing' }

export interface RangedContent extends StoredFile {
  read(range: ByteRange): Promise<Readable>
}

export async function answerInRange(
  request: FastifyRequest,
  reply: FastifyReply,
  content: RangedContent,
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
  const wanted = byteRangeOf(ifRange === undefined || ifRange === etag ? range : undefined, bytes)
  if (wanted.of === 'nothing') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const { first, last } = wanted.of === 'part' ? wanted : { first: 0, last: bytes - 1 }
  if (wanted.of === 'part') reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`)
  reply.header('content-length', last - first + 1)
  return reply.send(request.method === 'HEAD' ? undefined : await content.read({ first, last }))
}
