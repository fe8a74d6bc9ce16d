// The speech-to-text interface: who may come in, what goes in, what comes out, and that it is gone when deleted.
import { createHmac } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from './support/receiver.ts'
import { boundKey, unboundKey } from './support/service.ts'
import { toneWav } from './support/speech/sounds.ts'
import { openSpeechStage, type SpeechStage } from './support/speech/stage.ts'

const stranger = '99999999-9999-4999-8999-999999999999'

let stage: SpeechStage
let outside: Receiver
beforeAll(async () => {
  outside = await openReceiver()
  stage = await openSpeechStage({
    PARLEY_UPLOAD_MAX_MB: '1',
    PARLEY_TRUSTED_HOSTS: new URL(outside.url).host,
    PARLEY_WEBHOOK_BACKOFF_SECONDS: '0.05',
  })
})
afterAll(async () => {
  await stage.close()
  await outside.close()
})

describe('the key', () => {
  const ask = (headers: Record<string, string>) => stage.bare('GET', '/v1/transcripts', { headers })

  it.each([
    ['none', {}, 'API_KEY_MISSING'],
    ['a Bearer scheme', { authorization: `Bearer ${boundKey}` }, 'BEARER_NOT_SUPPORTED'],
    ['a wrong one', { authorization: 'svc_wrong' }, 'API_KEY_INVALID'],
    ['one in another header', { 'x-api-key': boundKey }, 'API_KEY_MISSING'],
    [
      'a Bearer scheme beside a good one',
      { authorization: `bearer ${boundKey}`, 'x-api-key': boundKey },
      'BEARER_NOT_SUPPORTED',
    ],
  ])('refuses %s with 401', async (_name, headers, code) => {
    const { status, body } = await ask(headers)
    expect([status, body.code]).toEqual([401, code])
  })

  it('is taken raw, and brings its workspace along, bound or not', async () => {
    expect((await ask({ authorization: boundKey })).status).toBe(200)
    expect((await ask({ authorization: unboundKey })).status).toBe(200)
  })

  it('is asked for before a byte of a file is read, and at addresses that do not exist', async () => {
    const response = await fetch(`${stage.url}/v1/files`, { method: 'POST', body: 'x' })
    expect(response.status).toBe(401)
    expect((await stage.bare('GET', '/v1/nowhere')).status).toBe(401)
    expect((await stage.speak('GET', '/nowhere')).body.code).toBe('ROUTE_NOT_FOUND')
  })

  it('needs no other header, and minds none', async () => {
    const headers = { 'x-workspace-id': stranger, 'idempotency-key': 'x' }
    expect((await stage.speak('GET', '/transcripts', { headers })).status).toBe(200)
  })
})

