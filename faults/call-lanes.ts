// Calls over the API, a steady number of them at a time: each lane places its next one when the event of the last has arrived.
import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiKey } from '../bench/service-process.ts'

// How long an event is waited for: a call lasts a few seconds, and its event is sent at once.
const lostAfterMs = 120_000
const pauseAfterRefusalMs = 500

export interface LaneCounts {
  placed: number
  ended: number
  /** Calls without an event, or with one that says that the call was lost. */
  lost: number
  /** Answers that were no success, and requests without an answer. */
  refused: number
}

export interface CallLanes {
  readonly counts: Readonly<LaneCounts>
  /** Places calls until the promise resolves, and waits for the events of the last ones. */
  run(lanes: number, until: Promise<unknown>): Promise<void>
  /** Closes the receiver: events of later calls arrive nowhere. */
  close(): Promise<void>
}

interface EndedCallEvent {
  readonly session_id: string
  readonly hangup_reason?: string
}

interface WebhookList {
  readonly data: { readonly data: readonly { readonly webhook_id: string }[] }
}

export async function openCallLanes(url: string): Promise<CallLanes> {
  const counts: LaneCounts = { placed: 0, ended: 0, lost: 0, refused: 0 }
  const waiting = new Map<string, (ended: EndedCallEvent) => void>()
  /** An event may overtake the answer to the request. */
  const early = new Map<string, EndedCallEvent>()

  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      response.end()
      const ended = JSON.parse(text).data as EndedCallEvent
      const tell = waiting.get(ended.session_id)
      if (tell) tell(ended)
      else early.set(ended.session_id, ended)
    })
  })
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))

  const post = async (path: string, body: object): Promise<Record<string, string> | undefined> => {
    const headers = {
      'x-api-key': apiKey,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/agent/v1${path}`, init).catch(() => undefined)
    const answer = (await response?.json().catch(() => undefined)) as { data: Record<string, string> }
    return response?.ok ? answer.data : undefined
  }

  const unsubscribe = (webhookId: string | undefined) =>
    fetch(`${url}/agent/v1/webhooks/${webhookId}`, { method: 'DELETE', headers: { 'x-api-key': apiKey } })
  // The webhook of an earlier run that was killed is still there.
  const left = await fetch(`${url}/agent/v1/webhooks?limit=100`, { headers: { 'x-api-key': apiKey } })
  for (const { webhook_id } of ((await left.json()) as WebhookList).data.data) await unsubscribe(webhook_id)

  const { port } = receiver.address() as AddressInfo
  const hook = await post('/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['call.completed'] })
  const agent = { agent_name: 'Desk', agent_welcome_message: 'Hello, this is the desk.', llm_agent: {} }
  const { agent_id } = (await post('/agents', { agent_config: agent })) ?? {}

  const endOf = async (sessionId: string): Promise<EndedCallEvent | undefined> => {
    const { promise, resolve } = Promise.withResolvers<EndedCallEvent | undefined>()
    const timer = setTimeout(resolve, lostAfterMs, undefined)
    const known = early.get(sessionId)
    if (known) resolve(known)
    else waiting.set(sessionId, resolve)
    const ended = await promise
    clearTimeout(timer)
    waiting.delete(sessionId)
    early.delete(sessionId)
    return ended
  }

  const placeOne = async (): Promise<void> => {
    const sandbox = { ring_ms: 100, steps: [{ hang_up: true, after_ms: 2_000 + randomInt(6_000) }] }
    const call = { agent_id, to_phone_number: '+15550100', metadata: { sandbox } }
    const placed = await post('/calls', call)
    if (!placed?.session_id) {
      counts.refused++
      return sleep(pauseAfterRefusalMs)
    }
    counts.placed++
    const ended = await endOf(placed.session_id)
    if (ended && ended.hangup_reason !== 'worker_lost') counts.ended++
    else counts.lost++
  }

  return {
    counts,
    async run(lanes, until) {
      let isOver = false
      void until.then(() => {
        isOver = true
      })
      const lane = async () => {
        while (!isOver) await placeOne()
      }
      await Promise.all(Array.from({ length: lanes }, lane))
    },
    async close() {
      await unsubscribe(hook?.webhook_id).catch(() => {})
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}
