// Kept speech on real storage and a real database: shared, bounded, never half, and made when an agent is written.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clausesOf } from '../../src/call/think/clauses.ts'
import { openClaimant } from '../../src/platform/db/claim.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { openVault } from '../../src/platform/secrets.ts'
import { openFileStorage } from '../../src/platform/storage/file-storage.ts'
import { openS3Storage } from '../../src/platform/storage/s3-storage.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { planOf } from '../../src/resources/calls/plan/plan-call.ts'
import { openSpeechCache } from '../../src/resources/speech-cache/speech-cache.ts'
import { startWarmUps } from '../../src/resources/speech-cache/work.ts'
import { cachedVoice } from '../../src/speech/cache/cached-voice.ts'
import { keptSentencesOf } from '../../src/speech/cache/kept-sentences.ts'
import { openAheadSpeaker } from '../../src/speech/cache/speak-ahead.ts'
import { encodeSpeech } from '../../src/speech/cache/speech-file.ts'
import { speaks as cartesia } from '../../src/vendors/cartesia/speaks.ts'
import { openCartesiaTts } from '../props/vendors/cartesia-tts.ts'
import { vendorCall } from '../props/vendors/vendor-call.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

const log = pino({ level: 'silent' })
const key = (digit: string) => digit.repeat(64)
const file = (samples: number) => encodeSpeech({ words: [], samples: new Int16Array(samples).fill(7) })

let database: TestDatabase
let db: Db
let folder: string
const closing: (() => unknown)[] = []
beforeEach(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, 4, () => {})
  folder = await mkdtemp(join(tmpdir(), 'parley-speech-'))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await db.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const workspace = async (): Promise<string> => {
  const [row] = await database.query<{ id: string }>(
    "INSERT INTO workspaces (workspace_id, name) VALUES ($1, 'w') RETURNING workspace_id AS id",
    [randomUUID()],
  )
  return row?.id ?? ''
}

const open = async (storage: Storage, mostBytes = 1_000_000) => {
  const looked: string[] = []
  const onLookup = (result: string) => void looked.push(result)
  return { looked, ...(await openSpeechCache({ db, log, storage, folder, mostBytes, onLookup })) }
}

async function openS3(): Promise<Storage> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'parley', configs: [] }],
  })
  const { port } = await server.run()
  closing.push(() => server.close())
  const storage = openS3Storage({
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'parley',
    region: 'us-east-1',
    prefix: 'speech-cache/',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  })
  closing.push(() => storage.close())
  return storage
}

describe.each([
  ['a folder', () => openFileStorage(folder)],
  ['an S3-compatible store', openS3],
])('kept speech in %s', (_, openStorage) => {
  it('is there for every process of the installation, and for its own workspace only', async () => {
    const storage = await openStorage()
    const [ours, theirs] = [await workspace(), await workspace()]
    await (await open(storage)).put(ours, key('a'), file(100))
    const other = await open(storage)
    const found = await other.find({ workspaceId: ours, keys: [key('a'), key('b')] })
    expect([...found.keys()]).toEqual([key('a')])
    expect(Buffer.from(found.get(key('a')) ?? [])).toEqual(file(100))
    expect(other.looked).toEqual(['hit', 'miss'])
    expect((await other.find({ workspaceId: theirs, keys: [key('a')] })).size).toBe(0)
  })

  it('is bounded: what was used least recently goes, from storage too', async () => {
    const storage = await openStorage()
    const workspaceId = await workspace()
    const cache = await open(storage, 5 * file(1_000).length)
    for (const digit of '1234567') await cache.put(workspaceId, key(digit), file(1_000))
    await database.query("UPDATE cached_speech SET used_at = now() - interval '1 day'")
    await database.query(
      "UPDATE cached_speech SET used_at = now() - interval '2 days' WHERE key IN ($1, $2)",
      [Buffer.from(key('2'), 'hex'), Buffer.from(key('3'), 'hex')],
    )
    expect(await cache.evict()).toBe(false)
    const keys = [...'1234567'].map(key)
    const left = await cache.find({ workspaceId, keys })
    expect([...left.keys()].toSorted()).toEqual([...'14567'].map(key))
    expect(await storage.stat(`${workspaceId}-${key('2')}`)).toBeUndefined()
    // A lookup counts as a use.
    const used = await database.query(
      "SELECT key FROM cached_speech WHERE used_at > now() - interval '1 minute'",
    )
    expect(used).toHaveLength(5)
  })

  it('is never played from a file that is not whole, and is made again', async () => {
    const storage = await openStorage()
    const workspaceId = await workspace()
    const cache = await open(storage)
    await cache.put(workspaceId, key('a'), file(1_000))
    const half = join(folder, 'half')
    await writeFile(half, file(1_000).subarray(0, 500))
    await storage.take(`${workspaceId}-${key('a')}`, half)
    const fresh = await open(storage)
    expect((await fresh.find({ workspaceId, keys: [key('a')] })).size).toBe(0)
    expect((await fresh.known({ workspaceId, keys: [key('a')] })).size).toBe(0)
    await fresh.put(workspaceId, key('a'), file(1_000))
    expect((await fresh.find({ workspaceId, keys: [key('a')] })).size).toBe(1)
  })
})

