// Recordings from URLs, translation by a language model, transcription by a server: each over real HTTP on loopback.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, openModelServer } from '../props/servers/model-server.ts'
import { openTranscriptionServer } from '../props/servers/transcription-server.ts'
import { asynchronousVendors } from '../props/transcription-vendors/asynchronous.ts'
import { openLoopback } from '../props/transcription-vendors/fixture.ts'
import { boundKey, openService } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
let shop: Server
let at: string
let mind: ModelServer
const visits: string[] = []

beforeAll(async () => {
  shop = createServer((request, response) => {
    visits.push(request.url ?? '')
    if (request.url === '/tone.wav') response.end(toneWav(2))
    else if (request.url === '/list.m3u8') response.end(`#EXTM3U\n#EXTINF:2,\n${at}/tone.wav\n`)
    else if (request.url === '/moved') response.writeHead(302, { location: '/tone.wav' }).end()
    else if (request.url === '/large') response.end(toneWav(60))
    else if (request.url === '/endless') {
      response.writeHead(200, { 'transfer-encoding': 'chunked' })
      const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more)
      response.on('drain', more)
      more()
    } else if (request.url === '/page') response.end('<!doctype html><p>Not here.</p>')
    else response.writeHead(404).end()
  })
  await new Promise<void>((ready) => shop.listen(0, '127.0.0.1', ready))
  at = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  mind = await openModelServer()
  fixture = await openTranscriptionFixture({
    PARLEY_TRUSTED_HOSTS: new URL(at).host,
    PARLEY_UPLOAD_MAX_MB: '1',
    PARLEY_LLM_BASE_URL: mind.baseUrl,
    PARLEY_LLM_MODEL: 'small-model',
  })
})
afterAll(async () => {
  await fixture.close()
  await mind.close()
  shop.closeAllConnections()
  await new Promise((done) => shop.close(done))
})

const now = async (wish: object) =>
  (await fixture.speak('POST', '/transcripts/sync', { body: wish })).body.data

describe('a URL', () => {
  it('is fetched, transcribed and not stored', async () => {
    const transcript = await now({ audio_url: `${at}/tone.wav` })
    expect(transcript).toMatchObject({ status: 'completed', text: 'one two', file_id: null })
    expect(await fixture.stored()).toEqual([])
  })

  it.each([
    ['/moved', 'answered 302; redirects are not followed'],
    ['/list.m3u8', 'a playlist, which only names other files'],
    ['/absent', 'answered 404'],
    ['/large', 'larger than 1 MB'],
    ['/endless', 'larger than 1 MB'],
    ['/page', 'description of other files|not a recording'],
  ])('%s fails with the reason, at once', async (path, reason) => {
    const before = visits.length
    const transcript = await now({ audio_url: at + path })
    expect(transcript).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) })
    expect(visits.slice(before)).toEqual([path])
  })
})

describe('a translation', () => {
  it('has a text for every segment', async () => {
    mind.answers.push({ words: ['```json\n{"0":"eins",', '"1":"zwei"}\n```'] })
    const { file_id } = (await fixture.upload(toneWav(2))).body.data
    const transcript = await now({ file_id, translate_to: 'de' })
    expect(transcript).toMatchObject({
      status: 'completed',
      text: 'one two',
      translation: {
        language: 'de',
        text: 'eins zwei',
        segments: [
          { id: 0, text: 'eins' },
          { id: 1, text: 'zwei' },
        ],
      },
    })
    expect(mind.asked[0]?.body).toMatchObject({ model: 'small-model' })
  })

  it('that fails is retried alone: the audio is not transcribed again', async () => {
    mind.answers.splice(0)
    mind.answers.push({ status: 400, body: { error: { message: 'not today' } } }, { words: ['{"0":"eins"}'] })
    const { file_id } = (await fixture.upload(toneWav(1))).body.data
    const before = fixture.engine.jobs.length
    expect(await now({ file_id, translate_to: 'de' })).toMatchObject({
      status: 'completed',
      translation: { text: 'eins' },
    })
    expect(fixture.engine.jobs.length - before).toBe(1)
  })

  it('that fails for good leaves the transcript completed, with the reason', async () => {
    mind.answers.splice(0)
    mind.answers.push({ status: 400, body: { error: { message: 'not today' } } })
    const { file_id } = (await fixture.upload(toneWav(2))).body.data
    const [jobs, asked] = [fixture.engine.jobs.length, mind.asked.length]
    const transcript = await now({ file_id, translate_to: 'de' })
    expect(transcript).toMatchObject({
      status: 'completed',
      progress: 1,
      text: 'one two',
      segments: [{ text: 'one' }, { text: 'two' }],
      duration: 2,
      translation: null,
      error: expect.stringMatching(/^The translation failed: .*not today/),
    })
    expect(fixture.engine.jobs.length - jobs).toBe(1)
    expect(mind.asked.length - asked).toBe(3)
    const text = await fixture.speak('GET', `/transcripts/${transcript.transcript_id}?format=text`)
    expect(text.text).toContain('one')
  })

  it('into the language of the recording makes no request', async () => {
    const before = mind.asked.length
    const { file_id } = (await fixture.upload(toneWav(1))).body.data
    expect((await now({ file_id, translate_to: 'en-GB' })).translation).toMatchObject({ text: 'one' })
    expect(mind.asked.length).toBe(before)
  })
})

