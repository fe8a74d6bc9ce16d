// A service that takes requests, and processes that feed batches and run their calls on the same database.
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBatchFixture } from '../bench/batch-fixture.ts'
import { answers, type Child, freePort, startNode } from '../bench/service-process.ts'
import { statement } from '../server/src/platform/db/db.ts'
import type { BatchEvidence } from './batch-check.ts'
import { batchRows } from './batch-rows.ts'

const program = fileURLToPath(new URL('../server/test/support/media-process.ts', import.meta.url))
const settings = { PARLEY_SECRET: 'a secret for disasters only', PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }

const countBatches = statement('SELECT count(*)::int AS n FROM batches')
const countOpen = statement('SELECT count(*)::int AS n FROM batches WHERE completed_at IS NULL')
const countUntold = statement('SELECT count(*)::int AS n FROM calls_to_tell')

export interface BatchFaultFixture {
  newAgent(): Promise<string>
  startWorker(): Promise<Child>
  startBatch(agentId: string, recipients: number): Promise<void>
  batches(): Promise<number>
  openBatches(): Promise<number>
  /** Ended calls whose event has not been published yet. */
  untold(): Promise<number>
  evidence(): Promise<BatchEvidence>
  close(): Promise<void>
}

export async function openBatchFaultFixture(): Promise<BatchFaultFixture> {
  const fixture = await openBatchFixture({ ...settings, PARLEY_ROLES: 'api' })
  const { home, db } = fixture
  const dialLog = join(home.dataDir, 'dials')
  const workers = new Set<Child>()
  const count = async (of: typeof countOpen) => (await db.row<{ n: number }>(of))?.n ?? 0

  return {
    newAgent: fixture.newAgent,
    async startWorker() {
      const port = await freePort()
      const socket = encodeURIComponent(join(home.dataDir, 'run'))
      const env = {
        ...settings,
        HOST: '127.0.0.1',
        PORT: String(port),
        PARLEY_DATA_DIR: home.dataDir,
        PARLEY_ROLES: 'worker,media',
        PARLEY_LOG_FORMAT: 'json',
        PARLEY_DRAIN_SECONDS: '1',
        DATABASE_URL: `postgresql://parley@${socket}/postgres`,
      }
      const ready = () => answers(`http://127.0.0.1:${port}/readyz`)
      const child = await startNode([program, dialLog], env, home.logFile, ready)
      workers.add(child)
      return child
    },
    async startBatch(agentId, recipients) {
      const body = {
        name: 'Disaster',
        agent_id: agentId,
        max_concurrency: 12,
        recipients: Array.from({ length: recipients }, (_, place) => ({
          to_phone_number: `+1555${String(place).padStart(7, '0')}`,
          metadata: { script: script() },
        })),
        retry_config: { max_retries: 1, retry_on: ['busy'], intervals_minutes: [0] },
      }
      const { batch_id } = await fixture.post('/batch-calls', JSON.stringify(body))
      await fixture.post(`/batch-calls/${batch_id}/execute`)
    },
    batches: () => count(countBatches),
    openBatches: () => count(countOpen),
    untold: () => count(countUntold),
    async evidence() {
      const text = await readFile(dialLog, 'utf8').catch(() => '')
      return {
        ...(await batchRows(db)),
        dials: text
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(' ')[1] ?? ''),
      }
    },
    async close() {
      for (const child of workers) await child.stop()
      await fixture.close()
    },
  }
}

// A call lasts half a second at most, so that a kill always finds some of them running; some callees are busy and are called again.
const script = () => [
  { type: 'wait', ms: randomInt(50) },
  { type: 'status', status: 'ringing' },
  { type: 'wait', ms: randomInt(300) },
  ...(randomInt(4) === 0
    ? [{ type: 'outcome', outcome: { status: 'busy', hangupReason: 'dial_busy', terminatedBy: 'carrier' } }]
    : [{ type: 'status', status: 'in-progress' }]),
  { type: 'wait', ms: randomInt(150) },
]