it('what a process left behind when it died is not played, and makes room in its turn', async () => {
  const storage = await openFileStorage(folder)
  const workspaceId = await workspace()
  await database.query('INSERT INTO cached_speech (workspace_id, key, bytes) VALUES ($1, $2, 100)', [
    workspaceId,
    Buffer.from(key('a'), 'hex'),
  ])
  const cache = await open(storage, 0)
  expect((await cache.find({ workspaceId, keys: [key('a')] })).size).toBe(0)
  await cache.evict()
  expect(await database.query('SELECT key FROM cached_speech')).toEqual([])
})

it('speech of a workspace that is gone goes too', async () => {
  const storage = await openFileStorage(folder)
  const cache = await open(storage)
  await cache.put(randomUUID(), key('a'), file(10))
  await cache.evict()
  expect(await readdir(folder)).toEqual([])
})

const callOf = (workspaceId: string, agentId: string) => ({
  sessionId: randomUUID(),
  workspaceId,
  agentId,
  callType: 'inbound' as const,
  to: null,
  from: null,
  provider: null,
  number: null,
  variables: {},
  metadata: null,
})

describe('an agent with a vendor’s voice', () => {
  const apiKey = 'secret-of-the-vendor'
  const config = {
    agent_name: 'Ada',
    llm_agent: {},
    agent_welcome_message: 'Good morning. How may I help you today?',
    task_config: { call_hangup_message: 'Good-bye, {name}.' },
    synthesizer: { provider: 'cartesia', provider_config: { voice: 'katie' }, caching: true },
  }

  const setUp = async () => {
    const vendor = await openCartesiaTts(apiKey)
    const account = { credentials: { apiKey }, baseUrl: vendor.baseUrl }
    const cache = await open(await openFileStorage(folder))
    const claimant = await openClaimant({ connectionString: database.url }, () => {})
    const jobs = new Jobs({ db, log, claimant })
    closing.push(
      () => vendor.close(),
      () => claimant.close(),
      () => jobs.stop(),
    )
    const speaker = openAheadSpeaker({ vendorAccounts: { cartesia: account }, trustedHosts: [] })
    await startWarmUps(openVault('a secret for tests only'), jobs, cache, speaker.speak)
    closing.unshift(() => speaker.close())
    const workspaceId = await workspace()
    const agentId = randomUUID()
    const write = (agent: object) =>
      database.query(
        `INSERT INTO agents (agent_id, workspace_id, status, config) VALUES ($1, $2, 'active', $3)
         ON CONFLICT (agent_id) DO UPDATE SET config = excluded.config`,
        [agentId, workspaceId, JSON.stringify(agent)],
      )
    const warmed = () =>
      expect
        .poll(() => database.query('SELECT due_at, error, claimed_by FROM speech_warm_ups'))
        .toEqual([{ due_at: null, error: null, claimed_by: null }])
    return { vendor, account, cache, workspaceId, agentId, write, warmed }
  }

  it('has its sentences spoken when it is written, and none with variables', async () => {
    const { vendor, write, warmed } = await setUp()
    await write(config)
    await warmed()
    const said = vendor.texts.map((text) => text.trim())
    expect(said.slice(0, 2)).toEqual(['Good morning.', 'How may I help you today?'])
    expect(said.join()).not.toContain('Good-bye')
    // Written again, nothing is spoken twice.
    await write({ ...config, agent_welcome_message: 'Good evening.' })
    await expect.poll(() => vendor.texts.at(-1)?.trim()).toBe('Good evening.')
    await warmed()
    expect(vendor.texts).toHaveLength(said.length + 1)
  })

  it('greets without its vendor, and what it played cost nothing', async () => {
    const { vendor, account, cache, workspaceId, agentId, write, warmed } = await setUp()
    await write(config)
    await warmed()
    const spoken = vendor.texts.length
    vendor.fault = { is: 'refuse', status: 503 }
    const agent = AgentConfig.parse(config)
    const plan = planOf(agent, { ...callOf(workspaceId, agentId) }, new Date())
    const engine = cartesia.open(account)
    // On a crowded machine even a file of this machine takes long to be found.
    const patienceMs = 60_000
    const vendorOfCall = { name: 'cartesia', baseUrl: account.baseUrl }
    const find = keptSentencesOf(plan, vendorOfCall, cache, clausesOf, patienceMs)
    const call = vendorCall({
      agent,
      parts: { synthesizer: cachedVoice(engine, find), voice: 'katie' },
    })
    await call.call.answer()
    await call.until(() => call.heard.at(-1) === 'today?')
    expect(call.heard.join(' ')).toBe(config.agent_welcome_message)
    await call.stop()
    expect(call.call.outcome?.usage).toMatchObject({ ttsCharacters: 0, ttsCachedCharacters: 38 })
    expect(vendor.texts).toHaveLength(spoken)
  })

  it('synthesizer.caching: one that wants nothing kept has nothing spoken ahead', async () => {
    const { write } = await setUp()
    await write({ ...config, synthesizer: { ...config.synthesizer, caching: false } })
    expect(await database.query('SELECT agent_id FROM speech_warm_ups')).toEqual([])
  })

  it('whose vendor refuses is tried again, with the reason kept', async () => {
    const { vendor, write, warmed } = await setUp()
    vendor.fault = { is: 'refuse', status: 429 }
    await write(config)
    await expect.poll(() => vendor.asked.length).toBeGreaterThan(0)
    vendor.fault = undefined
    await database.query('UPDATE speech_warm_ups SET due_at = now() WHERE claimed_by IS NULL')
    await warmed()
    expect(vendor.texts[0]?.trim()).toBe('Good morning.')
  })
})
