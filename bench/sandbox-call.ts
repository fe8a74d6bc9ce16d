// How long a turn takes in whole calls through the service: from the caller's last sound to the agent's first, as its record says.
//
// No key and no network: the sandbox callee talks, the embedded engines listen, think and speak. Callee and agent share the
// machine, so every sentence is spoken and recognised twice.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallDetail } from '../contract/src/index.ts'
import { flite, minilm, moonshine, silero } from '../server/src/adapters/embedded/models/catalogue.ts'
import { modelsAtHand } from '../server/src/adapters/embedded/proof/models-at-hand.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'
import { apiKey, makeHome, startService } from './service-process.ts'

const calls = 6
const callsAtOnce = 2
const pollMs = 500
// The callee says goodbye after eight answers; a call that is longer has lost its way.
const patienceMs = 180_000

const agent_config = {
  agent_name: 'Front desk',
  agent_welcome_message: 'Good morning, this is the Garden Restaurant. How can I help you?',
  agent_prompt:
    'You take bookings for a restaurant. Ask for the name, the day, the time and how many people come.',
  llm_agent: {},
}

type Send = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

const sender =
  (url: string): Send =>
  async <Answer>(method: string, path: string, body?: object) => {
    const headers = {
      ...{ 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body ? { 'idempotency-key': randomUUID() } : {}),
    }
    const response = await fetch(`${url}/agent/v1${path}`, {
      ...{ method, headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: Answer }).data
  }

async function runCall(send: Send, agentId: string): Promise<CallDetail> {
  const body = { agent_id: agentId, to_phone_number: '+15550100' }
  const { session_id } = await send<{ session_id: string }>('POST', '/calls', body)
  const giveUpAt = performance.now() + patienceMs
  while (performance.now() < giveUpAt) {
    await sleep(pollMs)
    const call = await send<CallDetail>('GET', `/call/detail/${session_id}`)
    if (call.call_completed_time) return call
  }
  throw new Error(`the call ${session_id} has no end`)
}

async function converse(send: Send): Promise<CallDetail[]> {
  const { agent_id } = await send<{ agent_id: string }>('POST', '/agents', { agent_config })
  const ended: CallDetail[] = []
  const lane = async () => {
    while (ended.length + callsAtOnce <= calls) ended.push(await runCall(send, agent_id))
  }
  await Promise.all(Array.from({ length: callsAtOnce }, lane))
  return ended
}

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    silero,
    moonshine,
    flite,
    minilm,
  )
  if (absent) return []
  const home = await makeHome()
  try {
    const env = { PARLEY_MODELS_DIR: folder, PARLEY_WARM_ENGINES: 'true', PARLEY_TTS: 'flite' }
    const service = await startService(home, { env })
    const ended = await converse(sender(home.url))
    await service.stop()
    return [latencyRow(ended)]
  } finally {
    await home.remove()
  }
}

function latencyRow(ended: readonly CallDetail[]): Row {
  const turns = ended.flatMap(({ latency }) => latency.turns)
  const part = (name: 'total' | 'endpointing' | 'stt' | 'llm' | 'tts') => {
    const values = turns.flatMap((turn) => turn[name] ?? [])
    return `${name} p50 ${percentile(values, 0.5).toFixed(0)}, p95 ${percentile(values, 0.95).toFixed(0)} ms`
  }
  const ends = [...new Set(ended.map(({ hangup_reason }) => hangup_reason))].join(', ')
  return {
    claim: `a turn in whole calls through the service, ${callsAtOnce} at a time`,
    measured: `${part('total')} of ${turns.length} turns in ${ended.length} calls, which ended by ${ends}`,
    yardstick: `its parts: ${(['endpointing', 'stt', 'llm', 'tts'] as const).map(part).join('; ')}`,
    ratio: '–',
    target: 'none',
    verdict: 'no target',
  }
}

await printIfMain(import.meta.url, measure)
