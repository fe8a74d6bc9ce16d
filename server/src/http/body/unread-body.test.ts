// The limits within which an unread body is read over, and within which a wanted one must arrive.
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { RawConnection } from '../../../test/support/requests/raw-http.ts'
import { Failure } from '../failure.ts'
import { bodyChunks } from './body-stream.ts'
import { type DiscardLimits, discardUnreadBodies } from './unread-body.ts'

const hourMs = 3_600_000
let app: FastifyInstance | undefined
let connection: RawConnection | undefined
afterEach(async () => {
  connection?.destroy()
  await app?.close()
})

/** A server that answers without reading, and one that reads. */
async function open(discard: Partial<DiscardLimits>, arrivalMs = hourMs): Promise<RawConnection> {
  app = Fastify()
  app.addHttpMethod('POST', { hasBody: false, overrideExisting: true })
  discardUnreadBodies(app, { bytes: 1_000_000, ms: hourMs, idleMs: hourMs, ...discard })
  app.post('/unread', async () => 'refused')
  app.post('/read', async ({ raw }) => {
    try {
      return await text(bodyChunks(raw, arrivalMs))
    } catch (error) {
      return error instanceof Failure ? `${error.message} ${error.incomplete}` : 'not a failure'
    }
  })
  connection = new RawConnection(await app.listen({ host: '127.0.0.1', port: 0 }))
  return connection
}

it.each([
  ['after so many bytes', { bytes: 100_000 }],
  ['after a while', { ms: 50 }],
  ['when nothing comes any more', { idleMs: 50 }],
])('a connection is closed %s of a body that nobody wants', async (_when, limits) => {
  const it = await open(limits)
  it.begin('POST', '/unread', { 'content-length': 900_000 })
  expect((await it.answer()).text).toBe('refused')
  it.write(Buffer.alloc(200_000))
  await it.closed
})

it('a connection stays open until a body within these limits has been read over', async () => {
  const it = await open({ bytes: 500_000 })
  it.begin('POST', '/unread', { 'content-length': 400_000 })
  expect((await it.answer()).headers.connection).not.toBe('close')
  it.write(Buffer.alloc(400_000)).begin('POST', '/read', { 'content-length': 5 }).write('hello')
  expect((await it.answer()).text).toBe('hello')
})

it('a client is told to close the connection if its body is longer than what will be read over', async () => {
  const it = await open({ bytes: 500_000 })
  it.begin('POST', '/unread', { 'content-length': 500_001 })
  expect((await it.answer()).headers.connection).toBe('close')
})

it('a body that does not arrive in time is a failure, not half a body', async () => {
  const it = await open({}, 50)
  it.begin('POST', '/read', { 'content-length': 5 }).write('he')
  expect((await it.answer()).text).toBe('The body did not arrive within 0.05 seconds. true')
})
