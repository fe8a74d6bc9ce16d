// A company's traffic: agents are created, calls placed and batches started over the API, again and again, and events are
// received. Every request is repeated with its key until it is acknowledged.
import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiKey } from '../bench/service-process.ts'
import { within } from './within.ts'

// Writers and pauses make a load that two cores carry beside a cluster of databases: the point is what is lost, not how much there is.
const agentWriters = 4
const callWriters = 3
const pauseMs = { afterAgent: 40, afterCall: 100, afterBatch: 3_000, afterRefusal: 100 }
const recipientsPerBatch = 20
// The time-out of a request: longer than the service itself waits for its database.
const timeoutMs = 40_000
// The wait for the last requests: some of these time-outs, one after the other.
const lastRequestsSeconds = 180

export interface MixedEvidence {
  /** The name of each agent, by id. */
  readonly agents: ReadonlyMap<string, string>
  readonly calls: ReadonlySet<string>
  readonly batches: ReadonlySet<string>
  /** Sessions whose event arrived, as often as it did. */
  readonly received: readonly string[]
}

export interface MixedLoad {
  /** When requests were acknowledged, by performance.now(). */
  readonly acknowledgedAtMs: readonly number[]
  /** Answers that were no success, and requests without an answer. */
  readonly refused: number
  /** How often each status and code refused. */
  readonly refusals: ReadonlyMap<string, number>
  /** Stops asking; whatever is under way is repeated until it is acknowledged. */
  stop(): Promise<void>
  /** What was acknowledged, and what has arrived by now. */
  evidence(): MixedEvidence
  close(): void
}

/** Starts the load on several addresses, which take turns. */
export async function startLoad(urls: readonly string[]): Promise<MixedLoad> {
  const agents = new Map<string, string>()
  const [calls, batches] = [new Set<string>(), new Set<string>()]
  const received: string[] = []
  const acknowledgedAtMs: number[] = []
  const counts = { refused: 0, turn: 0 }
  const refusals = new Map<string, number>()
  let stopping = false

  const post = async (path: string, body?: object): Promise<Record<string, string>> => {
    const headers = {
      'x-api-key': apiKey,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    }
    for (;;) {
      const url = urls[counts.turn++ % urls.length]
      const signal = AbortSignal.timeout(timeoutMs)
      const init = { method: 'POST', headers, signal, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`${url}/agent/v1${path}`, init).catch(() => undefined)
      const answer = (await response?.json().catch(() => undefined)) as
        | { data: Record<string, string> }
        | undefined
      if (response?.ok && answer) {
        acknowledgedAtMs.push(performance.now())
        return answer.data
      }
      if (response && response.status < 500) throw new Error(`POST ${path} answered ${response.status}`)
      counts.refused++
      const reason = response
        ? `${response.status} ${(answer as { code?: string } | undefined)?.code ?? ''}`
        : 'no answer'
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
      await sleep(pauseMs.afterRefusal)
    }
  }
  const newAgent = async () => {
    const name = randomUUID()
    const { agent_id = '' } = await post('/agents', { agent_config: { agent_name: name, llm_agent: {} } })
    agents.set(agent_id, name)
    return agent_id
  }

  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      received.push(JSON.parse(text).data.session_id)
      response.end()
    })
  })
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  const { port } = receiver.address() as AddressInfo
  await post('/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['call.completed'] })
  const caller = await newAgent()

  const again = async (act: () => Promise<unknown>, restMs: number) => {
    while (!stopping) {
      await act()
      await sleep(restMs)
    }
  }
  const placeCall = async () => {
    const call = { agent_id: caller, to_phone_number: '+15550100', metadata: { script: script() } }
    calls.add((await post('/calls', call)).session_id ?? '')
  }
  const startBatch = async () => {
    const recipients = Array.from({ length: recipientsPerBatch }, (_, place) => ({
      to_phone_number: `+1555${String(place).padStart(7, '0')}`,
      metadata: { script: script() },
    }))
    const { batch_id = '' } = await post('/batch-calls', { name: 'Reminders', agent_id: caller, recipients })
    batches.add(batch_id)
    await post(`/batch-calls/${batch_id}/execute`)
  }
  const running = Promise.all([
    ...Array.from({ length: agentWriters }, () => again(newAgent, pauseMs.afterAgent)),
    ...Array.from({ length: callWriters }, () => again(placeCall, pauseMs.afterCall)),
    again(startBatch, pauseMs.afterBatch),
  ])
  // A rejection is rethrown by stop().
  running.catch(() => {})

  return {
    acknowledgedAtMs,
    refusals,
    get refused() {
      return counts.refused
    },
    async stop() {
      stopping = true
      await within(lastRequestsSeconds, 'the last requests', running)
    },
    evidence: () => ({ agents, calls, batches, received }),
    close() {
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

// Calls last some seconds, so that a fault always finds some of them running.
const script = () => [
  { type: 'status', status: 'ringing' },
  { type: 'wait', ms: randomInt(300) },
  { type: 'status', status: 'in-progress' },
  { type: 'wait', ms: randomInt(3_000) },
]