describe('a file', () => {
  it('comes as a raw body, and says what it is', async () => {
    const { status, body } = await stage.upload(toneWav(1.5), 'application/octet-stream')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ filename: null, bytes: 48_044, media_type: 'audio/wav', duration: 1.5 })
    expect(Date.parse(body.data.expires_at) - Date.parse(body.data.created_at)).toBe(7 * 86_400_000)
    const read = await stage.speak('GET', `/files/${body.data.file_id}`)
    expect(read.body).toEqual(body)
  })

  it('comes in a form, and keeps its name', async () => {
    const { status, body } = await stage.form('/files', toneWav(1))
    expect(status).toBe(201)
    expect(body.data.filename).toBe('sound.bin')
  })

  it('is refused when it is too large, in a form and raw, and leaves nothing behind', async () => {
    const before = await stage.stored()
    for (const reply of [await stage.upload(toneWav(60)), await stage.form('/files', toneWav(60))]) {
      expect([reply.status, reply.body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
      expect(reply.body.message).toContain('1 MB')
    }
    expect(await stage.stored()).toEqual(before)
  })

  it('is missed in a form without one, and in JSON', async () => {
    const form = await stage.form('/files', undefined, { language: 'en' })
    expect([form.status, form.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    const json = await stage.speak('POST', '/files', { body: {} })
    expect([json.status, json.body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
  })

  it('is gone from disk and database when it is deleted', async () => {
    const fileId = await stage.fileOf(toneWav(1))
    expect(await stage.stored()).toContain(fileId)
    const { status, body } = await stage.speak('DELETE', `/files/${fileId}`)
    expect([status, body.data]).toEqual([200, { file_id: fileId, deleted: true }])
    expect(await stage.stored()).not.toContain(fileId)
    expect(await stage.database.query('SELECT 1 FROM speech_files WHERE file_id = $1', [fileId])).toEqual([])
    expect((await stage.speak('GET', `/files/${fileId}`)).body.code).toBe('FILE_NOT_FOUND')
    expect((await stage.speak('DELETE', `/files/${fileId}`)).status).toBe(404)
  })

  it('goes by itself when it has expired', async () => {
    const fileId = await stage.fileOf(toneWav(1))
    await stage.database.query('UPDATE speech_files SET expires_at = now() WHERE file_id = $1', [fileId])
    expect((await stage.speak('GET', `/files/${fileId}`)).status).toBe(404)
    const wish = await stage.speak('POST', '/transcripts', { body: { file_id: fileId } })
    expect([wish.status, wish.body.code]).toEqual([404, 'FILE_NOT_FOUND'])
    // Deleting any other file sweeps.
    await stage.speak('DELETE', `/files/${await stage.fileOf(toneWav(1))}`)
    expect(await stage.stored()).not.toContain(fileId)
  })
})

describe('an upload that breaks off', () => {
  it.each([
    ['raw', 'content-type: audio/wav'],
    ['in a form', 'content-type: multipart/form-data; boundary=b'],
  ])('%s leaves nothing behind', async (_name, type) => {
    const incoming = join(stage.dataDir, 'uploads', 'incoming')
    const socket = connect(Number(new URL(stage.url).port), '127.0.0.1')
    const begin = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
    socket.write(
      `POST /v1/files HTTP/1.1\r\nhost: x\r\nauthorization: ${boundKey}\r\n${type}\r\ncontent-length: 900000\r\n\r\n`,
    )
    socket.write(Buffer.concat([Buffer.from(type.includes('multipart') ? begin : ''), Buffer.alloc(100_000)]))
    await expect.poll(async () => (await readdir(incoming)).length).toBe(1)
    socket.destroy()
    await expect.poll(() => readdir(incoming)).toEqual([])
    expect(stage.log.filter((line) => line.includes('request failed'))).toEqual([])
  })
})

describe('a transcript', () => {
  it('is made in the background from a file, with everything that was asked for', async () => {
    const file_id = await stage.fileOf(toneWav(3))
    const wish = { file_id, diarize: true, num_speakers: 2, align: true, metadata: { order: 7 } }
    const { status, body } = await stage.speak('POST', '/transcripts', { body: wish })
    expect([status, body.data.status]).toEqual([202, 'queued'])
    const transcript = await stage.ended(body.data.transcript_id)
    expect(transcript).toMatchObject({
      status: 'completed',
      progress: 1,
      file_id,
      language: 'en',
      language_confidence: 0.9,
      duration: 3,
      text: 'one two three',
      speakers: [
        { speaker: 'SPEAKER_00', talk_time: 1 },
        { speaker: 'SPEAKER_01', talk_time: 0.5 },
      ],
      translation: null,
      error: null,
      metadata: { order: 7 },
    })
    expect(transcript.segments[1]).toEqual({
      id: 1,
      start: 1,
      end: 1.5,
      speaker: 'SPEAKER_01',
      text: 'two',
      confidence: 0.8,
      words: [{ word: 'two', start: 1, end: 1.5, confidence: 0.8, speaker: 'SPEAKER_01' }],
    })
    expect(stage.engine.jobs.at(-1)?.wishes).toEqual({
      diarize: { minSpeakers: 2, maxSpeakers: 2 },
      align: true,
      keyterms: [],
    })
  })

  it('is waited for, from JSON', async () => {
    const { status, body } = await stage.speak('POST', '/transcripts/sync', {
      body: { file_id: await stage.fileOf(toneWav(2)), language: 'en-US', keyterms: ['Parley'] },
    })
    expect([status, body.data.status, body.data.text]).toEqual([200, 'completed', 'one two'])
    expect(stage.engine.jobs.at(-1)?.wishes).toEqual({ language: 'en', align: false, keyterms: ['Parley'] })
  })

  it('is waited for, from a form with the file and the same fields', async () => {
    const { status, body } = await stage.form('/transcripts/sync', toneWav(2), {
      diarize: 'true',
      max_speakers: '3',
      keyterms: '["Ada","Grace"]',
      metadata: '{"a":1}',
    })
    expect([status, body.data.text, body.data.metadata]).toEqual([200, 'one two', { a: 1 }])
    expect(stage.engine.jobs.at(-1)?.wishes).toEqual({
      diarize: { minSpeakers: 1, maxSpeakers: 3 },
      align: false,
      keyterms: ['Ada', 'Grace'],
    })
  })

  it('is read as text, SubRip and WebVTT', async () => {
    const { body } = await stage.form('/transcripts/sync', toneWav(2), { diarize: 'true' })
    const read = async (format: string) => {
      const { headers, text } = await stage.speak(
        'GET',
        `/transcripts/${body.data.transcript_id}?format=${format}`,
      )
      return [headers.get('content-type'), text]
    }
    expect(await read('text')).toEqual(['text/plain; charset=utf-8', 'SPEAKER_00: one\nSPEAKER_01: two\n'])
    expect(await read('srt')).toEqual([
      'application/x-subrip; charset=utf-8',
      '1\n00:00:00,000 --> 00:00:00,500\nSPEAKER_00: one\n\n2\n00:00:01,000 --> 00:00:01,500\nSPEAKER_01: two\n\n',
    ])
    expect(await read('vtt')).toEqual([
      'text/vtt; charset=utf-8',
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.500\n<v SPEAKER_00>one\n\n00:00:01.000 --> 00:00:01.500\n<v SPEAKER_01>two\n\n',
    ])
    expect((await stage.speak('GET', `/transcripts/${body.data.transcript_id}?format=docx`)).status).toBe(400)
  })

  it('shows its progress, and has no text before its time', async () => {
    const open = Promise.withResolvers<void>()
    stage.engine.gate = open.promise
    const file_id = await stage.fileOf(toneWav(2))
    const { body } = await stage.speak('POST', '/transcripts', { body: { file_id } })
    const path = `/transcripts/${body.data.transcript_id}`
    await expect
      .poll(async () => (await stage.speak('GET', path)).body.data.progress, { timeout: 5_000 })
      .toBeGreaterThan(0.4)
    const { data } = (await stage.speak('GET', path)).body
    expect(data).toMatchObject({ status: 'processing', text: '', segments: [], completed_at: null })
    expect((await stage.speak('GET', `${path}?format=srt`)).body.code).toBe('TRANSCRIPT_NOT_READY')
    const inUse = await stage.speak('DELETE', `/files/${file_id}`)
    expect([inUse.status, inUse.body.code]).toEqual([400, 'RESOURCE_IN_USE'])
    open.resolve()
    expect((await stage.ended(body.data.transcript_id)).status).toBe('completed')
  })

  it('is listed without its words, newest first, by status', async () => {
    const { body } = await stage.speak('GET', '/transcripts?limit=2&status=completed')
    expect(body.data.data).toHaveLength(2)
    expect(body.data.data[0]).not.toHaveProperty('segments')
    expect(body.data.data[0].created_at > body.data.data[1].created_at).toBe(true)
    expect(body.data.pagination).toMatchObject({ page: 1, limit: 2, has_next_page: true })
    expect((await stage.speak('GET', '/transcripts?status=failed')).body.data.data).toEqual([])
  })

  it('takes the file with it when it is deleted, unless another needs that', async () => {
    const file_id = await stage.fileOf(toneWav(1))
    const make = async () =>
      (await stage.speak('POST', '/transcripts/sync', { body: { file_id } })).body.data.transcript_id
    const [first, second] = [await make(), await make()]
    await stage.speak('DELETE', `/transcripts/${first}`)
    expect(await stage.stored()).toContain(file_id)
    const gone = await stage.speak('DELETE', `/transcripts/${second}`)
    expect([gone.status, gone.body.data]).toEqual([200, { transcript_id: second, deleted: true }])
    expect(await stage.stored()).not.toContain(file_id)
    expect((await stage.speak('GET', `/transcripts/${second}`)).body.code).toBe('TRANSCRIPT_NOT_FOUND')
    const rows = await stage.database.query(
      'SELECT 1 FROM transcripts WHERE transcript_id = ANY($1::uuid[])',
      [[first, second]],
    )
    expect(rows).toEqual([])
  })

  it('of another workspace does not exist', async () => {
    const { body } = await stage.form('/transcripts/sync', toneWav(1))
    await stage.database.query('UPDATE transcripts SET workspace_id = $2 WHERE transcript_id = $1', [
      body.data.transcript_id,
      stranger,
    ])
    const { status, body: refused } = await stage.speak('GET', `/transcripts/${body.data.transcript_id}`)
    expect([status, refused.code]).toEqual([404, 'TRANSCRIPT_NOT_FOUND'])
  })
})

describe('what cannot be', () => {
  const refusalOf = async (wish: object) => {
    const { status, body } = await stage.speak('POST', '/transcripts', { body: wish })
    return [status, body.code, body.details[0]?.path]
  }

  it.each([
    ['no recording', {}, 'VALIDATION_ERROR', 'file_id'],
    [
      'two recordings',
      { file_id: stranger, audio_url: 'https://example.com/a.mp3' },
      'VALIDATION_ERROR',
      'file_id',
    ],
    ['an unknown option', { file_id: stranger, colour: 'red' }, 'VALIDATION_ERROR', 'colour'],
    [
      'a language that is no code',
      { file_id: stranger, language: 'english, please' },
      'VALIDATION_ERROR',
      'language',
    ],
    ['speakers without diarize', { file_id: stranger, num_speakers: 2 }, 'VALIDATION_ERROR', 'num_speakers'],
    [
      'speakers said twice',
      { file_id: stranger, diarize: true, num_speakers: 2, max_speakers: 3 },
      'VALIDATION_ERROR',
      'num_speakers',
    ],
    [
      'fewer than there are at least',
      { file_id: stranger, diarize: true, min_speakers: 3, max_speakers: 2 },
      'VALIDATION_ERROR',
      'min_speakers',
    ],
    [
      'no speakers at all',
      { file_id: stranger, diarize: true, num_speakers: 0 },
      'VALIDATION_ERROR',
      'num_speakers',
    ],
    [
      'a translation that nobody makes',
      { file_id: stranger, translate_to: 'de' },
      'OPTION_NOT_SERVED',
      'translate_to',
    ],
    ['a private address', { audio_url: 'http://127.0.0.1:1/a.mp3' }, 'URL_NOT_PUBLIC', 'audio_url'],
    ['an address that is no web address', { audio_url: 'file:///etc/passwd' }, 'URL_NOT_PUBLIC', 'audio_url'],
    [
      'a private callback',
      { file_id: stranger, callback_url: 'https://10.0.0.1/' },
      'URL_NOT_PUBLIC',
      'callback_url',
    ],
  ])('refuses %s', async (_name, wish, code, path) => {
    expect(await refusalOf(wish)).toEqual([400, code, path])
  })

  it('says what to configure for a translation', async () => {
    const { body } = await stage.speak('POST', '/transcripts', {
      body: { file_id: stranger, translate_to: 'de' },
    })
    expect(body.details[0].message).toContain('PARLEY_LLM_BASE_URL')
  })

  it('passes on what the engine refuses, by the name of the option', async () => {
    stage.engine.refusals = [
      { option: 'language', sentence: 'The scripted engine does not know xx; leave it out.' },
    ]
    const { status, body } = await stage.speak('POST', '/transcripts', {
      body: { file_id: stranger, language: 'xx' },
    })
    stage.engine.refusals = []
    expect([status, body.code]).toEqual([400, 'OPTION_NOT_SERVED'])
    expect(body.details).toEqual([
      { path: 'language', message: 'The scripted engine does not know xx; leave it out.' },
    ])
  })

  it('refuses a file that is not there', async () => {
    expect((await refusalOf({ file_id: stranger })).slice(0, 2)).toEqual([404, 'FILE_NOT_FOUND'])
  })

  it('refuses forms that are cut off, have no boundary or a field too many', async () => {
    const post = async (type: string, body: string) => {
      const headers = { authorization: boundKey, 'content-type': type }
      const response = await fetch(`${stage.url}/v1/files`, { method: 'POST', headers, body })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await post('multipart/form-data', 'x')).toEqual([400, 'VALIDATION_ERROR'])
    const cut = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nRIFF'
    expect(await post('multipart/form-data; boundary=b', cut)).toEqual([400, 'VALIDATION_ERROR'])
    const twice = await stage.form('/transcripts/sync', toneWav(1), { diarize: 'perhaps' })
    expect([twice.status, twice.body.details[0].path]).toEqual([400, 'diarize'])
  })
})

describe('a callback', () => {
  it('tells that a transcript is done, signed, and tries three times', async () => {
    outside.answers.push(500, 302)
    const { body: secret } = await stage.speak('GET', '/callback-secret')
    const { body } = await stage.speak('POST', '/transcripts', {
      body: { file_id: await stage.fileOf(toneWav(1)), callback_url: outside.url, metadata: { a: 1 } },
    })
    await expect.poll(() => outside.received.length, { timeout: 10_000 }).toBe(3)
    const [first, , last] = outside.received
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      type: 'transcript.completed',
      data: { transcript_id: body.data.transcript_id, status: 'completed', metadata: { a: 1 }, duration: 1 },
    })
    expect(last?.body).toBe(first?.body)
    const at = last?.headers['x-svc-timestamp']
    const digest = createHmac('sha256', secret.data.secret).update(`${at}.${last?.body}`).digest('hex')
    expect(last?.headers).toMatchObject({
      'x-svc-event': 'transcript.completed',
      'x-svc-webhook-id': body.data.transcript_id,
      'x-svc-delivery-id': first?.headers['x-svc-delivery-id'],
      'x-svc-signature': `t=${at},v1=${digest}`,
    })
    await expect.poll(() => stage.database.query('SELECT 1 FROM transcript_callbacks')).toEqual([])
  })

  it('is signed with the new secret once it was rotated', async () => {
    const before = (await stage.speak('GET', '/callback-secret')).body.data.secret
    const rotated = (await stage.speak('POST', '/callback-secret/rotate')).body.data.secret
    expect(rotated).toMatch(/^whsec_/)
    expect(rotated).not.toBe(before)
    expect((await stage.speak('GET', '/callback-secret')).body.data.secret).toBe(rotated)
  })
})
