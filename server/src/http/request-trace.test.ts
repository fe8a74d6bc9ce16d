// Requests as spans: in the trace of the client, and in that of what they cause.
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { rootContextOf } from '../platform/telemetry/trace-context.ts'
import type { FinishedSpan } from '../platform/telemetry/traces.ts'
import type { Wide } from './request-log.ts'
import { traceRequests } from './request-trace.ts'

const id = '0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a1b'
const client = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${client.traceId}-${client.spanId}-01`

/** The spans of one request whose answer is about something. */
async function spansOf(method: 'GET' | 'POST', about: Wide, status = 201): Promise<FinishedSpan[]> {
  const spans: FinishedSpan[] = []
  const app = Fastify()
  app.decorateRequest('wide', null as unknown as Wide)
  app.addHook('onRequest', (request, _reply, next) => {
    request.wide = {}
    next()
  })
  traceRequests(app, { record: (span) => spans.push(span), close: async () => {} })
  app.route({
    method,
    url: '/things',
    handler: async (request, reply) => {
      Object.assign(request.wide, about)
      return reply.code(status).send({})
    },
  })
  await app.inject({ method, url: '/things', headers: { traceparent } })
  await app.close()
  return spans
}

it('a request is in the trace of its client', async () => {
  const [span, ...more] = await spansOf('GET', { session_id: id }, 200)
  expect(more).toEqual([])
  expect(span).toMatchObject({ name: 'GET /things', kind: 'server', parent: client, links: [] })
  expect(span?.context.traceId).toBe(client.traceId)
})

it('one that places a call is in the trace of the call as well, each linked to the other', async () => {
  const [own, within] = await spansOf('POST', { session_id: id })
  expect(own?.links).toEqual([rootContextOf(id)])
  expect(within).toMatchObject({ parent: rootContextOf(id), links: [own?.context] })
})

it('one that makes a batch is the first span of its trace, to which calls of the batch are linked', async () => {
  const [own, first] = await spansOf('POST', { batch_id: id })
  expect(first).toMatchObject({ context: rootContextOf(id), parent: undefined, links: [own?.context] })
  const [, again] = await spansOf('POST', { batch_id: id, replayed: true })
  expect(again?.parent).toEqual(rootContextOf(id))
  expect(again?.context.spanId).not.toBe(rootContextOf(id).spanId)
})

it('a failure of ours is an error, a refusal is none', async () => {
  expect((await spansOf('POST', { code: 'INTERNAL' }, 500))[0]).toMatchObject({ error: 'INTERNAL' })
  expect((await spansOf('POST', { code: 'NOT_FOUND' }, 404))[0]).not.toHaveProperty('error')
})
