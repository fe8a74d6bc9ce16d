// A webhook receiver on Express: WEBHOOK_SECRET=whsec_… PORT=4000 node express.ts
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { type CallCompletedEvent, verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'
import express from 'express'

type Handle = (event: CallCompletedEvent) => void

export async function start(secret: string, port: number, handle: Handle = show) {
  // Production keeps accepted events in a database, with this key unique, and works them off from there.
  const accepted = new Map<string, CallCompletedEvent>()
  const app = express()

  // express.raw on this route, and no express.json() before it: the signature is over the bytes as they came.
  app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
    let event: CallCompletedEvent
    try {
      event = verifyWebhook({ body: request.body ?? '', headers: request.headers, secret })
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      response.sendStatus(400)
      return
    }
    // Deliveries are repeated when an answer is late or lost: handle the first, acknowledge all.
    const key = `${request.get('x-svc-webhook-id')}/${event.id}`
    if (!accepted.has(key)) {
      accepted.set(key, event)
      setImmediate(handle, event)
    }
    response.sendStatus(200)
  })

  const server = app.listen(port, '127.0.0.1')
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
