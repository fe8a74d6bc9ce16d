// Google's synthesizer on loopback addresses: StreamingSynthesize over gRPC, by Google's own library and message types, and
// text:synthesize over HTTP.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { protos } from '@google-cloud/text-to-speech'
import { Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js'
import { z } from 'zod'
import { wavHeader } from '../../../src/media/wav.ts'
import { openRecordedTts, type RecordedTts } from './recorded-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import { plainTextOf } from './ssml-text.ts'
import type { TtsServer } from './tts-suite.ts'
import type { Fault } from './vendor-server.ts'

const { StreamingSynthesizeRequest, StreamingSynthesizeResponse } = protos.google.cloud.texttospeech.v1

/** Statuses of gRPC by those of HTTP. */
const refusals: Readonly<Record<number, status>> = {
  401: status.UNAUTHENTICATED,
  429: status.RESOURCE_EXHAUSTED,
  500: status.INTERNAL,
}

type Request = protos.google.cloud.texttospeech.v1.StreamingSynthesizeRequest
type Call = ServerDuplexStream<Request, { audioContent: Buffer }>

export interface GoogleTts extends TtsServer {
  /** The configuration of every call, as Google's library reads it. */
  readonly configs: object[]
  /** How each clause was to be said, in words. */
  readonly prompts: string[]
}

/** The JSON of a service account, with a key of its own. */
export function serviceAccount(name: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return JSON.stringify({
    type: 'service_account',
    project_id: 'parley-test',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: `${name}@parley-test.iam.gserviceaccount.com`,
  })
}

/** Whether this account has signed the token, for this interface, and it has not expired. */
function isTokenOf(account: string, header: string | undefined): boolean {
  const { private_key, client_email } = JSON.parse(account)
  const [head = '', claims = '', signature = ''] = (header ?? '').replace(/^Bearer /, '').split('.')
  if (!signature) return false
  const { aud, iss, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return (
    verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      createPublicKey(private_key),
      Buffer.from(signature, 'base64url'),
    ) &&
    aud === 'https://texttospeech.googleapis.com/' &&
    iss === client_email &&
    exp > Date.now() / 1000
  )
}

export async function openGoogleTts(account: string): Promise<GoogleTts> {
  const [texts, told, configs, prompts]: [string[], string[], object[], string[]] = [[], [], [], []]
  let fault: Fault | undefined
  const peers = new Set<string>()
  const server = new Server()
  server.addService(
    {
      StreamingSynthesize: {
        path: '/google.cloud.texttospeech.v1.TextToSpeech/StreamingSynthesize',
        requestStream: true,
        responseStream: true,
        requestSerialize: (request: Request) =>
          Buffer.from(StreamingSynthesizeRequest.encode(request).finish()),
        requestDeserialize: (bytes: Buffer) => StreamingSynthesizeRequest.decode(bytes),
        responseSerialize: (response: { audioContent: Buffer; garbled?: string }) =>
          Buffer.from(response.garbled ?? StreamingSynthesizeResponse.encode(response).finish()),
        responseDeserialize: (bytes: Buffer) => StreamingSynthesizeResponse.decode(bytes),
      },
    },
    {
      StreamingSynthesize(call: Call) {
        peers.add(call.getPeer())
        const authorization = call.metadata.get('authorization')[0]?.toString()
        const refused = refusals[fault?.is === 'refuse' ? fault.status : 401] ?? status.UNAVAILABLE
        if (fault?.is === 'hold') return
        if (fault?.is === 'refuse' || fault?.is === 'drop' || !isTokenOf(account, authorization))
          call.emit('error', { code: refused, details: 'It was refused: 100 %.' })
        else serve(call)
      },
    },
  )

  function serve(call: Call): void {
    const words: string[] = []
    let rateHz = 24_000
    call.on('data', ({ streamingConfig, input }: Request) => {
      if (streamingConfig) {
        configs.push(JSON.parse(JSON.stringify(streamingConfig)))
        rateHz = streamingConfig.streamingAudioConfig?.sampleRateHertz ?? rateHz
      } else if (input?.text) {
        texts.push(input.text)
        if (input.prompt) prompts.push(input.prompt)
        words.push(...wordsOf(input.text))
      }
    })
    call.on('cancelled', () => told.push('cancel'))
    call.on('end', async () => {
      const pieces = words.flatMap((word) => piecesOf(soundOf(word, rateHz)))
      for (const [place, audioContent] of pieces.entries()) {
        if (fault?.is === 'break' && place === fault.after)
          return call.emit('error', { code: status.UNAVAILABLE, details: '' })
        if (fault?.is === 'stall' && place >= (fault.after ?? 0)) return
        if (fault?.is === 'garble') return call.write({ garbled: fault.message } as never)
        if (fault?.is === 'delay')
          await new Promise((resolve) => setTimeout(resolve, (fault as { ms: number }).ms))
        call.write({ audioContent })
      }
      call.end()
    })
  }

  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    texts,
    told,
    configs,
    prompts,
    asked: [],
    connections: new Set(),
    roundTrips: 0,
    get dialled() {
      return peers.size
    },
    hangUp: () => server.drain(`127.0.0.1:${port}`, 0),
    breakOff: () => server.drain(`127.0.0.1:${port}`, 0),
    get fault() {
      return fault
    },
    set fault(wanted) {
      fault = wanted
    },
    close: async () => server.forceShutdown(),
  }
}

const Whole = z.object({
  input: z.object({ ssml: z.string() }),
  voice: z.object({ languageCode: z.string(), name: z.string() }),
  audioConfig: z.object({ audioEncoding: z.literal('LINEAR16'), sampleRateHertz: z.number() }),
})

const packetChars = 1_400

/** A server for voices that do not stream. */
export const openGoogleWholeTts = (account: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => isTokenOf(account, headers.authorization),
    request: {
      path: '/v1/text:synthesize',
      serve(client, { texts }) {
        const { input, audioConfig } = Whole.parse(JSON.parse(client.body.toString()))
        const text = plainTextOf(input.ssml)
        const rateHz = audioConfig.sampleRateHertz
        texts.push(text)
        const sound = Buffer.concat(wordsOf(text).map((word) => soundOf(word, rateHz)))
        const file = Buffer.concat([wavHeader({ rateHz, channels: 1 }, sound.length), sound])
        client.head(200, { 'content-type': 'application/json' })
        const answer = JSON.stringify({ audioContent: file.toString('base64') })
        for (let at = 0; at < answer.length; at += packetChars)
          client.send(answer.slice(at, at + packetChars))
        client.end()
      },
    },
  })
