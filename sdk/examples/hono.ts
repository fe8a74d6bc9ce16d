// A webhook receiver on Hono: WEBHOOK_SECRET=whsec_… PORT=4000 node hono.ts
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { createAdaptorServer } from '@hono/node-server'
import { type CallCompletedEvent, verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'

type Handle = (event: CallCompletedEvent) => void

export async function start(secret: string, port: number, handle: Handle = show) {
  // Production keeps accepted events in a database, with this key unique, and works them off from there.
  const accepted = new Map<string, CallCompletedEvent>()
  const app = new Hono()

  app.post('/webhooks', bodyLimit({ maxSize: 1024 * 1024 }), async (c) => {
    // arrayBuffer(), not json(): the signature is over the bytes as they came.
    const body = new Uint8Array(await c.req.arrayBuffer())
    let event: CallCompletedEvent
    try {
      event = verifyWebhook({ body, headers: c.req.raw.headers, secret })
    } catch (error) {
      if (error instanceof WebhookVerificationError) return c.body(null, 400)
      throw error
    }
    // Deliveries are repeated when an answer is late or lost: handle the first, acknowledge all.
    const key = `${c.req.header('x-svc-webhook-id')}/${event.id}`
    if (!accepted.has(key)) {
      accepted.set(key, event)
      setImmediate(handle, event)
    }
    return c.body(null, 200)
  })

  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
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
