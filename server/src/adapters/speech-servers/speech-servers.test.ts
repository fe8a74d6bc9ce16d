// Servers that transcribe, over loopback, in the form in which each of them speaks.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Busboy } from '@fastify/busboy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseWav } from '../../media/wav-parse.ts'
import type { SpeechJob, SpeechWishes } from '../../ports/speech.ts'
import { deepgramSpeech } from './deepgram.ts'
import { openAiSpeech } from './openai-compatible.ts'
import { type SpeechVendor, speechOverHttp } from './over-http.ts'

interface Heard {
  readonly url: URL
  readonly authorization: string | undefined
  readonly fields: Record<string, string[]>
  readonly wav: Buffer
}

let server: Server
let baseUrl: string
let folder: string
let heard: Heard[]
let answer: (heard: Heard) => { status?: number; body: unknown }
beforeEach(async () => {
  heard = []
  folder = await mkdtemp(join(tmpdir(), 'parley-servers-'))
  server = createServer(async (request, response) => {
    const one = await hear(request)
    heard.push(one)
    const { status = 200, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await rm(folder, { recursive: true, force: true })
})

async function hear(request: IncomingMessage): Promise<Heard> {
  const fields: Record<string, string[]> = {}
  const chunks: Buffer[] = []
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/')) {
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type } })
    form.on('field', (name, value) => (fields[name] = [...(fields[name] ?? []), value]))
    form.on('file', (_name, stream) => stream.on('data', (chunk) => chunks.push(chunk)))
    await new Promise((done) => request.pipe(form).on('finish', done))
  } else for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url ?? '', 'http://here')
  return { url, authorization: request.headers.authorization, fields, wav: Buffer.concat(chunks) }
}

const plain: SpeechWishes = { align: false, keyterms: [] }

async function jobOf(seconds: number, wishes: SpeechWishes, kept = new Map<string, string>()) {
  const pcmFile = join(folder, 'sound.pcm')
  const samples = Int16Array.from({ length: seconds * 16_000 }, () => 5_000)
  // Quiet at 590 s, where a piece of ten minutes is to be cut.
  samples.fill(0, 590 * 16_000, 590 * 16_000 + 1_600)
  await writeFile(pcmFile, Buffer.from(samples.buffer))
  const progress: number[] = []
  const notes = {
    get: (name: string) => kept.get(name),
    put: (name: string, json: string) => void kept.set(name, json),
  }
  const job: SpeechJob = {
    sound: { pcmFile, durationSeconds: seconds },
    wishes,
    notes,
    onProgress: (share) => void progress.push(share),
  }
  return { job, progress, kept }
}

const run = async (vendor: SpeechVendor, job: SpeechJob) => {
  const engine = speechOverHttp(vendor, { baseUrl, model: undefined, apiKey: 'sk-test' })
  try {
    return await engine.transcribe(job, AbortSignal.timeout(10_000))
  } finally {
    await engine.close()
  }
}

