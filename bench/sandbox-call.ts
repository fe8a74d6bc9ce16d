// Claim: in a full embedded conversation the agent's first sound comes at most 1.2 s after the caller's last, in the
// median of at least 20 turns on two cores, with the default endpointing of 500 ms. As reported by the records of the
// calls, part by part.
//
// No key and no network: the sandbox callee talks, the embedded engines listen, think and speak. Callee and agent share
// the machine, so every sentence is synthesized and recognised twice.
import type { CallDetail } from '../contract/src/index.ts'
import { minilm, moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { median, percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { runCall, type Send, sender } from './service-client.ts'
import { makeHome, startService } from './service-process.ts'

const leastTurns = 20
const targetMs = 1_200
// A callee who says goodbye early is called again, within limits.
const mostCalls = 8

const agent_config = {
  agent_name: 'Front desk',
  agent_welcome_message: 'Good morning, this is the Garden Restaurant. How can I help you?',
  agent_prompt:
    'You take bookings for a restaurant. Ask for the name, the day, the time and how many people come.',
  llm_agent: {},
}

async function converse(send: Send): Promise<CallDetail[]> {
  const { agent_id } = await send<{ agent_id: string }>('POST', '/agents', { agent_config })
  const ended: CallDetail[] = []
  while (turnsOf(ended).length < leastTurns && ended.length < mostCalls)
    ended.push(await runCall(send, { agent_id, to_phone_number: '+15550100' }))
  return ended
}

const turnsOf = (ended: readonly CallDetail[]) => ended.flatMap(({ latency }) => latency.turns)

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    silero,
    moonshine,
    pronunciation,
    minilm,
  )
  if (absent) return []
  const home = await makeHome()
  try {
    const env = { PARLEY_MODELS_DIR: folder, PARLEY_WARM_ENGINES: 'true', PARLEY_TTS: 'wren' }
    const service = await startService(home, { env })
    const ended = await converse(sender(home.url))
    await service.stop()
    return [latencyRow(ended)]
  } finally {
    await home.remove()
  }
}

function latencyRow(ended: readonly CallDetail[]): Row {
  const turns = turnsOf(ended)
  const part = (name: 'total' | 'endpointing' | 'stt' | 'llm' | 'tts') => {
    const values = turns.flatMap((turn) => turn[name] ?? [])
    return `${name} p50 ${percentile(values, 0.5).toFixed(0)}, p95 ${percentile(values, 0.95).toFixed(0)} ms`
  }
  const ends = [...new Set(ended.map(({ hangup_reason }) => hangup_reason))].join(', ')
  return {
    claim: 'a turn in a full embedded conversation through the service, one call at a time',
    measured: `${part('total')} of ${turns.length} turns in ${ended.length} calls, which ended by ${ends}`,
    yardstick: `its parts: ${(['endpointing', 'stt', 'llm', 'tts'] as const).map(part).join('; ')}`,
    ratio: '–',
    target: `p50 ≤ ${targetMs} ms of at least ${leastTurns} turns`,
    verdict: verdict(
      turns.length >= leastTurns && median(turns.flatMap(({ total }) => total ?? [])) <= targetMs,
    ),
  }
}

await printIfMain(import.meta.url, measure)
