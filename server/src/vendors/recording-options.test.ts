// How options are translated for each vendor, and which ones each vendor refuses.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asynchronousVendors } from '../../test/props/transcription-vendors/asynchronous.ts'
import {
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  type ReceivedRequest,
  run,
} from '../../test/props/transcription-vendors/fixture.ts'
import { synchronousVendors } from '../../test/props/transcription-vendors/synchronous.ts'
import { parseWav } from '../media/wav-parse.ts'
import type { TranscriptionOptions } from '../ports/transcription.ts'

let loopback: Loopback
beforeAll(async () => {
  loopback = await openLoopback()
})
beforeEach(() => loopback.reset())
afterAll(() => loopback.close())

const scriptedVendors = new Map(
  [...synchronousVendors, ...asynchronousVendors].map((scripted) => [scripted.name, scripted]),
)
const vendorNamed = (name: string) => {
  const scripted = scriptedVendors.get(name)
  if (!scripted) throw new Error(`${name} is not scripted.`)
  return scripted
}
const refusalsOf = (name: string, wishes: Partial<TranscriptionOptions>) =>
  vendorNamed(name)
    .open({ baseUrl: 'http://127.0.0.1:1', model: undefined, apiKey: undefined })
    .refusals({ ...plain, ...wishes })
const between = (minSpeakers: number, maxSpeakers: number) => ({ diarize: { minSpeakers, maxSpeakers } })

/** The requests sent to the vendor. */
async function sent(name: string, wishes: Partial<TranscriptionOptions>): Promise<ReceivedRequest[]> {
  const scripted = vendorNamed(name)
  loopback.received.length = 0
  loopback.script = scripted.spoken
  await run(scripted.open(loopback.server), (await jobIn(loopback.folder, 2, { ...plain, ...wishes })).job)
  return [...loopback.received]
}
const jsonOf = (received: ReceivedRequest | undefined) => JSON.parse(received?.bytes.toString() ?? '')

