// PARLEY_TTS=auto in a media thread that is not warmed up: even the first call has the voice chosen for this machine.
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { natural } from '../adapters/embedded/models/sets.ts'
import { chooseVoice } from '../adapters/embedded/voice/voice-choice.ts'
import { readConfig } from '../platform/config.ts'
import { planOf } from '../resources/calls/plan-call.ts'
import type { CallRunner } from '../resources/calls/runner.ts'
import { openMediaRunner } from './media-runner.ts'

let folder: string
let runner: CallRunner | undefined
let logged: { msg: string }[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-auto-'))
  logged = []
})
afterEach(async () => {
  await runner?.close()
  await rm(folder, { recursive: true })
})

/** Sparse files with the names and sizes of the weights: enough to choose a voice, not to speak. */
async function layEmptyWeights(): Promise<void> {
  for (const model of natural) {
    for (const { inTarball, bytes } of Object.values(model.files)) {
      const path = join(folder, `${model.name}-${model.version}`, inTarball.split('/').at(-1) ?? '')
      await mkdir(dirname(path), { recursive: true })
      const file = await open(path, 'w')
      await file.truncate(bytes)
      await file.close()
    }
  }
}

const measuredBefore = (realTimeFactor: number) =>
  chooseVoice({
    ...{ wish: 'auto', folder, threads: 1 },
    isPresent: async () => true,
    measure: async () => realTimeFactor,
  })

function openRunner(threadUrl?: URL): CallRunner {
  const env = { PARLEY_MODELS_DIR: folder, PARLEY_SPEECH_THREADS: '1', PARLEY_DATA_DIR: folder }
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  runner = openMediaRunner(
    { config: readConfig(env), recordingsFolder: folder, log: log as never },
    threadUrl,
  )
  return runner
}

/** Replaces the media thread: reports that it is up, and ends with the first message. */
const announcingThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage({ type: 'log', level: 'info', fields: {}, message: 'a media thread is up' })
    parentPort.once('message', () => parentPort.close())`)}`,
)

const plan = planOf(
  AgentConfig.parse({ agent_name: 'Test', llm_agent: {} }),
  {
    ...{ sessionId: 'session-1', workspaceId: 'workspace-1', agentId: 'agent-1' },
    ...{ callType: 'outbound', to: '+15550100', from: null, provider: 'sandbox' },
    ...{ variables: {}, metadata: null },
  },
  new Date(0),
)

async function voiceOfFirstCall(): Promise<string | undefined> {
  const call = openRunner().run(plan, () => {}, undefined)
  call.stop('api')
  const { engines } = await call.outcome
  return engines.find(({ part }) => part === 'synthesizer')?.used
}

it.each([
  [0.2, 'kokoro'],
  [0.9, 'flite'],
])('with a real-time factor of %d, the first call already speaks with %s', async (factor, voice) => {
  await layEmptyWeights()
  await measuredBefore(factor)
  expect(await voiceOfFirstCall()).toBe(voice)
})

it('without the weights of the natural voice, calls speak with the instant one', async () => {
  await measuredBefore(0.2)
  expect(await voiceOfFirstCall()).toBe('flite')
})

it.each([
  ['without a stored measurement measures before the first call', false],
  ['with a stored measurement starts no thread before the first call', true],
])('a machine %s', async (_, isMeasured) => {
  await layEmptyWeights()
  if (isMeasured) await measuredBefore(0.2)
  openRunner(announcingThread)
  if (isMeasured) await sleep(500)
  else await expect.poll(() => logged.length, { timeout: 10_000 }).toBe(1)
  expect(logged.map(({ msg }) => msg)).toEqual(isMeasured ? [] : ['a media thread is up'])
})
