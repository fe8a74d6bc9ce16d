// A webhook receiver on Fastify: WEBHOOK_SECRET=whsec_… PORT=4000 node fastify.ts
import { env } from 'node:process'
import { type CallCompletedEvent, verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'
import fastify from 'fastify'

type Handle = (event: CallCompletedEvent) => void

export async function start(secret: string, port: number, handle: Handle = show) {
  // Production keeps accepted events in a database, with this key unique, and works them off from there.
  const accepted = new Map<string, CallCompletedEvent>()
  const app = fastify({ bodyLimit: 1024 * 1024, forceCloseConnections: true })

  // The signature is over the bytes as they came. In an app with JSON routes, register this and the route as a
  // plugin: parsers stay inside it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post<{ Body: Buffer | undefined }>('/webhooks', async (request, reply) => {
    let event: CallCompletedEvent
    try {
      event = verifyWebhook({ body: request.body ?? '', headers: request.headers, secret })
    } catch (error) {
      if (error instanceof WebhookVerificationError) return reply.code(400).send()
      throw error
    }
    // Deliveries are repeated when an answer is late or lost: handle the first, acknowledge all.
    const key = `${request.headers['x-svc-webhook-id']}/${event.id}`
    if (!accepted.has(key)) {
      accepted.set(key, event)
      setImmediate(handle, event)
    }
    return reply.code(200).send()
  })

  const origin = await app.listen({ port, host: '127.0.0.1' })
  return { url: `${origin}/webhooks`, close: () => app.close() }
}

function show({ data }: CallCompletedEvent) {
  process.stdout.write(`call ${data.session_id} ended: ${data.call_status}\n`)
}

if (import.meta.main) {
  const [secret, port] = [env.WEBHOOK_SECRET, Number(env.PORT ?? 4000)]
  if (!secret) throw new Error('Set WEBHOOK_SECRET to what the endpoint was created with.')
  const { url } = await start(secret, port)
  process.stdout.write(`Listening on ${url}\n`)
}
