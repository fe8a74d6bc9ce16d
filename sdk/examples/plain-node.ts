// A webhook receiver on Node alone: WEBHOOK_SECRET=whsec_… PORT=4000 node plain-node.ts
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { type CallCompletedEvent, verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'

type Handle = (event: CallCompletedEvent) => void

// An event with a long transcript is tens of kilobytes.
const bodyBytes = 1024 * 1024

export async function start(secret: string, port: number, handle: Handle = show) {
  // Production keeps accepted events in a database, with this key unique, and works them off from there.
  const accepted = new Map<string, CallCompletedEvent>()

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const answer = (status: number) => response.writeHead(status).end()
    if (request.method !== 'POST' || request.url !== '/webhooks') return answer(404)
    // The bytes as they came: the signature is over them, not over what JSON.parse makes of them.
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of request) {
      size += chunk.length
      if (size <= bodyBytes) chunks.push(chunk)
    }
    if (size > bodyBytes) return answer(413)
    let event: CallCompletedEvent
    try {
      event = verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, secret })
    } catch (error) {
      if (error instanceof WebhookVerificationError) return answer(400)
      throw error
    }
    // Deliveries are repeated when an answer is late or lost: handle the first, acknowledge all.
    const key = `${request.headers['x-svc-webhook-id']}/${event.id}`
    if (!accepted.has(key)) {
      accepted.set(key, event)
      setImmediate(handle, event)
    }
    return answer(200)
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error) => response.destroy(error))
  })
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
