// Amazon Polly on a loopback address: POST /v1/speech. Signatures are checked by Amazon's own library.
import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { z } from 'zod'
import { openRecordedTts, type RecordedTts } from './recorded-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import { plainTextOf } from './ssml-text.ts'
import type { VendorClient } from './vendor-server.ts'

const Request = z.object({
  OutputFormat: z.literal('pcm'),
  SampleRate: z.enum(['8000', '16000']),
  Text: z.string(),
  TextType: z.enum(['text', 'ssml']).default('text'),
  VoiceId: z.string(),
  Engine: z.enum(['standard', 'neural', 'long-form', 'generative']),
})

export interface PollyKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export const openPollyTts = (key: PollyKey): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers.authorization?.includes(`Credential=${key.accessKeyId}/`) ?? false,
    request: {
      path: '/v1/speech',
      async serve(client, { texts }) {
        if (!(await isSigned(client, key))) {
          client.head(403, { 'content-type': 'application/json' })
          client.send(
            '{"message":"The request signature we calculated does not match the signature you provided."}',
          )
          client.end()
          return
        }
        const { Text, TextType, SampleRate } = Request.parse(JSON.parse(client.body.toString()))
        const text = TextType === 'ssml' ? plainTextOf(Text) : Text
        texts.push(text)
        client.head(200, { 'content-type': 'audio/pcm', 'x-amzn-requestcharacters': `${text.length}` })
        for (const word of wordsOf(text))
          for (const piece of piecesOf(soundOf(word, Number(SampleRate)))) client.send(piece)
        client.end()
      },
    },
  })

/** Signs the request that came, as Amazon does, and compares. */
async function isSigned({ method, url, headers, body }: VendorClient, key: PollyKey): Promise<boolean> {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  const signer = new SignatureV4({
    service: 'polly',
    region: key.region,
    credentials: key,
    sha256: Sha256,
    applyChecksum: false,
  })
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date'])) ?? []
  const expected = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: url.pathname,
      body,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    {
      signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
      signableHeaders: new Set(names),
    },
  )
  return expected.headers.authorization === headers.authorization
}

type Data = string | ArrayBuffer | ArrayBufferView

const bytesOf = (data: Data): Buffer =>
  ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data as string)

/** The hash that Amazon's library asks for. */
class Sha256 {
  readonly #hash

  constructor(secret?: Data) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: Data): void {
    this.#hash.update(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {}
}
