// A receiver for development: it shows every delivery, says whether it verifies, and fails on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebhookVerificationError } from '../webhooks/verification-error.ts'
import { verifyWebhook } from '../webhooks/verify.ts'
import { attemptCounter } from './attempts.ts'
import { type Delivery, deliveryJson, deliveryText } from './delivery.ts'

export interface ListenOptions {
  readonly secret: string | readonly string[]
  readonly host: string
  /** The port. 0 picks a free one. */
  readonly port: number
  /** The status of every answer, instead of 200 or 400. */
  readonly failStatus?: number
  readonly delayMs: number
  readonly show: 'text' | 'json'
  /** Also shows the whole event. */
  readonly full: boolean
}

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

// An event with a long transcript is tens of kilobytes.
const bodyBytes = 1024 * 1024

// The service gives an attempt 10 seconds; a slower request does not come from it.
const requestMs = 10_000

export async function listen(options: ListenOptions, print: (text: string) => void): Promise<Listening> {
  const closing = new AbortController()
  const attemptOf = attemptCounter()

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return answer(response, 405, { allow: 'POST' })
    const body = await readBody(request).catch(() => 'hung-up' as const)
    if (body === 'hung-up') return
    const delivery = examine(request, body, options, attemptOf)
    print((options.show === 'json' ? deliveryJson : deliveryText)(delivery, options.full))
    // Closing the server ends the wait. The connection is gone by then, and the answer below has no effect.
    await wait(options.delayMs, undefined, { signal: closing.signal }).catch(() => {})
    answer(response, delivery.answered)
  }

  const server = createServer({ requestTimeout: requestMs }, receive)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function examine(
  request: IncomingMessage,
  body: Buffer | 'too-large',
  { secret, failStatus }: ListenOptions,
  attemptOf: (deliveryId: string) => number,
): Delivery {
  const outcome = outcomeOf(request, body, secret)
  const deliveryId = header(request, 'x-svc-delivery-id')
  return {
    receivedAt: new Date().toISOString(),
    event: header(request, 'x-svc-event'),
    webhookId: header(request, 'x-svc-webhook-id'),
    deliveryId,
    attempt: deliveryId === null ? null : attemptOf(deliveryId),
    outcome,
    answered: failStatus ?? (outcome.verified ? 200 : body === 'too-large' ? 413 : 400),
  }
}

function outcomeOf(
  { headers }: IncomingMessage,
  body: Buffer | 'too-large',
  secret: ListenOptions['secret'],
): Delivery['outcome'] {
  if (body === 'too-large') return { verified: false, reason: 'body-too-large' }
  try {
    return { verified: true, body: verifyWebhook({ body, headers, secret }) }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { verified: false, reason: error.reason }
    throw error
  }
}

/** Reads to the end even when nothing is kept: a sender that is still writing does not read the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= bodyBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= bodyBytes ? Buffer.concat(chunks) : 'too-large'
}

const header = ({ headers }: IncomingMessage, name: string): string | null =>
  headers[name]?.toString() ?? null

const answer = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, headers).end()
}
