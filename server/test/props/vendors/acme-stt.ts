// An imaginary transcriber vendor: its description on top of the shared socket code, and its server.
//
//   → binary PCM · {"do":"finalize"} · {"do":"bye"} · {"do":"alive"}
//   ← {"partial":"…"} · {"final":"…"}
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { SttVendor } from '../../../src/ports/vendor.ts'
import { hearOverSocket } from '../../../src/vendors/over/hears/over-socket.ts'
import { hasAnyField, readVendorMessage } from '../../../src/vendors/over/wire/passed-over.ts'
import { vendorUrl } from '../../../src/vendors/over/wire/vendor-address.ts'

const Message = z.object({ partial: z.string().optional(), final: z.string().optional() }).refine(hasAnyField)

const abilities = {
  streaming: true,
  keyterms: true,
  wordTimes: false,
  languages: ['en', 'de'],
}

export const acme: SttVendor = {
  label: 'Acme',
  host: 'acme.example.com',
  credentials: ['apiKey'],
  abilities,
  options: {
    model: 'model',
    keyterms: 'terms',
    stream: 'always streamed',
    language: null,
    samplingRateHz: null,
    encoding: null,
    task: null,
    endpointingMs: null,
    turnDetection: null,
  },
  ownOptions: { known: {}, withheld: {} },
  open: hearOverSocket(
    {
      label: 'Acme',
      abilities,
      connect: ({ model, rateHz, keyterms = [] }, { credentials, baseUrl }) => ({
        url: vendorUrl({ scheme: 'wss', host: 'acme.example.com', baseUrl }, '/listen', {
          model,
          rate: rateHz,
          terms: keyterms.join(),
        }),
        headers: { authorization: `Key ${credentials.apiKey}` },
      }),
      keepAlive: { everyMs: 40, message: '{"do":"alive"}' },
      listen: () => ({
        finalize: () => '{"do":"finalize"}',
        bye: '{"do":"bye"}',
        decode(raw) {
          const { partial = '', final } = readVendorMessage(Message, raw)
          return [final === undefined ? { type: 'partial', text: partial } : { type: 'final', text: final }]
        },
      }),
    },
    { connectMs: 2_000, pingMs: 500 },
  ),
}

export interface AcmeServer {
  readonly baseUrl: string
  /** Every message received, except audio. */
  readonly told: string[]
  readonly urls: string[]
  readonly connections: Set<WebSocket>
  soundBytes: number
  /** Sent to every connected client. */
  send(message: object): void
  close(): Promise<void>
}

/** A client with another `key` is refused. */
export async function openAcmeServer(key = 'good', autoPong = true): Promise<AcmeServer> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    autoPong,
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.authorization === `Key ${key}`,
  })
  await new Promise<void>((ready) => server.once('listening', ready))
  const acmeServer: AcmeServer = {
    baseUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: [],
    urls: [],
    connections: server.clients,
    soundBytes: 0,
    send(message) {
      for (const client of server.clients) client.send(JSON.stringify(message))
    },
    close() {
      for (const client of server.clients) client.terminate()
      return new Promise((done) => server.close(() => done()))
    },
  }
  server.on('connection', (socket, request) => {
    acmeServer.urls.push(request.url ?? '')
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) acmeServer.soundBytes += data.length
      else acmeServer.told.push(JSON.parse(data.toString()).do)
    })
  })
  return acmeServer
}
