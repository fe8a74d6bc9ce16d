// The built-in dialogue policy in real calls: some of the scripted callers of bench/minds/ speak and listen in the
// sandbox, through the service's synthesizer, recognizer, turn-taking and analysis.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallDetail } from '../contract/src/index.ts'
import { minilm, moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { type Caller, farewell, readScenes, type Scene } from './mind-caller.ts'
import { missingOf } from './mind-judge.ts'
import { printIfMain, type Row } from './row.ts'
import { runCall, type Send, sender } from './service-client.ts'
import { makeHome, startService } from './service-process.ts'

/** Callers whose answers come in the order in which they are written. */
const spoken = ['comes', 'order 4711', 'is content', 'leaves a message', 'check-in']
const analysedWithinMs = 20_000

/** The caller's lines, each said when the agent has finished. */
const steps = ({ opens, says }: Caller) => [
  { wait_for: 'agent_done', say: opens },
  ...Object.values(says).map((words) => ({ wait_for: 'agent_done', say: words })),
  { wait_for: 'agent_done', say: farewell },
  { wait_for: 'agent_done', hang_up: true, after_ms: 500 },
]

async function talk(send: Send, { greeting, prompt, fields }: Scene, caller: Caller): Promise<string[]> {
  const agent_config = {
    agent_name: 'Spoken',
    agent_welcome_message: greeting,
    agent_prompt: prompt,
    llm_agent: {},
    task_config: { end_call_tool_mode: 'default' },
    call_analysis_config: {
      summary: false,
      sentiment: true,
      data_extraction: true,
      data_extraction_fields: fields,
    },
  }
  const { agent_id } = await send<{ agent_id: string }>('POST', '/agents', { agent_config })
  const metadata = { sandbox: { steps: steps(caller) } }
  const ended = await runCall(send, { agent_id, to_phone_number: '+15550100', metadata })
  const call = await analysed(send, ended)
  return missingOf(caller, {
    lines: call.transcript ?? [],
    hungUp: call.call_terminated_by === 'agent',
    found: call.analytics.data_extraction ?? {},
  })
}

async function analysed(send: Send, { session_id }: CallDetail): Promise<CallDetail> {
  for (let waitedMs = 0; ; waitedMs += 500) {
    const call = await send<CallDetail>('GET', `/call/detail/${session_id}`)
    if (call.engines.some(({ part }) => part === 'analysis') || waitedMs > analysedWithinMs) return call
    await sleep(500)
  }
}

async function measure(): Promise<Row[]> {
  const needed = [silero, moonshine, pronunciation, minilm] as const
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, ...needed)
  if (absent) return []
  const home = await makeHome()
  try {
    const env = { PARLEY_MODELS_DIR: folder, PARLEY_WARM_ENGINES: 'true', PARLEY_TTS: 'wren' }
    const service = await startService(home, { env })
    const told: string[] = []
    for (const scene of await readScenes())
      for (const caller of scene.callers.filter(({ name }) => spoken.includes(name))) {
        const missing = await talk(sender(home.url), scene, caller)
        told.push(`${scene.agent}: ${missing.length === 0 ? 'reached' : missing.join(', ')}`)
      }
    await service.stop()
    return [rowOf(told)]
  } finally {
    await home.remove()
  }
}

const rowOf = (told: readonly string[]): Row => ({
  claim: 'embedded mind, spoken and heard in the sandbox',
  measured: `${told.filter((line) => line.endsWith('reached')).length} of ${told.length} callers reached their goal`,
  yardstick: told.join('; '),
  ratio: '–',
  target: 'none',
  verdict: 'no target',
})

await printIfMain(import.meta.url, measure)
