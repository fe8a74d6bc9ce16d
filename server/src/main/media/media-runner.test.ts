// What the main thread learns of a media thread: which offline voice a call gets from the settings, and which messages of
// vendors were passed over.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openMetrics } from '../../http/metrics.ts'
import { readConfig } from '../../platform/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { planOf } from '../../resources/calls/plan/plan-call.ts'
import type { CallRunner } from '../../resources/calls/queue/runner.ts'
import { onPassedOver, type PassedOverMessage } from '../../vendors/over/wire/passed-over.ts'
import { openMediaRunner } from './media-runner.ts'

let folder: string
let runner: CallRunner | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-voice-'))
})
afterEach(async () => {
  await runner?.close()
  await rm(folder, { recursive: true })
})

const plan = planOf(
  AgentConfig.parse({ agent_name: 'Test', llm_agent: {} }),
  {
    sessionId: 'session-1',
    workspaceId: 'workspace-1',
    agentId: 'agent-1',
    callType: 'outbound',
    to: '+15550100',
    from: null,
    provider: 'sandbox',
    number: null,
    variables: {},
    metadata: null,
  },
  new Date(0),
)

async function voiceOfFirstCall(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const config = readConfig({ PARLEY_MODELS_DIR: folder, PARLEY_DATA_DIR: folder, ...env })
  const log = pino({ level: 'silent' })
  runner = openMediaRunner({ config, recordingsFolder: folder, log: log as never })
  const call = runner.run(plan, () => {}, undefined)
  call.stop('api')
  const { engines } = await call.outcome
  return engines.find(({ part }) => part === 'synthesizer')?.used
}

it('a message that a call passes over is told to the main thread, which has the metrics', async () => {
  const told: PassedOverMessage[] = []
  const listening = onPassedOver((message) => told.push(message))
  const thread = new URL('../../../test/props/call/novel-media-thread.ts', import.meta.url)
  const config = readConfig({ PARLEY_DATA_DIR: folder })
  const log = pino({ level: 'silent' }) as never
  runner = openMediaRunner({ config, recordingsFolder: folder, log }, thread)
  runner.run(plan, () => {}, undefined).outcome.catch(() => {})
  await expect.poll(() => told.length).toBeGreaterThan(0)
  listening.stop()
  expect(told[0]).toEqual({
    company: 'Acme',
    service: 'transcriber',
    reason: 'unknown',
    messageType: 'novel',
    isFirst: true,
  })
  const { countPassedOver, text } = openMetrics({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
  } as Db)
  countPassedOver('Acme', 'transcriber', 'unknown')
  expect(await text()).toContain(
    'parley_vendor_messages_passed_over_total{company="Acme",service="transcriber",reason="unknown"} 1',
  )
})

it.each([
  [{}, 'wren'],
  [{ PARLEY_TTS: 'auto' }, 'wren'],
  [{ PARLEY_TTS: 'kokoro' }, 'kokoro'],
])('with %j, the first call speaks with %s', async (env, voice) => {
  expect(await voiceOfFirstCall(env)).toBe(voice)
})

it('an engine that is not there is refused at the start, with those that are', () => {
  expect(() => readConfig({ PARLEY_TTS: 'flute' })).toThrow(/PARLEY_TTS.*wren or kokoro/s)
})