describe('the requests to', () => {
  it('an OpenAI-compatible server', async () => {
    const [received] = await sent('OpenAI', { align: true, language: 'en', keyterms: ['Parley', 'Ada'] })
    expect(received?.what).toBe('POST /v1/audio/transcriptions')
    expect(received?.fields).toEqual({
      file: [],
      model: ['whisper-1'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['segment', 'word'],
      language: ['en'],
      prompt: ['Parley, Ada'],
    })
    expect(parseWav(received?.bytes ?? Buffer.alloc(0)).channels[0]?.length).toBe(32_000)
  })

  it('Deepgram', async () => {
    const [received] = await sent('Deepgram', { ...between(1, 20), keyterms: ['Ada', 'Grace'] })
    expect(received?.what).toBe('POST /v1/listen')
    expect(received?.headers['content-type']).toBe('audio/wav')
    expect([...(received?.query ?? [])].join(' ')).toBe(
      'model,nova-3 smart_format,true utterances,true detect_language,true diarize,true keyterm,Ada keyterm,Grace',
    )
  })

  it('AssemblyAI', async () => {
    const [upload, submission] = await sent('AssemblyAI', { ...between(2, 4), keyterms: ['Ada'] })
    expect(upload?.headers['content-type']).toBe('application/octet-stream')
    expect(jsonOf(submission)).toEqual({
      audio_url: 'https://cdn.assemblyai.com/upload/u1',
      speech_models: ['universal-3-5-pro', 'universal-2'],
      language_detection: true,
      language_detection_options: { on_no_speech_detected: 'fallback', fallback_language: 'en' },
      speaker_labels: true,
      speaker_options: { min_speakers_expected: 2, max_speakers_expected: 4 },
      keyterms_prompt: ['Ada'],
    })
    const [, known] = await sent('AssemblyAI', { ...between(3, 3), language: 'de' })
    expect(jsonOf(known)).toMatchObject({ language_code: 'de', speaker_labels: true, speakers_expected: 3 })
    expect(jsonOf(known)).not.toHaveProperty('language_detection')
  })

  it('ElevenLabs', async () => {
    const wishes = { ...between(1, 3), language: 'de', keyterms: ['Ada', 'Grace Hopper'] }
    const [received] = await sent('ElevenLabs', wishes)
    expect(received?.what).toBe('POST /v1/speech-to-text')
    expect(received?.fields).toEqual({
      model_id: ['scribe_v2'],
      timestamps_granularity: ['word'],
      tag_audio_events: ['false'],
      diarize: ['true'],
      num_speakers: ['3'],
      language_code: ['de'],
      keyterms: ['Ada', 'Grace Hopper'],
      file: [],
    })
  })

  it('Gladia', async () => {
    const [upload, submission] = await sent('Gladia', { ...between(2, 4), language: 'de', keyterms: ['Ada'] })
    expect(upload?.fields).toEqual({ audio: [] })
    expect(jsonOf(submission)).toEqual({
      audio_url: 'https://api.gladia.io/file/u1',
      model: 'solaria-1',
      language_config: { languages: ['de'], code_switching: false },
      diarization: true,
      diarization_config: { min_speakers: 2, max_speakers: 4 },
      custom_vocabulary: true,
      custom_vocabulary_config: { vocabulary: ['Ada'] },
    })
    const [, known] = await sent('Gladia', between(2, 2))
    expect(jsonOf(known).diarization_config).toEqual({ number_of_speakers: 2 })
  })

  it('Soniox, which is cleaned up afterwards', async () => {
    const received = await sent('Soniox', { ...between(1, 20), language: 'de', keyterms: ['Ada'] })
    expect(jsonOf(received[1])).toEqual({
      model: 'stt-async-v5',
      file_id: 'f1',
      enable_language_identification: true,
      language_hints: ['de'],
      language_hints_strict: true,
      enable_speaker_diarization: true,
      context: { terms: ['Ada'] },
    })
    expect(loopback.asked().slice(-3)).toEqual([
      'GET /v1/transcriptions/s1/transcript',
      'DELETE /v1/transcriptions/s1',
      'DELETE /v1/files/f1',
    ])
  })

  it('Azure', async () => {
    const [received] = await sent('Azure', { ...between(1, 3), language: 'no', keyterms: ['Ada'] })
    expect(received?.what).toBe('POST /speechtotext/transcriptions:transcribe')
    expect(received?.query.get('api-version')).toBe('2025-10-15')
    expect(JSON.parse(received?.fields.definition?.[0] ?? '')).toEqual({
      locales: ['nb-NO'],
      diarization: { enabled: true, maxSpeakers: 3 },
      phraseList: { phrases: ['Ada'] },
    })
    const [french] = await sent('Azure', { language: 'fr' })
    expect(JSON.parse(french?.fields.definition?.[0] ?? '')).toEqual({ locales: ['fr-FR'] })
  })

  it('Sarvam', async () => {
    const [received] = await sent('Sarvam', { language: 'or' })
    expect(received?.what).toBe('POST /speech-to-text')
    expect(received?.fields).toMatchObject({ model: ['saaras:v3'], language_code: ['od-IN'] })
  })
})

describe('unsupported options are refused by name, with a remedy', () => {
  it.each<[string, Partial<TranscriptionOptions>, RegExp]>([
    ['OpenAI', between(1, 20), /whisper-1.*PARLEY_STT_PROTOCOL/],
    ['Deepgram', between(2, 2), /Deepgram counts.*leave out num_speakers/],
    ['Soniox', between(1, 3), /Soniox counts.*leave out num_speakers/],
    ['ElevenLabs', between(2, 4), /ElevenLabs takes only the greatest.*max_speakers/],
    ['ElevenLabs', { keyterms: ['one two three four five six'] }, /5 words; shorten "one two/],
    ['Azure', between(2, 2), /Azure AI Speech takes only the greatest.*max_speakers/],
    ['Azure', between(1, 1), /two speakers or more/],
    ['Sarvam', between(1, 20), /Sarvam does not tell speakers apart/],
    ['Sarvam', { align: true }, /Sarvam gives no times of words/],
    ['Sarvam', { language: 'fr' }, /"fr". It knows: as, bn/],
    ['Sarvam', { keyterms: ['Ada'] }, /PARLEY_STT_MODEL to saaras:v4/],
  ])('%s %o', (name, wishes, sentence) => {
    expect(refusalsOf(name, wishes).map((refusal) => refusal.sentence)).toEqual([
      expect.stringMatching(sentence),
    ])
  })

  it.each([...scriptedVendors.keys()])('%s accepts supported options', (name) => {
    expect(refusalsOf(name, { language: 'en' })).toEqual([])
    const counts = ['AssemblyAI', 'Gladia'].includes(name) ? between(2, 4) : between(1, 20)
    if (vendorNamed(name).reports.speakers) expect(refusalsOf(name, { ...counts, align: true })).toEqual([])
  })
})
