// Transcription jobs: durable, bounded, fair, and not blocked by one bad file.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startProcess } from '../support/process.ts'
import { boundKey, makeDatabase, openService, type TestDatabase, workspaceId } from '../support/service.ts'
import { scriptedEngine } from '../support/speech/scripted-engine.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

const otherWorkspace = '22222222-2222-4222-8222-222222222222'

let database: TestDatabase
let fixture: TranscriptionFixture
const begin = async (seconds = 1): Promise<string> => {
  const file_id = await fixture.fileOf(toneWav(seconds))
  return (await fixture.speak('POST', '/transcripts', { body: { file_id } })).body.data.transcript_id
}
const rowOf = async (transcriptId: string) =>
  (
    await database.query<{ status: string; tries: number; claimed_by: number | null }>(
      'SELECT status, tries, claimed_by FROM transcripts WHERE transcript_id = $1',
      [transcriptId],
    )
  )[0]

describe('a transcription', () => {
  beforeEach(async () => {
    database = await makeDatabase()
    fixture = await openTranscriptionFixture(
      { PARLEY_SPEECH_CONCURRENCY: '2', PARLEY_DRAIN_SECONDS: '0.2' },
      database,
    )
  })
  afterEach(async () => {
    await fixture.close()
    await database.close()
  })

  it('is retried when the engine fails, and succeeds', async () => {
    fixture.engine.failures.push('the engine stumbled')
    const id = await begin()
    expect(await fixture.ended(id)).toMatchObject({ status: 'completed', text: 'one', error: null })
    expect(fixture.engine.jobs).toHaveLength(2)
    // The notes of the first attempt were available to the second.
    expect(fixture.engine.jobs[1]?.notes.get('heard')).toBe('1')
  })

  it('fails with the reason when the engine fails three times, and delays no other', async () => {
    fixture.engine.poisonSeconds = 2
    const poisonous = await begin(2)
    for (const _ of [1, 2, 3]) expect((await fixture.ended(await begin(1))).status).toBe('completed')
    expect(await fixture.ended(poisonous)).toMatchObject({
      status: 'failed',
      error: 'The engine fell.',
      text: '',
      segments: [],
    })
    expect(await rowOf(poisonous)).toMatchObject({ tries: 3, claimed_by: null })
    expect(await database.query('SELECT 1 FROM transcript_notes')).toEqual([])
  })

  it('is aborted within about a second when it is deleted, and its audio is removed', async () => {
    fixture.engine.gate = new Promise(() => {})
    const id = await begin()
    await expect.poll(() => fixture.engine.underWay.now).toBe(1)
    const pcmFile = fixture.engine.jobs[0]?.sound.pcmFile ?? ''
    expect((await readFile(pcmFile)).length).toBe(32_000)
    await fixture.speak('DELETE', `/transcripts/${id}`)
    await expect.poll(() => fixture.engine.underWay.now).toBe(0)
    await expect.poll(() => readFile(pcmFile).catch(() => 'gone')).toBe('gone')
    expect(await fixture.stored()).toEqual([])
  })

  it('returns to the backlog when its process stops, without counting an attempt, and is completed by the next', async () => {
    fixture.engine.gate = new Promise(() => {})
    const id = await begin()
    await expect.poll(() => fixture.engine.underWay.now).toBe(1)
    await fixture.service.stop()
    expect(await rowOf(id)).toEqual({ status: 'queued', tries: 0, claimed_by: null })
    const engine = scriptedEngine()
    const next = await openService({ PARLEY_DATA_DIR: fixture.dataDir }, database, undefined, engine.open)
    const read = () => next.bare('GET', `/v1/transcripts/${id}`, { headers: { authorization: boundKey } })
    await expect.poll(async () => (await read()).body.data.status).toBe('completed')
    expect(engine.jobs[0]?.notes.get('heard')).toBe('1')
    await next.close()
    fixture = { ...fixture, close: async () => {} }
  })

  it('claimed without a due time is recovered if its claimant died, and left alone if it lives', async () => {
    const living = new pg.Client({ connectionString: database.url })
    await living.connect()
    // See platform/db/claim.ts.
    await living.query('SELECT pg_advisory_lock(72705, 1001)')
    const file_id = await fixture.fileOf(toneWav(1))
    // What a process of release 0.1 leaves behind.
    const claimedBy = async (claimant: number) =>
      (
        await database.query<{ transcript_id: string }>(
          `INSERT INTO transcripts (transcript_id, workspace_id, file_id, options, status, tries, claimed_by, due_at)
           VALUES (gen_random_uuid(), $1, $2, '{"diarize":false,"align":false,"keyterms":[]}', 'processing', 1, $3, NULL)
           RETURNING transcript_id`,
          [workspaceId, file_id, claimant],
        )
      )[0]?.transcript_id as string
    const held = await claimedBy(1001)
    const lost = await claimedBy(1002)
    expect(await fixture.ended(lost)).toMatchObject({ status: 'completed', text: 'one' })
    expect(await rowOf(lost)).toMatchObject({ tries: 2 })
    expect(await rowOf(held)).toEqual({ status: 'processing', tries: 1, claimed_by: 1001 })
    await living.end()
    expect(await fixture.ended(held)).toMatchObject({ status: 'completed' })
  })

  it('never exceeds the limit of its process, and workspaces take turns', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    fixture.engine.gate = first.promise
    const mine = [await begin(1), await begin(1), await begin(1), await begin(1)]
    await expect.poll(() => fixture.engine.jobs.filter(({ notes }) => notes.get('heard'))).toHaveLength(2)
    // Another workspace comes last, and is served before the rest of the backlog.
    const [file] = await database.query<{ file_id: string }>('SELECT file_id FROM speech_files LIMIT 1')
    await database.query(
      `INSERT INTO transcripts (transcript_id, workspace_id, file_id, options)
       VALUES (gen_random_uuid(), $1, $2, '{"diarize":false,"align":false,"keyterms":[]}')`,
      [otherWorkspace, file?.file_id],
    )
    fixture.engine.gate = second.promise
    first.resolve()
    await expect.poll(() => fixture.engine.jobs.length).toBe(4)
    const next = await database.query("SELECT workspace_id FROM transcripts WHERE status = 'processing'")
    expect(next).toContainEqual({ workspace_id: otherWorkspace })
    second.resolve()
    for (const id of mine) await fixture.ended(id)
    expect(fixture.engine.underWay.most).toBe(2)
  })
})

