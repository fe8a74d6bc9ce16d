// Options that cannot be satisfied: each has its status, its code, and the field to correct.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundKey } from '../support/service.ts'
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

describe('a transcription request', () => {
  const refusalOf = async (wish: object) => {
    const { status, body } = await fixture.speak('POST', '/transcripts', { body: wish })
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
      'an unavailable translation',
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
  ])('is refused for %s', async (_name, wish, code, path) => {
    expect(await refusalOf(wish)).toEqual([400, code, path])
  })

  it('is refused with what to set for a host of one’s own', async () => {
    const { body } = await fixture.speak('POST', '/transcripts', { body: { audio_url: 'https://10.0.0.1/' } })
    expect(body.details[0].message).toBe(
      'Points at 10.0.0.1, which is not a public address. For a file server in your own network, let the operator add its host to PARLEY_TRUSTED_HOSTS.',
    )
  })

  it('takes null for what it leaves open', async () => {
    const file_id = await fixture.fileOf(toneWav(1))
    const { status, body } = await fixture.speak('POST', '/transcripts/sync', {
      body: { file_id, language: null, metadata: null },
    })
    expect([status, body.data.status, body.data.metadata]).toEqual([200, 'completed', null])
    expect(await refusalOf({ file_id: null })).toEqual([400, 'VALIDATION_ERROR', 'file_id'])
    expect(await refusalOf({ file_id: null, audio_url: 'https://10.0.0.1/' })).toEqual([
      400,
      'URL_NOT_PUBLIC',
      'audio_url',
    ])
  })

  it('is refused with what to configure for a translation', async () => {
    const { body } = await fixture.speak('POST', '/transcripts', {
      body: { file_id: stranger, translate_to: 'de' },
    })
    expect(body.details[0].message).toContain('PARLEY_LLM_PROVIDER')
  })

  it('is refused with the options that the engine does not support', async () => {
    fixture.engine.refusals = [
      { option: 'language', sentence: 'The scripted engine does not know xx; leave it out.' },
    ]
    const { status, body } = await fixture.speak('POST', '/transcripts', {
      body: { file_id: stranger, language: 'xx' },
    })
    fixture.engine.refusals = []
    expect([status, body.code]).toEqual([400, 'OPTION_NOT_SERVED'])
    expect(body.details).toEqual([
      { path: 'language', message: 'The scripted engine does not know xx; leave it out.' },
    ])
  })

  it('for a file that does not exist is refused', async () => {
    expect((await refusalOf({ file_id: stranger })).slice(0, 2)).toEqual([404, 'FILE_NOT_FOUND'])
  })

  it('in a form that is truncated, has no boundary or an invalid field is refused', async () => {
    const post = async (type: string, body: string) => {
      const headers = { authorization: boundKey, 'content-type': type }
      const response = await fetch(`${fixture.url}/v1/files`, { method: 'POST', headers, body })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await post('multipart/form-data', 'x')).toEqual([400, 'MALFORMED_REQUEST'])
    const cut = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nRIFF'
    expect(await post('multipart/form-data; boundary=b', cut)).toEqual([400, 'MALFORMED_REQUEST'])
    const twice = await fixture.form('/transcripts/sync', toneWav(1), { diarize: 'perhaps' })
    expect([twice.status, twice.body.details[0].path]).toEqual([400, 'diarize'])
  })
})
