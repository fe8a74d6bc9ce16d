// The shared halves of HTTP vendors: fictitious vendors against a real server.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Frame, makeFrame, samplesPerFrame } from '../../media/frame.ts'
import type { SynthesisEvent, SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TranscriptEvent } from '../../ports/transcriber.ts'
import { hearOverHttp as sttOverHttp } from './hears/over-http.ts'
import { speakOverHttp as ttsOverHttp } from './speaks/over-http.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const bodyOf = async (request: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const account = (baseUrl: string) => ({ credentials: { apiKey: 'the-secret' }, baseUrl })
const soon = () => AbortSignal.timeout(10_000)

describe('a synthesizer', () => {
  const options: SynthesizerOptions = { voice: 'v', rateHz: 8_000 }
  const voiceAt = (baseUrl: string) =>
    ttsOverHttp({
      label: 'Nadir',
      languages: 'any',
      rateHz: 24_000,
      ask: (clause, { voice }, { credentials, baseUrl: url }) => ({
        url: `${url}/speech`,
        headers: { authorization: `Bearer ${credentials.apiKey}` },
        body: JSON.stringify({ input: clause, voice }),
      }),
    })(account(baseUrl))
  const allOf = async (stream: AsyncIterable<SynthesisEvent>) => {
    const events: SynthesisEvent[] = []
    for await (const event of stream) events.push(event)
    return events
  }
  const opened = (baseUrl: string, signal = soon()) => voiceAt(baseUrl).open(options, signal)

  it('requests one clause after the other, and returns audio at the rate of the line', async () => {
    const asked: unknown[] = []
    const url = await serve(async (request, response) => {
      asked.push([request.headers.authorization, JSON.parse((await bodyOf(request)).toString())])
      // A tenth of a second at 24 kHz and half a frame, in chunks that end inside a sample.
      const pcm = Buffer.from(new Int16Array(2_400 + 240).fill(1_000).buffer)
      response.write(pcm.subarray(0, 1_235))
      response.end(pcm.subarray(1_235))
    })
    const stream = opened(url)
    stream.write('One.')
    stream.write('Two.')
    stream.flush()
    stream.finish()
    const events = await allOf(stream)
    const frames = events.flatMap((event) => (event.type === 'frame' ? [event.frame] : []))
    expect(events.map(({ type }) => type)).toEqual([
      ...Array(6).fill('frame'),
      'clause-end',
      ...Array(6).fill('frame'),
      'clause-end',
    ])
    expect(frames.every(({ samples }) => samples.length === samplesPerFrame(8_000))).toBe(true)
    expect(frames[2]?.samples[80]).toBeGreaterThan(900)
    expect(frames[5]?.samples.at(-1)).toBeLessThan(100)
    expect(asked).toEqual([
      ['Bearer the-secret', { input: 'One.', voice: 'v' }],
      ['Bearer the-secret', { input: 'Two.', voice: 'v' }],
    ])
  })

  it('that is cancelled ends without an error and aborts its request', async () => {
    let isGone = false
    const url = await serve((request, response) => {
      response.write(Buffer.alloc(9_600))
      request.on('close', () => {
        isGone = true
      })
    })
    const stream = opened(url)
    stream.write('For ever and ever.')
    for await (const _ of stream) stream.cancel()
    await expect.poll(() => isGone).toBe(true)
  })

  it.each<[string, RequestListener, string]>([
    [
      'refuses',
      (_, response) => response.writeHead(401).end('no such key:\n the-secret'),
      'Nadir answered 401: no such key: …',
    ],
    ['refuses without a reason', (_, response) => response.writeHead(500).end(), 'Nadir answered 500.'],
    [
      'answers in words, as proxies do',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"error":"the-secret has no quota"}'),
      'Nadir answered in words: … has no quota',
    ],
    [
      'closes the connection',
      (request) => request.socket.destroy(),
      'Nadir cannot be reached (UND_ERR_SOCKET).',
    ],
    [
      'breaks off',
      (request, response) => {
        response.write(Buffer.alloc(9_600))
        setTimeout(() => request.socket.destroy(), 20)
      },
      'Nadir broke off in the middle of its sound.',
    ],
  ])('that %s fails with a sentence without secrets', async (_, listener, sentence) => {
    const stream = opened(await serve(listener))
    stream.write('One.')
    stream.finish()
    await expect(allOf(stream)).rejects.toThrow(sentence)
  })
})

