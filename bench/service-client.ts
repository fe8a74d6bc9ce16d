// A client of the service that can run a call to its end.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallDetail } from '../contract/src/index.ts'
import { apiKey } from './service-process.ts'

const pollMs = 500
// The callee says goodbye after eight answers; a longer call is stuck.
const patienceMs = 180_000

export type Send = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

export const sender =
  (url: string): Send =>
  async <Answer>(method: string, path: string, body?: object) => {
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(body ? { 'idempotency-key': randomUUID() } : {}),
    }
    const response = await fetch(`${url}/agent/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: Answer }).data
  }

/** Runs a call; resolves when it has ended. */
export async function runCall(send: Send, body: object): Promise<CallDetail> {
  const { session_id } = await send<{ session_id: string }>('POST', '/calls', body)
  const giveUpAt = performance.now() + patienceMs
  while (performance.now() < giveUpAt) {
    await sleep(pollMs)
    const call = await send<CallDetail>('GET', `/call/detail/${session_id}`)
    if (call.call_completed_time) return call
  }
  throw new Error(`the call ${session_id} has no end`)
}
