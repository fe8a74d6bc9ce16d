// An imaginary synthesizer vendor: its description on top of the shared socket code, and its server.
//
//   → {"say":"…"} · {"do":"flush"} · {"do":"end"} · {"do":"cancel"}
//   ← binary PCM, 200 ms for each word · {"words":[["…",startMs,endMs],…]} · {"is":"flushed"} · {"is":"done"}
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { TtsVendor } from '../../../src/ports/vendor.ts'
import { speakOverSocket } from '../../../src/vendors/over/speaks/over-socket.ts'
import { vendorUrl } from '../../../src/vendors/over/wire/vendor-address.ts'

const Message = z.union([
  z.object({ words: z.array(z.tuple([z.string(), z.number(), z.number()])) }),
  z.object({ is: z.enum(['flushed', 'done']) }),
])

const wordMs = 200

/** `clauseEnds`: whether it reports the end of each clause. */
export const zenithVendor = (clauseEnds: boolean): TtsVendor => {
  const abilities = { streaming: true, clauseEnds, wordTimes: true, languages: ['en'] }
  return {
    label: 'Zenith',
    host: 'zenith.example.com',
    credentials: ['apiKey'],
    abilities,
    options: {
      voice: 'voice',
      stream: 'always streamed',
      voiceId: null,
      language: null,
      model: null,
      engine: null,
      temperature: null,
      similarityBoost: null,
      speed: null,
      audioFormat: null,
      bufferSize: null,
      pronunciations: null,
    },
    ownOptions: { known: {}, withheld: {} },
    open: speakOverSocket(
      {
        label: 'Zenith',
        abilities,
        connect: ({ voice, rateHz }, { credentials, baseUrl }) => ({
          url: vendorUrl({ scheme: 'wss', host: 'zenith.example.com', baseUrl }, '/speak', {
            voice,
            rate: rateHz,
          }),
          hello: JSON.stringify({ key: credentials.apiKey }),
        }),
        begin: () => ({
          write: (clause) => JSON.stringify({ say: clause }),
          flush: () => '{"do":"flush"}',
          finish: () => '{"do":"end"}',
          cancel: () => '{"do":"cancel"}',
          decode(raw) {
            if (raw instanceof Uint8Array) return [{ type: 'sound', pcm: raw }]
            const message = Message.parse(raw)
            if ('words' in message)
              return [
                {
                  type: 'words',
                  words: message.words.map(([text, startMs, endMs]) => ({ text, startMs, endMs })),
                },
              ]
            if (message.is === 'done') return [{ type: 'end' }]
            return clauseEnds ? [{ type: 'clause-end' }] : []
          },
        }),
      },
      { connectMs: 2_000, pingMs: 500 },
    ),
  }
}

export interface ZenithServer {
  readonly baseUrl: string
  /** Every message, in order: clauses as text, commands by name. */
  readonly told: string[]
  readonly connections: Set<WebSocket>
  /** How many of the next clauses are cut off by closing the connection. */
  breaks: number
  /** How many words of a clause it sends before it stops. */
  mostWords: number
  close(): Promise<void>
}

export async function openZenithServer(): Promise<ZenithServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((ready) => server.once('listening', ready))
  const zenithServer: ZenithServer = {
    baseUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: [],
    connections: server.clients,
    breaks: 0,
    mostWords: Number.POSITIVE_INFINITY,
    close() {
      for (const client of server.clients) client.terminate()
      return new Promise((done) => server.close(() => done()))
    },
  }
  server.on('connection', (socket, request) => {
    const rateHz = Number(new URL(request.url ?? '', 'ws://x').searchParams.get('rate'))
    serveOne(socket, rateHz, zenithServer)
  })
  return zenithServer
}

function serveOne(socket: WebSocket, rateHz: number, server: ZenithServer): void {
  let waiting = ''
  let spokenMs = 0
  const speak = () => {
    for (const word of waiting.split(' ').filter(Boolean)) {
      if (spokenMs / wordMs >= server.mostWords) return
      socket.send(JSON.stringify({ words: [[word, spokenMs, spokenMs + wordMs]] }))
      // Chunks are no whole number of frames, nor of samples.
      const pcm = Buffer.from(new Int16Array((rateHz * wordMs) / 1000).fill(sampleOf(word)).buffer)
      socket.send(pcm.subarray(0, 1_001))
      socket.send(pcm.subarray(1_001))
      spokenMs += wordMs
      if (server.breaks > 0) {
        server.breaks--
        socket.close(1011, 'out of breath')
        return
      }
    }
    waiting = ''
    socket.send('{"is":"flushed"}')
  }
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString())
    if (message.key !== undefined) return
    server.told.push(message.say ?? message.do)
    if (message.say) waiting += ` ${message.say}`
    if (message.do === 'flush') speak()
    if (message.do === 'end' && spokenMs / wordMs < server.mostWords) socket.send('{"is":"done"}')
  })
}

/** The sample value that identifies a word on the line. */
export const sampleOf = (word: string): number =>
  100 + [...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
