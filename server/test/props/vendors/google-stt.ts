// Google's transcriber on a loopback address: gRPC StreamingRecognize over HTTP/2, as in the vendor's own description of it.
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { encodeMessage, readFields } from '../../../src/platform/protobuf.ts'
import type { HearingServer } from './stt-server.ts'
import { timedWords } from './timed-words.ts'
import type { Fault } from './vendor-server.ts'
import { samplesOf, WordEars } from './word-ears.ts'

const encodings = { 1: 'linear16', 2: 'mulaw', 3: 'alaw' } as const
// A stream may have no more audio than this.
const mostSeconds = 305
const statuses = new Map([
  [401, 16],
  [429, 8],
  [500, 13],
])

export interface GoogleSttServer
  extends Omit<HearingServer, 'connections' | 'roundTrips' | 'dialled' | 'hangUp'> {
  complain(): void
  /** Streams that are open. */
  readonly streams: ReadonlySet<ServerHttp2Stream>
  readonly tokens: string[]
}

export type GoogleServer = GoogleSttServer & HearingServer

export async function openGoogleStt(knows: (token: string) => boolean = () => true): Promise<GoogleServer> {
  const http = createServer()
  const streams = new Set<ServerHttp2Stream>()
  let dialled = 0
  const sessions = new Set<ServerHttp2Session>()
  http.on('session', (session) => {
    dialled++
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => {})
    if (server.fault?.is === 'drop') session.destroy()
  })
  const trailers = new WeakMap<ServerHttp2Stream, Readonly<Record<string, string>>>()
  const server = {
    get baseUrl() {
      return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    },
    asked: [],
    told: [] as string[],
    sound: [] as number[],
    rateHz: 0,
    tokens: [] as string[],
    settings: [] as Readonly<Record<string, unknown>>[],
    understands: false,
    streams,
    connections: new Set<never>(),
    roundTrips: 0,
    hangUp() {},
    breakOff() {
      for (const session of sessions) session.destroy()
    },
    /** Ends every stream with a status of Google's. */
    complain() {
      for (const stream of streams) {
        trailers.set(stream, { 'grpc-status': '13', 'grpc-message': 'Internal%20error.' })
        stream.end()
      }
    },
    get dialled() {
      return dialled
    },
    fault: undefined as Fault | undefined,
    partial: (text: string) => tellAll(text, false),
    final: (text: string) => tellAll(text, true),
    close() {
      for (const stream of streams) stream.session?.destroy()
      return new Promise<void>((done) => http.close(() => done()))
    },
  }
  const tellAll = (text: string, isFinal: boolean) => {
    for (const stream of streams) tell(stream, { text, isFinal, endMs: 0 })
  }
  const tell = (stream: ServerHttp2Stream, { text, isFinal, endMs }: Hypothesis) => {
    const { fault } = server
    const send = (message: Buffer) => stream.writable && stream.write(framed(message))
    if (fault?.is === 'stall') return
    if (fault?.is === 'break') {
      server.fault = undefined
      return server.breakOff()
    }
    if (fault?.is === 'add') {
      server.fault = undefined
      send(Buffer.from(encodeMessage({ 99: 'novel' })))
    }
    if (fault?.is === 'garble') send(Buffer.from(fault.message))
    else if (fault?.is === 'delay') setTimeout(() => send(responseOf(text, isFinal, endMs)), fault.ms)
    else send(responseOf(text, isFinal, endMs))
  }

  http.on('stream', (stream, headers) => {
    const token = String(headers.authorization ?? '').replace('Bearer ', '')
    server.tokens.push(token)
    const refusal = server.fault?.is === 'refuse' ? server.fault.status : knows(token) ? undefined : 401
    stream.on('error', () => {})
    if (server.fault?.is === 'hold') return
    if (refusal !== undefined) {
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': `${statuses.get(refusal)}`,
          'grpc-message': 'Request%20had%20invalid%20credentials.',
        },
        { endStream: true },
      )
      return
    }
    streams.add(stream)
    stream.on('close', () => streams.delete(stream))
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers.get(stream) ?? { 'grpc-status': '0' }))
    listen(stream)
  })

  function listen(stream: ServerHttp2Stream): void {
    let received = Buffer.alloc(0)
    let ears: WordEars | undefined
    let samples = 0
    let encoding: (typeof encodings)[keyof typeof encodings] = 'linear16'
    stream.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 5 && received.length >= 5 + received.readUInt32BE(1)) {
        const length = received.readUInt32BE(1)
        const message = received.subarray(5, 5 + length)
        received = received.subarray(5 + length)
        const sound = bytesIn(message, 5)[0]
        if (sound) {
          const heard = samplesOf(sound, encoding)
          server.sound.push(...heard)
          samples += heard.length
          if (samples > mostSeconds * server.rateHz) {
            const message = `Exceeded maximum allowed stream duration of ${mostSeconds} seconds.`
            trailers.set(stream, { 'grpc-status': '10', 'grpc-message': encodeURIComponent(message) })
            return stream.end()
          }
          if (server.understands) ears?.hear(sound)
          continue
        }
        const settings = settingsOf(message)
        server.settings.push(settings)
        server.rateHz = settings.rateHz
        encoding = encodings[settings.encoding as keyof typeof encodings]
        ears = new WordEars({ rateHz: settings.rateHz, encoding }, ({ type, text, endMs }) =>
          tell(stream, { text, isFinal: type === 'final', endMs }),
        )
      }
    })
    stream.on('end', () => {
      server.told.push('finalize')
      if (server.understands) ears?.finalize()
      if (server.understands && server.fault?.is !== 'stall') stream.end()
    })
  }

  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  return server
}

