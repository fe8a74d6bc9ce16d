// The speech-to-text API: authentication, transcripts and their formats, deletion.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundKey, unboundKey } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

const stranger = '99999999-9999-4999-8999-999999999999'

let fixture: TranscriptionFixture
beforeAll(async () => {
  fixture = await openTranscriptionFixture()
})
afterAll(() => fixture.close())

describe('the key', () => {
  const ask = (headers: Record<string, string>) => fixture.bare('GET', '/v1/transcripts', { headers })

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

  it('is sent without a scheme, and implies its workspace, bound or not', async () => {
    expect((await ask({ authorization: boundKey })).status).toBe(200)
    expect((await ask({ authorization: unboundKey })).status).toBe(200)
  })

  it('is checked before a byte of a file is read, and at unknown paths', async () => {
    const response = await fetch(`${fixture.url}/v1/files`, { method: 'POST', body: 'x' })
    expect(response.status).toBe(401)
    expect((await fixture.bare('GET', '/v1/nowhere')).status).toBe(401)
    expect((await fixture.speak('GET', '/nowhere')).body.code).toBe('ROUTE_NOT_FOUND')
  })

  it('needs no other header, and others are ignored', async () => {
    const headers = { 'x-workspace-id': stranger, 'idempotency-key': 'x' }
    expect((await fixture.speak('GET', '/transcripts', { headers })).status).toBe(200)
  })
})

describe('a transcript', () => {
  it('is made in the background from a file, with everything that was requested', async () => {
    const file_id = await fixture.fileOf(toneWav(3))
    const wish = { file_id, diarize: true, num_speakers: 2, align: true, metadata: { order: 7 } }
    const { status, body } = await fixture.speak('POST', '/transcripts', { body: wish })
    expect([status, body.data.status]).toEqual([202, 'queued'])
    const transcript = await fixture.ended(body.data.transcript_id)
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
    expect(fixture.engine.jobs.at(-1)?.wishes).toEqual({
      diarize: { minSpeakers: 2, maxSpeakers: 2 },
      align: true,
      keyterms: [],
    })
  })

  it('is returned synchronously, from JSON', async () => {
    const { status, body } = await fixture.speak('POST', '/transcripts/sync', {
      body: { file_id: await fixture.fileOf(toneWav(2)), language: 'en-US', keyterms: ['Parley'] },
    })
    expect([status, body.data.status, body.data.text]).toEqual([200, 'completed', 'one two'])
    expect(fixture.engine.jobs.at(-1)?.wishes).toEqual({ language: 'en', align: false, keyterms: ['Parley'] })
  })

  it('is returned synchronously, from a form with the file and the same fields', async () => {
    const { status, body } = await fixture.form('/transcripts/sync', toneWav(2), {
      diarize: 'true',
      max_speakers: '3',
      keyterms: '["Ada","Grace"]',
      metadata: '{"a":1}',
    })
    expect([status, body.data.text, body.data.metadata]).toEqual([200, 'one two', { a: 1 }])
    expect(fixture.engine.jobs.at(-1)?.wishes).toEqual({
      diarize: { minSpeakers: 1, maxSpeakers: 3 },
      align: false,
      keyterms: ['Ada', 'Grace'],
    })
  })

  it('is read as text, SubRip and WebVTT', async () => {
    const { body } = await fixture.form('/transcripts/sync', toneWav(2), { diarize: 'true' })
    const read = async (format: string) => {
      const { headers, text } = await fixture.speak(
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
    expect((await fixture.speak('GET', `/transcripts/${body.data.transcript_id}?format=docx`)).status).toBe(
      400,
    )
  })

  it('shows its progress, and has no text until it is completed', async () => {
    const open = Promise.withResolvers<void>()
    fixture.engine.gate = open.promise
    const file_id = await fixture.fileOf(toneWav(2))
    const { body } = await fixture.speak('POST', '/transcripts', { body: { file_id } })
    const path = `/transcripts/${body.data.transcript_id}`
    await expect.poll(async () => (await fixture.speak('GET', path)).body.data.progress).toBeGreaterThan(0.4)
    const { data } = (await fixture.speak('GET', path)).body
    expect(data).toMatchObject({ status: 'processing', text: '', segments: [], completed_at: null })
    expect((await fixture.speak('GET', `${path}?format=srt`)).body.code).toBe('TRANSCRIPT_NOT_READY')
    const inUse = await fixture.speak('DELETE', `/files/${file_id}`)
    expect([inUse.status, inUse.body.code]).toEqual([400, 'RESOURCE_IN_USE'])
    open.resolve()
    expect((await fixture.ended(body.data.transcript_id)).status).toBe('completed')
  })

  it('is listed without its words, newest first, by status', async () => {
    const { body } = await fixture.speak('GET', '/transcripts?limit=2&status=completed')
    expect(body.data.data).toHaveLength(2)
    expect(body.data.data[0]).not.toHaveProperty('segments')
    expect(body.data.data[0].created_at > body.data.data[1].created_at).toBe(true)
    expect(body.data.pagination).toMatchObject({ page: 1, limit: 2, has_next_page: true })
    expect((await fixture.speak('GET', '/transcripts?status=failed')).body.data.data).toEqual([])
  })

  it('is deleted with its file, unless another transcript needs the file', async () => {
    const file_id = await fixture.fileOf(toneWav(1))
    const make = async () =>
      (await fixture.speak('POST', '/transcripts/sync', { body: { file_id } })).body.data.transcript_id
    const [first, second] = [await make(), await make()]
    await fixture.speak('DELETE', `/transcripts/${first}`)
    expect(await fixture.stored()).toContain(file_id)
    const gone = await fixture.speak('DELETE', `/transcripts/${second}`)
    expect([gone.status, gone.body.data]).toEqual([200, { transcript_id: second, deleted: true }])
    expect(await fixture.stored()).not.toContain(file_id)
    expect((await fixture.speak('GET', `/transcripts/${second}`)).body.code).toBe('TRANSCRIPT_NOT_FOUND')
    const rows = await fixture.database.query(
      'SELECT 1 FROM transcripts WHERE transcript_id = ANY($1::uuid[])',
      [[first, second]],
    )
    expect(rows).toEqual([])
  })

  it('of another workspace does not exist', async () => {
    const { body } = await fixture.form('/transcripts/sync', toneWav(1))
    await fixture.database.query('UPDATE transcripts SET workspace_id = $2 WHERE transcript_id = $1', [
      body.data.transcript_id,
      stranger,
    ])
    const { status, body: refused } = await fixture.speak('GET', `/transcripts/${body.data.transcript_id}`)
    expect([status, refused.code]).toEqual([404, 'TRANSCRIPT_NOT_FOUND'])
  })
})