describe('a transcriber', () => {
  const abilities = { keyterms: false, languages: 'any' } as const
  const open = (baseUrl: string, signal = soon()) =>
    sttOverHttp({
      label: 'Murmur',
      abilities,
      warm: ({ baseUrl: url }) => ({ url: `${url}/models`, headers: {} }),
      ask: (sound, { model }, { credentials, baseUrl: url }) => ({
        url: `${url}/transcribe?model=${model}`,
        headers: { authorization: `Bearer ${credentials.apiKey}` },
        body: sound,
      }),
      decode: (answer) => z.object({ text: z.string() }).parse(answer),
    })(account(baseUrl)).open({ model: 'm', rateHz: 8_000, endpointingMs: 200 }, signal)
  const loud: Frame = makeFrame(8_000)
  loud.samples.fill(1_000)
  const allOf = async (stream: AsyncIterable<TranscriptEvent>) => {
    const events: TranscriptEvent[] = []
    for await (const event of stream) events.push(event)
    return events
  }
  const write = (stream: ReturnType<typeof open>, frames: number) => {
    for (let n = 0; n < frames; n++) stream.write(loud)
  }

  it('sends each utterance once, from shortly before the voice to its end, and answers in order', async () => {
    const heardFrames: number[] = []
    const url = await serve(async (request, response) => {
      const nth = heardFrames.push((await bodyOf(request)).length / 320)
      // The first takes longer than the second.
      setTimeout(() => response.end(JSON.stringify({ text: ` utterance ${nth} ` })), nth === 1 ? 60 : 0)
    })
    const stream = open(url)
    write(stream, 100)
    stream.hear?.({ type: 'speech-start', atMs: 2_000 })
    write(stream, 20)
    stream.hear?.({ type: 'speech-end', atMs: 2_400 })
    // Ended by its own silence.
    write(stream, 12)
    stream.hear?.({ type: 'speech-start', atMs: 2_600 })
    write(stream, 5)
    stream.hear?.({ type: 'speech-end', atMs: 2_700 })
    // Ended on demand.
    stream.finalize?.()
    stream.finalize?.()
    stream.finish()
    const events = await allOf(stream)
    expect(events.filter(({ type }) => type === 'final')).toEqual([
      { type: 'final', text: 'utterance 1', endMs: 2_600 },
      { type: 'final', text: 'utterance 2', endMs: 2_740 },
    ])
    // 300 ms before the voice, 400 ms of it and 200 ms of silence; then what came since.
    expect(heardFrames).toEqual([15 + 20 + 10, 2 + 5])
  })

  it('that heard no voice sends nothing', async () => {
    let requests = 0
    const stream = open(await serve(() => requests++))
    write(stream, 200)
    stream.finalize?.()
    stream.finish()
    expect(await allOf(stream)).toEqual([])
    expect(requests).toBe(0)
  })

  it.each<[string, RequestListener, string]>([
    [
      'is refused',
      (_, response) => response.writeHead(429).end('the-secret: slow'),
      'Murmur answered 429: …: slow',
    ],
    ['receives an invalid answer', (_, response) => response.end('{}'), 'Murmur sent what cannot be read.'],
    [
      'loses its connection',
      (request) => request.socket.destroy(),
      'Murmur cannot be reached (UND_ERR_SOCKET).',
    ],
  ])('that %s fails with a sentence without secrets', async (_, listener, sentence) => {
    const stream = open(await serve(listener))
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(stream, 5)
    stream.finish()
    await expect(allOf(stream)).rejects.toThrow(sentence)
  })

  it('ends with the call, without an error', async () => {
    const stop = new AbortController()
    const stream = open(await serve(() => {}), stop.signal)
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(stream, 5)
    stream.finalize?.()
    stop.abort()
    expect(await allOf(stream)).toEqual([])
  })
})