interface Hypothesis {
  readonly text: string
  readonly isFinal: boolean
  readonly endMs: number
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

function responseOf(text: string, isFinal: boolean, endMs: number): Buffer {
  const words = timedWords(text, endMs).map(({ word, startMs, endMs: toMs }) =>
    encodeMessage({ 1: durationOf(startMs), 2: durationOf(toMs), 3: word }),
  )
  const alternative = encodeMessage({ 1: text, 3: words })
  const result = encodeMessage({ 1: alternative, 2: isFinal || undefined, 4: durationOf(endMs), 6: 'en-us' })
  return encodeMessage({ 6: result })
}

const durationOf = (ms: number): Buffer =>
  encodeMessage({
    1: Math.floor(ms / 1_000) || undefined,
    2: Math.round((ms % 1_000) * 1_000_000) || undefined,
  })

/** The first request of a stream, flat. */
function settingsOf(request: Buffer) {
  const streaming = bytesIn(request, 6)[0] ?? Buffer.alloc(0)
  const config = bytesIn(streaming, 1)[0] ?? Buffer.alloc(0)
  const features = bytesIn(streaming, 2)[0] ?? Buffer.alloc(0)
  const decoding = bytesIn(config, 8)[0] ?? Buffer.alloc(0)
  const phraseSets = bytesIn(config, 6)
    .flatMap((adaptation) => bytesIn(adaptation, 1))
    .flatMap((set) => bytesIn(set, 2))
  return {
    recognizer: textIn(request, 3),
    model: textIn(config, 9),
    languages: bytesIn(config, 10).map(String),
    phrases: phraseSets.flatMap((set) => bytesIn(set, 3)).map((phrase) => textIn(phrase, 1)),
    translation: bytesIn(config, 15).map((translation) => textIn(translation, 1))[0],
    encoding: numberIn(decoding, 1),
    rateHz: numberIn(decoding, 2),
    interim: numberIn(features, 2),
    sensitivity: numberIn(features, 8),
  }
}

const bytesIn = (message: Buffer, number: number): readonly Buffer[] =>
  readFields(message).flatMap(({ number: at, value }) =>
    at === number && typeof value !== 'bigint' ? [Buffer.from(value)] : [],
  )

const textIn = (message: Buffer, number: number): string => bytesIn(message, number)[0]?.toString() ?? ''

const numberIn = (message: Buffer, number: number): number => {
  const found = readFields(message).find((field) => field.number === number)?.value
  return typeof found === 'bigint' ? Number(found) : 0
}
