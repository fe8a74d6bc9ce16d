// An answer can go out before the body of its request has come in. The rest of the body is then read and discarded, for
// a while: a client that is still sending would otherwise lose the answer together with the connection.
//
// The answer is sent at once, with its length; only the end of the response waits for the rest of the body. So the
// connection can carry the next request, or be closed without a reset.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { limits } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { isHeldBack } from './body-stream.ts'

export interface DiscardLimits {
  readonly bytes: number
  readonly ms: number
  /** How long a client may send nothing. */
  readonly idleMs: number
}

// The limit is twice the largest list, so that a client that exceeds one by mistake gets its answer. Data that is
// thrown away should not keep a connection busy for long.
const usual: DiscardLimits = { bytes: 2 * limits.batchBodyBytes, ms: 30_000, idleMs: 5_000 }

export function discardUnreadBodies(app: FastifyInstance, most = usual): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (raw.complete || raw.destroyed) return done(null, payload)
    if (!canBeReadToItsEnd(raw, most)) reply.header('connection', 'close')
    const discarded = discard(raw, most)
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || request.method === 'HEAD') return done(null, payload)
    reply.header('content-length', String(Buffer.byteLength(payload)))
    done(null, Readable.from(sentBefore(discarded, payload), { objectMode: false }))
  })
}

async function* sentBefore(
  discarded: Promise<void>,
  payload: string | Buffer,
): AsyncGenerator<string | Buffer> {
  yield payload
  await discarded
}

/** A client that holds its body back may never send it. */
const canBeReadToItsEnd = (request: IncomingMessage, { bytes }: DiscardLimits): boolean =>
  Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= bytes && !isHeldBack(request)

/** Resolves when nothing is left to read, or nothing more will be read. */
function discard(request: IncomingMessage, most: DiscardLimits): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const close = () => request.destroy()
  const whole = setTimeout(close, most.ms)
  const idle = setTimeout(close, most.idleMs)
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > most.bytes) close()
    idle.refresh()
  })
  const over = () => {
    clearTimeout(whole)
    clearTimeout(idle)
    resolve()
  }
  request.once('end', over).once('close', over).once('error', over)
  request.resume()
  return promise
}