describe('a server that speaks like OpenAI', () => {
  const vendor = () => openAiSpeech({ baseUrl, model: 'whisper-1', apiKey: 'sk-test' })

  it('is sent WAV and options, and its segments and words are read', async () => {
    answer = () => ({
      body: {
        text: 'Hello there. Good bye.',
        language: 'english',
        segments: [
          { start: 0, end: 1, text: ' Hello there.', avg_logprob: -0.1 },
          { start: 1, end: 2, text: ' Good bye.', avg_logprob: -0.2 },
        ],
        words: [
          { word: 'Hello', start: 0, end: 0.4 },
          { word: 'there', start: 0.5, end: 0.9 },
          { word: 'Good', start: 1.1, end: 1.4 },
          { word: 'bye', start: 1.5, end: 1.9 },
        ],
      },
    })
    const { job, progress } = await jobOf(2, { align: true, language: 'en', keyterms: ['Parley', 'Ada'] })
    const found = await run(vendor(), job)
    expect(found).toMatchObject({ language: 'en', languageConfidence: null })
    expect(found.segments.map(({ text, words }) => [text, words.map(({ word }) => word)])).toEqual([
      ['Hello there.', ['Hello', 'there']],
      ['Good bye.', ['Good', 'bye']],
    ])
    expect(found.segments[0]?.confidence).toBeCloseTo(0.905, 3)
    expect(progress).toEqual([1])
    expect(heard[0]).toMatchObject({
      authorization: 'Bearer sk-test',
      fields: {
        model: ['whisper-1'],
        response_format: ['verbose_json'],
        'timestamp_granularities[]': ['segment', 'word'],
        language: ['en'],
        prompt: ['Parley, Ada'],
      },
    })
    expect(heard[0]?.url.pathname).toBe('/v1/audio/transcriptions')
    expect(parseWav(heard[0]?.wav ?? Buffer.alloc(0)).channels[0]?.length).toBe(32_000)
  })

  it('gets long recordings in pieces, cut where it is quiet, and their times are right', async () => {
    answer = ({ wav }) => ({
      body: { text: 'Piece.', segments: [{ start: 1, end: wav.length / 32_000, text: 'Piece.' }] },
    })
    const { job, progress, kept } = await jobOf(650, plain)
    const { segments } = await run(vendor(), job)
    expect(segments.map(({ startSeconds }) => Math.round(startSeconds))).toEqual([1, 591])
    expect(segments[1]?.endSeconds).toBeCloseTo(650, 1)
    expect(progress.at(-1)).toBe(1)
    // A second attempt asks nothing that is known.
    heard = []
    const again = await run(vendor(), (await jobOf(650, plain, kept)).job)
    expect([heard, again.segments]).toEqual([[], segments])
  })

  it('may know only the text', async () => {
    answer = () => ({ body: { text: 'All of it.' } })
    const { segments } = await run(vendor(), (await jobOf(2, plain)).job)
    expect(segments).toMatchObject([{ startSeconds: 0, endSeconds: 2, text: 'All of it.', confidence: null }])
    await expect(run(vendor(), (await jobOf(2, { ...plain, align: true })).job)).rejects.toThrow(
      /no times of words/,
    )
  })

  it('is not asked to tell speakers apart', () => {
    const [refusal] = vendor().refusals({ ...plain, diarize: { minSpeakers: 1, maxSpeakers: 20 } })
    expect(refusal).toMatchObject({ option: 'diarize', sentence: expect.stringContaining('whisper-1') })
    expect(refusal?.sentence).toContain('PARLEY_STT_BASE_URL')
    expect(vendor().refusals(plain)).toEqual([])
  })

  it('fails in a sentence, without the key', async () => {
    answer = () => ({ status: 401, body: { error: { message: 'Incorrect API key provided: sk-test' } } })
    await expect(run(vendor(), (await jobOf(1, plain)).job)).rejects.toThrow(/answered 401: .*provided: …/)
    answer = () => ({ body: '<html>' })
    await expect(run(vendor(), (await jobOf(1, plain)).job)).rejects.toThrow(/did not answer with JSON/)
    answer = () => ({ body: { hello: 1 } })
    await expect(run(vendor(), (await jobOf(1, plain)).job)).rejects.toThrow(/form that is not known/)
  })

  it('that is not there is said to be', async () => {
    const away = openAiSpeech({ baseUrl: 'http://127.0.0.1:1/v1', model: undefined, apiKey: undefined })
    await expect(run(away, (await jobOf(1, plain)).job)).rejects.toThrow(/127.0.0.1:1 does not answer/)
  })
})

describe('Deepgram', () => {
  const vendor = () => deepgramSpeech({ baseUrl, model: undefined, apiKey: 'sk-test' })

  it('is sent the recording and options, and its utterances are read', async () => {
    const word = {
      word: 'hello',
      punctuated_word: 'Hello',
      start: 0.1,
      end: 0.5,
      confidence: 0.9,
      speaker: 1,
    }
    answer = () => ({
      body: {
        results: {
          channels: [{ detected_language: 'en', language_confidence: 0.97 }],
          utterances: [
            { start: 0.1, end: 0.5, confidence: 0.9, transcript: 'Hello', speaker: 1, words: [word] },
          ],
        },
      },
    })
    const diarize = { minSpeakers: 1, maxSpeakers: 20 }
    const { job } = await jobOf(2, { diarize, align: true, keyterms: ['Ada', 'Grace'] })
    expect(await run(vendor(), job)).toEqual({
      language: 'en',
      languageConfidence: 0.97,
      segments: [
        {
          startSeconds: 0.1,
          endSeconds: 0.5,
          text: 'Hello',
          confidence: 0.9,
          speaker: 1,
          words: [{ word: 'Hello', startSeconds: 0.1, endSeconds: 0.5, confidence: 0.9, speaker: 1 }],
        },
      ],
    })
    expect(heard[0]?.authorization).toBe('Token sk-test')
    expect(heard[0]?.url.pathname).toBe('/v1/listen')
    expect(Object.fromEntries(heard[0]?.url.searchParams ?? [])).toMatchObject({
      model: 'nova-3',
      utterances: 'true',
      diarize: 'true',
      detect_language: 'true',
    })
    expect(heard[0]?.url.searchParams.getAll('keyterm')).toEqual(['Ada', 'Grace'])
  })

  it('counts speakers itself', () => {
    const [refusal] = vendor().refusals({ ...plain, diarize: { minSpeakers: 2, maxSpeakers: 2 } })
    expect(refusal).toMatchObject({ option: 'diarize', sentence: expect.stringContaining('Deepgram') })
  })
})
