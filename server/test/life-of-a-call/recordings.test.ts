// Recordings at their signed URLs, from a folder and from a real S3 server.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseWav } from '../../src/media/wav-parse.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { openFileStorage } from '../../src/platform/storage/file-storage.ts'
import { openS3Storage } from '../../src/platform/storage/s3-storage.ts'
import { recordingPruner } from '../../src/resources/calls/recordings/recording-store.ts'
import {
  type CallFixture,
  detailOf,
  eventsOf,
  newAgent,
  openCallFixture,
  placeCall,
  reaches,
} from '../support/call-fixture.ts'
import type { Step } from '../support/scripted-runner.ts'

let fixture: CallFixture
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  fixture = await openCallFixture()
})
afterEach(async () => {
  await fixture.close()
  for (const close of closing.splice(0).reverse()) await close()
})

const recorded: Step[] = [
  { type: 'status', status: 'in-progress' },
  { type: 'record', seconds: 3 },
]
const wavBytes = 44 + 3 * 32_000

/** One process with all roles, so that the recording is on the disk that it is served from. */
const serve = (env: Record<string, string> = {}) =>
  fixture.media({ PARLEY_ROLES: 'api,worker,media', ...env })

const recordedCall = async (env: Record<string, string> = {}) => {
  const service = await serve(env)
  const id = await placeCall(service, await newAgent(service), { script: recorded })
  const { recording } = await reaches(service, id, 'completed')
  return { service, id, url: recording.url as string, recording }
}
const heard = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

describe('a recording', () => {
  it('is served at the URL in the detail and in the event', async () => {
    const { service, id, url, recording } = await recordedCall({ PARLEY_RECORDING_URL_SECONDS: '3600' })
    expect(url.startsWith(`${service.url}/recordings/${id}?expires=`)).toBe(true)
    expect(Date.parse(recording.expiry) - Date.now()).toBeGreaterThan(3_500_000)
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(wavBytes),
      'content-disposition': `inline; filename="${id}.wav"`,
      'accept-ranges': 'bytes',
    })
    const { channels } = parseWav(new Uint8Array(await response.arrayBuffer()))
    expect([channels[0]?.[0], channels[1]?.[0], channels[0]?.at(-1)]).toEqual([1, -1, 150])
    await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
    const [event] = await eventsOf(fixture.database, id)
    expect((await heard(event.recording.url)).length).toBe(wavBytes)
  })

  it('is served in ranges; an unsatisfiable one is refused', async () => {
    const { url } = await recordedCall()
    const ask = async (headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(url, { headers, method })
      return {
        status: response.status,
        headers: response.headers,
        body: Buffer.from(await response.arrayBuffer()),
      }
    }
    const whole = await ask({})
    const etag = whole.headers.get('etag') ?? ''
    const part = await ask({ range: 'bytes=44-1043' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 44-1043/${wavBytes}`])
    expect(part.body).toEqual(whole.body.subarray(44, 1044))
    expect((await ask({ range: 'bytes=-100' })).body).toEqual(whole.body.subarray(-100))
    const beyond = await ask({ range: `bytes=${wavBytes}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${wavBytes}`])
    expect((await ask({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    expect((await ask({ range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200)
    expect((await ask({ 'if-none-match': etag })).status).toBe(304)
    const head = await ask({}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.body.length]).toEqual([
      200,
      String(wavBytes),
      0,
    ])
  })

  it('is not served at a URL that is forged, of another call, truncated or expired', async () => {
    const { service, url, id } = await recordedCall({ PARLEY_RECORDING_URL_SECONDS: '1' })
    const other = '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60'
    const forged = new URL(url)
    forged.searchParams.set('expires', String(Number(forged.searchParams.get('expires')) + 9_999))
    const addresses = [
      forged.href,
      url.replace(id, other),
      url.slice(0, -1),
      `${service.url}/recordings/${id}`,
      `${service.url}/recordings/nonsense?expires=1&signature=x`,
      url.replace(/signature=.*/, 'signature='),
    ]
    for (const address of addresses) {
      const response = await fetch(address)
      expect([address, response.status]).toEqual([address, 403])
      expect(await response.json()).toMatchObject({ code: 'RECORDING_LINK_INVALID' })
    }
    await expect.poll(async () => (await fetch(url)).status).toBe(403)
    expect((await fetch((await detailOf(service, id)).recording.url)).status).toBe(200)
  })

  it('is deleted when its retention ends, and the call says so', async () => {
    const { service, id, url } = await recordedCall()
    await fixture.database.query("UPDATE calls SET created_at = now() - interval '2 days'")
    const db = openDb({ connectionString: fixture.database.url }, 1, () => {})
    await recordingPruner(db, await openFileStorage(join(service.dataDir, 'recordings')), 1)()
    await db.close()
    expect((await detailOf(service, id)).recording).toEqual({ url: null, expiry: null })
    const response = await fetch(url)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'RECORDING_NOT_FOUND' })
  })

  it('has a URL that begins with the configured public address', async () => {
    const { url, id } = await recordedCall({ PARLEY_PUBLIC_URL: 'https://voice.example.com/parley/' })
    expect(url.startsWith(`https://voice.example.com/parley/recordings/${id}?`)).toBe(true)
  })
})

describe('in an S3-compatible store', () => {
  /** The same bucket, across restarts of the server. */
  const openStore = async (directory: string, port = 0) => {
    const server = new S3rver({
      port,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: 'parley', configs: [] }],
    })
    const { port: at } = await server.run()
    return { server, port: at }
  }
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'parley-s3-'))
    closing.push(() => rm(made, { recursive: true, force: true }))
    return made
  }
  const settings = (port: number) => ({
    PARLEY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    PARLEY_S3_BUCKET: 'parley',
    PARLEY_S3_ACCESS_KEY_ID: 'S3RVER',
    PARLEY_S3_SECRET_ACCESS_KEY: 'S3RVER',
  })
  const localFiles = (dataDir: string) => readdir(join(dataDir, 'recordings'))

  it('a recording is stored there and not on disk, and served by us, in ranges too', async () => {
    const { server, port } = await openStore(await folder())
    closing.push(() => server.close())
    const { service, url, id } = await recordedCall(settings(port))
    expect((await heard(url)).length).toBe(wavBytes)
    await expect.poll(() => localFiles(service.dataDir)).toEqual([])
    const whole = await heard(url)
    expect(whole.length).toBe(wavBytes)
    const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(1_000, 2_000))
    const storage = openS3Storage({
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'parley',
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      prefix: 'recordings/',
    })
    expect((await storage.stat(`${id}.wav`))?.bytes).toBe(wavBytes)
    await storage.remove(`${id}.wav`)
    await storage.remove(`${id}.wav`)
    storage.close()
    expect((await fetch(url)).status).toBe(404)
  })

  it('while the store is down the recording stays on disk, and is uploaded when it is back, also after a restart', async () => {
    const directory = await folder()
    const { server, port } = await openStore(directory)
    await server.close()
    const dataDir = await folder()
    const env = { ...settings(port), PARLEY_DATA_DIR: dataDir }
    const { service, id } = await recordedCall(env)
    await expect.poll(() => service.log.some((line) => line.includes('recording not uploaded'))).toBe(true)
    expect(await localFiles(dataDir)).toEqual([`${id}.wav`])
    await service.close()
    const back = await openStore(directory, port)
    closing.push(() => back.server.close())
    const again = await serve(env)
    await expect.poll(() => localFiles(dataDir)).toEqual([])
    expect((await heard((await detailOf(again, id)).recording.url)).length).toBe(wavBytes)
  })
})
