// A start or a stop that fails at any of its steps leaves nothing running: no connection, socket, loop or
// thread. The same process can start again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Loop } from '../../src/platform/loop.ts'
import type { TranscriptionEngine } from '../../src/ports/transcription.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

const steps = vi.hoisted(() => {
  const taken: string[] = []
  return {
    taken,
    /** The step that fails, counted from 1; 0 for none. */
    failing: 0,
    loops: new Set<unknown>(),
    take(name: string) {
      if (taken.push(name) === this.failing) throw new Error(`injected at ${name}`)
    },
    /** The module, with a counted step before each of these functions. */
    before<M extends object>(module: M, ...names: (keyof M & string)[]): M {
      const wrapped = names.map((name) => [
        name,
        (...args: unknown[]) => {
          steps.take(name)
          return (module[name] as (...args: unknown[]) => unknown)(...args)
        },
      ])
      return { ...module, ...Object.fromEntries(wrapped) }
    },
  }
})

const main = vi.hoisted(
  () =>
    <M extends object>(...names: (keyof M & string)[]) =>
    async (original: () => Promise<M>) =>
      steps.before(await original(), ...names),
)

vi.mock(import('../../src/platform/db/migrate.ts'), main('migrate'))
vi.mock(import('../../src/platform/db/claim.ts'), main('openClaimant'))
vi.mock(import('../../src/platform/guard/guard.ts'), main('openGuard', 'openUserGuard'))
vi.mock(import('../../src/engines/ffmpeg/decoder.ts'), main('openDecoder'))
vi.mock(import('../../src/carriers/browser/door.ts'), main('openBrowserDoor'))
vi.mock(import('../../src/http/metrics.ts'), main('openMetrics'))
vi.mock(import('../../src/http/rate-limit.ts'), main('rateLimit'))
vi.mock(import('../../src/main/bootstrap.ts'), main('bootstrap'))
vi.mock(import('../../src/mind/analysis/call-analyzer.ts'), main('openCallAnalyzer'))
vi.mock(import('../../src/resources/knowledge-base/work.ts'), main('openKnowledge'))
vi.mock(import('../../src/resources/calls/work.ts'), main('startMedia'))
vi.mock(import('../../src/resources/calls/queue/observed-runner.ts'), main('measuredRunner'))
vi.mock(import('../../src/resources/calls/recordings/recordings.ts'), main('openRecordingArchive'))
vi.mock(import('../../src/platform/secret-rotation.ts'), main('followRotation'))
vi.mock(import('../../src/resources/speech-cache/work.ts'), main('openProcessSpeechCache'))
vi.mock(import('../../src/resources/transcripts/work.ts'), main('openTranscription'))
vi.mock(import('../../src/main/worker.ts'), main('startWorker'))
vi.mock(import('../../src/resources/batches/feeder.ts'), main('startFeeder'))
vi.mock(import('../../src/platform/telemetry/telemetry.ts'), main('metricsFor'))
vi.mock(import('../../src/resources/calls/record/call-state-store.ts'), main('openCallStateWriter'))
vi.mock(import('../../src/resources/calls/queue/handover.ts'), main('answerHandovers'))
vi.mock(import('../../src/resources/calls/listening/listening.ts'), main('answerListening'))
vi.mock(import('../../src/resources/calls/record/signalling-store.ts'), main('openSignallingWriter'))
vi.mock(
  import('../../src/resources/phone-numbers/work.ts'),
  main('answerTrunkChecks', 'openTelephones', 'openTrunkLeases', 'openTrunks'),
)
vi.mock(import('../../src/resources/calls/record/analysis-worker.ts'), main('analysisJob'))
vi.mock(import('../../src/resources/calls/queue/lost-call-sweeper.ts'), main('startLostCallSweeper'))
vi.mock(import('../../src/resources/calls/recordings/recording-uploader.ts'), main('startRecordingUploader'))
vi.mock(import('../../src/resources/calls/queue/unjoined-call-sweeper.ts'), main('unjoinedCallSweep'))
vi.mock(import('../../src/resources/keys/key-ring.ts'), main('openKeyRing'))
vi.mock(import('../../src/resources/transcripts/callback-worker.ts'), main('callbackJob'))
vi.mock(import('../../src/resources/webhooks/event-publisher.ts'), main('eventPublisher'))
vi.mock(import('../../src/main/wire.ts'), async (original) => {
  const { wireHttp } = steps.before(await original(), 'wireHttp')
  return {
    wireHttp: async (...args: Parameters<typeof wireHttp>) => {
      const wired = await wireHttp(...args)
      const listen = wired.app.listen.bind(wired.app) as (options: object) => Promise<string>
      wired.app.listen = (async (options: object) => {
        steps.take('listen')
        return listen(options)
      }) as never
      return wired
    },
  }
})
vi.mock(import('../../src/platform/db/db.ts'), async (original) => {
  const module = steps.before(await original(), 'openDb')
  const openDb: typeof module.openDb = (...args) => {
    const db = module.openDb(...args)
    return {
      ...db,
      async listen(channel, listener) {
        steps.take(`listen to ${channel}`)
        return db.listen(channel, listener)
      },
    }
  }
  return { ...module, openDb }
})
vi.mock(import('../../src/platform/loop.ts'), async (original) => {
  const module = await original()
  const startLoop: typeof module.startLoop = (...args) => {
    const loop: Loop = module.startLoop(...args)
    steps.loops.add(loop)
    const stop = async () => {
      await loop.stop()
      steps.loops.delete(loop)
    }
    return { wake: loop.wake, stop }
  }
  return { ...module, startLoop }
})

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await makeDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-failed-start-'))
})
afterAll(async () => {
  await database?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const open = { runners: 0, engines: 0 }

function start(closeRunner = async () => {}) {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    PARLEY_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PARLEY_SECRET: 'a secret for tests only',
    PARLEY_ROLES: 'api,worker,media,speech',
    PARLEY_SIP_PORT: '0',
    PARLEY_DRAIN_SECONDS: '0',
  })
  const openRunner = () => {
    steps.take('openRunner')
    open.runners++
    const close = async () => {
      open.runners--
      await closeRunner()
    }
    return { ...scriptedRunner(), close }
  }
  const openEngine = () => {
    steps.take('openEngine')
    open.engines++
    return {
      async close() {
        open.engines--
      },
    } as unknown as TranscriptionEngine
  }
  return startService(config, pino({ level: 'silent' }), openRunner, openEngine)
}