describe('a transcription server', () => {
  it('is used if configured, and unsupported options are refused by name', async () => {
    const server = await openTranscriptionServer('Heard elsewhere.')
    const service = await openService({ PARLEY_STT_BASE_URL: server.url, PARLEY_STT_API_KEY: 'sk-operator' })
    const headers = { authorization: boundKey }
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(toneWav(2))]))
    const response = await fetch(`${service.url}/v1/transcripts/sync`, {
      method: 'POST',
      headers,
      body: form,
    })
    expect(await response.json()).toMatchObject({
      data: {
        status: 'completed',
        language: 'en',
        text: 'Heard elsewhere.',
        segments: [{ start: 0, end: 2 }],
      },
    })
    const wish = { file_id: '99999999-9999-4999-8999-999999999999', diarize: true }
    const { body } = await service.bare('POST', '/v1/transcripts', { headers, body: wish })
    expect(body.details[0]).toMatchObject({ path: 'diarize', message: expect.stringContaining('whisper-1') })
    expect(server.keys).toEqual(['Bearer sk-operator'])
    await service.close()
    await server.close()
  })

  it('may be a vendor with asynchronous jobs', async () => {
    const vendor = await openLoopback()
    vendor.script = asynchronousVendors.assembly.spoken
    const service = await openService({
      PARLEY_STT_PROTOCOL: 'assembly',
      PARLEY_STT_BASE_URL: vendor.server.baseUrl,
      PARLEY_STT_API_KEY: 'sk-test-key',
    })
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(toneWav(2))]))
    form.set('diarize', 'true')
    const response = await fetch(`${service.url}/v1/transcripts/sync`, {
      method: 'POST',
      headers: { authorization: boundKey },
      body: form,
    })
    expect(await response.json()).toMatchObject({
      data: {
        status: 'completed',
        language: 'en',
        segments: [
          { text: 'Hello there.', speaker: 'SPEAKER_00' },
          { text: 'Good bye.', speaker: 'SPEAKER_01' },
        ],
      },
    })
    expect(vendor.received.map(({ headers }) => headers.authorization)).toContain('sk-test-key')
    await service.close()
    await vendor.close()
  })
})

describe('an S3-compatible store', () => {
  it('stores files instead of the disk, until they are deleted', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-s3-'))
    const store = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: 'parley', configs: [] }],
    })
    const { port } = await store.run()
    const remote = await openTranscriptionFixture({
      PARLEY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      PARLEY_S3_BUCKET: 'parley',
      PARLEY_S3_ACCESS_KEY_ID: 'S3RVER',
      PARLEY_S3_SECRET_ACCESS_KEY: 'S3RVER',
    })
    const kept = async () =>
      (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('_object'))
    const { body } = await remote.form('/transcripts/sync', toneWav(2))
    expect(body.data).toMatchObject({ status: 'completed', text: 'one two' })
    expect(await kept()).toEqual([expect.stringContaining(`recordings/uploads/${body.data.file_id}`)])
    await remote.speak('DELETE', `/transcripts/${body.data.transcript_id}`)
    expect(await kept()).toEqual([])
    await remote.close()
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })
})