describe('a process that is killed', () => {
  const program = fileURLToPath(new URL('../support/speech/speech-process.ts', import.meta.url))
  let dataDir: string
  let own: TestDatabase
  let env: Record<string, string>
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-speech-'))
    own = await makeDatabase()
    env = {
      DATABASE_URL: own.url,
      PARLEY_SECRET: 'a secret for tests only',
      PARLEY_DATA_DIR: dataDir,
      PARLEY_WORKSPACE_API_KEY: boundKey,
      PARLEY_ROLES: 'speech',
      PARLEY_LOG_LEVEL: 'error',
    }
  })
  afterEach(async () => {
    await own.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const status = async () =>
    (
      await own.query<{ status: string; tries: number; error: string | null }>(
        'SELECT status, tries, error FROM transcripts',
      )
    )[0]

  const start = async (url: string) => {
    const headers = { authorization: boundKey, 'content-type': 'audio/wav' }
    const file = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(toneWav(2)) })
    const { data } = (await file.json()) as { data: { file_id: string } }
    const json = { authorization: boundKey, 'content-type': 'application/json' }
    await fetch(`${url}/v1/transcripts`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ file_id: data.file_id }),
    })
  }

  it('during a transcription leaves it to the next, which completes it', async () => {
    const first = await startProcess({ ...env, SPEECH_SCRIPT: 'hang' }, { program })
    await start(first.url)
    await expect.poll(status).toMatchObject({ status: 'processing' })
    await first.end('SIGKILL')
    expect(await status()).toMatchObject({ status: 'processing' })
    const second = await startProcess(env, { program })
    await expect.poll(status).toMatchObject({ status: 'completed', tries: 2 })
    await second.end()
    // The audio that the first left behind is removed too.
    expect(await readdir(join(dataDir, 'speech'))).toEqual([])
  })

  it('three times by one file causes that file to be given up, with the reason', async () => {
    const first = await startProcess({ ...env, SPEECH_SCRIPT: 'die' }, { program })
    await start(first.url)
    await first.ended
    for (const _ of [2, 3]) await (await startProcess({ ...env, SPEECH_SCRIPT: 'die' }, { program })).ended
    const last = await startProcess(env, { program })
    await expect.poll(status).toMatchObject({ status: 'failed', tries: 3 })
    expect((await status())?.error).toContain('died 3 times')
    await last.end()
  })
})
