// A call in a language whose weights are not on this machine: it does not begin, and says what to do.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { planOf } from '../../resources/calls/plan/plan-call.ts'
import type { CallRunner } from '../../resources/calls/queue/runner.ts'
import { openMediaRunner } from './media-runner.ts'

let folder: string
let runner: CallRunner

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-languages-'))
  // A registry that nobody answers at: nothing is downloaded.
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  vi.stubEnv('npm_config_fetch_retries', '0')
  const env = { PARLEY_MODELS_DIR: folder, PARLEY_SPEECH_THREADS: '1', PARLEY_DATA_DIR: folder }
  runner = openMediaRunner({
    config: readConfig(env),
    recordingsFolder: folder,
    log: pino({ level: 'silent' }) as never,
  })
})
afterEach(async () => {
  await runner.close()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const planIn = (language: string | undefined, sessionId: string) =>
  planOf(
    AgentConfig.parse({ agent_name: 'Test', llm_agent: {}, language }),
    {
      sessionId,
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

it('fails with the reason, and English is not affected', async () => {
  const spanish = await runner.run(planIn('es-MX', 'spanish'), () => {}, undefined).outcome
  expect(spanish).toMatchObject({
    status: 'failed',
    hangupReason: 'stt_error',
    engines: [{ part: 'transcriber', used: 'none' }],
  })
  expect(spanish.errorMessage).toMatch(
    /^The offline recognizer for Spanish is being fetched, \d+ MB: .*make models/,
  )
  const call = runner.run(planIn(undefined, 'english'), () => {}, undefined)
  call.stop('api')
  const english = await call.outcome
  expect(english.engines.find(({ part }) => part === 'transcriber')?.used).toBe('moonshine')
})
