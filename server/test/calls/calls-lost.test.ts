// Processes that die during calls: kill -9, and connections that are lost and restored.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CallDetail } from '@parley/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseWav } from '../../src/media/wav-parse.ts'
import {
  type CallFixture,
  detailOf,
  eventsOf,
  newAgent,
  openCallFixture,
  placeCall,
  reaches,
} from '../support/call-fixture.ts'
import { mediaProcess, startProcess } from '../support/process.ts'
import type { Step } from '../support/scripted-runner.ts'
import type { TestService } from '../support/service.ts'

let fixture: CallFixture
let api: TestService
let agentId: string
let dataDir: string
beforeEach(async () => {
  fixture = await openCallFixture()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-victim-'))
  api = await fixture.api({ PARLEY_DATA_DIR: dataDir })
  agentId = await newAgent(api)
})
afterEach(async () => {
  await fixture.close()
  await rm(dataDir, { recursive: true, force: true })
})

const startVictim = () =>
  startProcess(
    {
      PARLEY_ROLES: 'media',
      PARLEY_DATA_DIR: dataDir,
      DATABASE_URL: fixture.database.url,
      PARLEY_SECRET: 'a secret for tests only',
    },
    { program: mediaProcess },
  )

const inProgress: Step = { type: 'status', status: 'in-progress' }
const said: Step = {
  type: 'transcript',
  entry: { turn: 1, role: 'user', content: 'Hello?', startSeconds: 0.5, endSeconds: 1, interrupted: false },
}
const latency: Step = {
  type: 'latency',
  latency: { turn: 1, endpointingMs: 500, sttMs: 100, llmMs: 30, ttsMs: 20, totalMs: 650 },
}

// Two channels at 8 kHz and 16 bits.
const secondBytes = 2 * 2 * 8_000

/** The only recording of the killed process, as far as it is written. */
async function recordedBytes(): Promise<number> {
  const names = await readdir(dataDir, { recursive: true })
  const part = names.find((name) => name.endsWith('.wav.part'))
  return part ? (await stat(join(dataDir, part))).size : 0
}

it('a call of a killed process ends as worker_lost, with its transcript and recording so far, and its event', async () => {
  const victim = await startVictim()
  const script: Step[] = [
    inProgress,
    said,
    { type: 'variables', variables: { state: 'asked', mood: 'calm' } },
    { type: 'variables', variables: { state: 'open' } },
    latency,
    { type: 'record', seconds: 5 },
    { type: 'until-stopped' },
  ]
  const id = await placeCall(api, agentId, { script, variables: { name: 'Ada' } })
  const told = async () =>
    (
      await fixture.database.query("SELECT 1 FROM call_events WHERE session_id = $1 AND type = 'latency'", [
        id,
      ])
    ).length
  await expect.poll(told).toBe(1)
  await expect.poll(recordedBytes).toBeGreaterThan(4 * secondBytes)
  await victim.end('SIGKILL')
  // It is not run again, although another process is there the whole time.
  const { runner } = await fixture.media({ PARLEY_DATA_DIR: dataDir })
  await reaches(api, id, 'failed')
  // Its recording is repaired and stored after the call has ended.
  await expect.poll(async () => (await detailOf(api, id)).recording.url).not.toBeNull()
  const call = CallDetail.parse(await detailOf(api, id))
  expect(call).toMatchObject({
    hangup_reason: 'worker_lost',
    call_terminated_by: 'system',
    error_message: 'The process that ran this call died.',
    transcript: [{ turn: 1, role: 'user', content: 'Hello?', start_time: 0.5, end_time: 1 }],
    latency: { turns: [{ turn: 1, total: 650 }], p50: { stt: 100 } },
    // What tools had saved, in order, beside what the call was given.
    variables: { name: 'Ada', state: 'open', mood: 'calm' },
  })
  expect(call.duration).toBeGreaterThanOrEqual(0)
  expect(runner.plans).toEqual([])
  const response = await fetch(call.recording.url?.replace(/^http:\/\/[^/]+/, api.url) ?? '')
  const { channels } = parseWav(new Uint8Array(await response.arrayBuffer()))
  // The last chunk was lost with the process.
  expect(channels[0]?.length).toBeGreaterThanOrEqual(4 * 8_000)
  expect([channels[0]?.[0], channels[1]?.[0]]).toEqual([1, -1])
  await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  expect((await eventsOf(fixture.database, id))[0]).toMatchObject({
    call_status: 'failed',
    recording: { url: expect.stringContaining(id) },
  })
})

it('a worker notices too, if no other process runs calls', async () => {
  const victim = await startVictim()
  const id = await placeCall(api, agentId, { script: [inProgress, { type: 'until-stopped' }] })
  await reaches(api, id, 'in-progress')
  await victim.end('SIGKILL')
  const status = async () => (await detailOf(api, id)).hangup_reason
  await expect.poll(status).toBe('worker_lost')
})

it('a call continues when its process loses its connections for a moment', async () => {
  await fixture.media()
  const { runner } = await fixture.media()
  const script: Step[] = [inProgress, { type: 'until-stopped' }, said]
  const ids = await Promise.all(Array.from({ length: 6 }, () => placeCall(api, agentId, { script })))
  for (const id of ids) await reaches(api, id, 'in-progress')
  await fixture.database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'parley%'",
  )
  const owners = async () =>
    (
      await fixture.database.query<{ dead: number }>(
        `SELECT count(*)::int AS dead FROM calls WHERE claimed_by IS NOT NULL AND claimed_by NOT IN (
           SELECT objid::bigint::integer FROM pg_locks WHERE locktype = 'advisory' AND classid = 72705 AND granted)`,
      )
    )[0]?.dead
  await expect.poll(owners).toBe(0)
  for (const id of ids) {
    const stop = async () => (await api.ask('POST', `/calls/${id}/stop`)).status
    await expect.poll(stop).toBe(200)
  }
  for (const id of ids) expect((await reaches(api, id, 'completed')).hangup_reason).toBe('api_stopped')
  expect([...runner.stops.values()]).not.toContain('lost')
})