const connections = async () =>
  (
    await database.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'parley%'",
    )
  ).length

const kept = ['TCPServerWrap', 'TCPSocketWrap', 'UDPWrap', 'PipeWrap', 'MessagePort']
/** Sockets, servers and threads of this process. */
const resources = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => kept.includes(name))
    .toSorted()

// Timers of our own code, with their stack. Those of others, such as the test runner, come and go.
const timers = new Map<NodeJS.Timeout & { _destroyed?: boolean }, string>()
for (const make of ['setTimeout', 'setInterval'] as const) {
  const original = globalThis[make] as (...args: unknown[]) => NodeJS.Timeout
  globalThis[make] = ((...args: unknown[]) => {
    const timer = original(...args)
    const place = new Error().stack?.split('\n').find((line) => line.includes('/server/src/'))
    if (place) timers.set(timer, place.trim())
    return timer
  }) as never
}
const ticking = () => [...timers].filter(([timer]) => !timer._destroyed).map(([, place]) => place)

/** Counted after a query, so that the test's own connection is always included. */
async function resourcesNow() {
  await connections()
  return resources()
}

async function mustBeQuiet(before: readonly string[]) {
  expect(open).toEqual({ runners: 0, engines: 0 })
  expect(steps.loops.size).toBe(0)
  const quiet = { connections: 0, resources: before, timers: [] }
  const now = async () => ({ connections: await connections(), resources: resources(), timers: ticking() })
  await expect.poll(now).toEqual(quiet)
}

it('a start that fails at any step leaves nothing running', async () => {
  const before = await resourcesNow()
  const failed: string[] = []
  for (steps.failing = 1; ; steps.failing++) {
    steps.taken.length = 0
    const outcome = await start().catch((error: Error) => error)
    if (!(outcome instanceof Error)) {
      expect(steps.taken.length).toBeLessThan(steps.failing)
      await outcome.stop()
      break
    }
    expect(outcome.message).toBe(`injected at ${steps.taken[steps.failing - 1]}`)
    failed.push(steps.taken[steps.failing - 1] as string)
    await mustBeQuiet(before)
  }
  await mustBeQuiet(before)
  // Proof that these steps were reached. New steps are covered without a change here.
  expect(failed).toEqual(
    expect.arrayContaining([
      ...['migrate', 'openDb', 'bootstrap', 'openEngine', 'listen', 'openRunner'],
      ...['answerHandovers', 'answerTrunkChecks'],
    ]),
  )
  expect(failed.filter((name) => name.startsWith('listen to'))).toHaveLength(20)
})

it('a stop in which one part fails leaves nothing else running', async () => {
  steps.failing = 0
  const before = await resourcesNow()
  const service = await start(async () => {
    throw new Error('the runner does not close')
  })
  await expect(service.stop()).rejects.toThrow('the runner does not close')
  await mustBeQuiet(before)
  const again = await start()
  expect((await fetch(`http://127.0.0.1:${again.port}/readyz`)).status).toBe(200)
  await again.stop()
})
