// The vendors' own libraries with the loopback servers that our synthesizers are tested against: witnesses that these speak
// the vendors' protocols.
import { PollyClient, SynthesizeSpeechCommand } from '@aws-sdk/client-polly'
import { GoogleGenAI, Modality } from '@google/genai'
import { TextToSpeechClient } from '@google-cloud/text-to-speech'
import { credentials as grpc } from '@grpc/grpc-js'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { afterEach, expect, it } from 'vitest'
import { openGeminiTts } from '../../../test/props/vendors/gemini-tts.ts'
import { openGoogleTts, serviceAccount } from '../../../test/props/vendors/google-tts.ts'
import { openPollyTts } from '../../../test/props/vendors/polly-tts.ts'
import { soundOf } from '../../../test/props/vendors/spoken-words.ts'
import { googleJwt } from '../../platform/google-jwt.ts'

const apiKey = 'secret-of-the-vendor'
const rateHz = 16_000
const expected = (hz: number) => Buffer.concat(['Good', 'day.'].map((word) => soundOf(word, hz)))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function opened<Server extends { close(): Promise<void> }>(opening: Promise<Server>): Promise<Server> {
  const server = await opening
  cleanups.push(() => server.close())
  return server
}

it('Amazon’s is understood, and its signature accepted', async () => {
  const key = { accessKeyId: 'AKIA1234', secretAccessKey: apiKey, region: 'eu-west-1' }
  const server = await opened(openPollyTts(key))
  const client = new PollyClient({
    ...{ region: key.region, credentials: key, endpoint: server.baseUrl },
    // It would speak HTTP/2.
    requestHandler: new NodeHttpHandler(),
  })
  cleanups.push(() => client.destroy())
  const { AudioStream } = await client.send(
    new SynthesizeSpeechCommand({
      ...{ OutputFormat: 'pcm', SampleRate: '16000', VoiceId: 'Joanna', Engine: 'neural' },
      Text: 'Good day.',
    }),
  )
  expect(Buffer.from((await AudioStream?.transformToByteArray()) ?? [])).toEqual(expected(rateHz))
})

it('Google’s streams, with a token of ours', async () => {
  const account = serviceAccount('agent')
  const server = await opened(openGoogleTts(account))
  const { hostname, port } = new URL(server.baseUrl)
  const token = googleJwt(account, 'https://texttospeech.googleapis.com/')
  const client = new TextToSpeechClient({
    ...{ apiEndpoint: hostname, port: Number(port), sslCreds: grpc.createInsecure() },
    ...{ credentials: JSON.parse(account), projectId: 'parley-test' },
  })
  cleanups.push(() => client.close())
  const stream = client.streamingSynthesize({ otherArgs: { headers: { authorization: `Bearer ${token}` } } })
  const chunks: Buffer[] = []
  const done = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
  stream.on('data', ({ audioContent }: { audioContent: Buffer }) => chunks.push(audioContent))
  const streamingAudioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
  const voice = { languageCode: 'en-US', name: 'en-US-Chirp3-HD-Charon' }
  stream.write({ streamingConfig: { voice, streamingAudioConfig } })
  stream.write({ input: { text: 'Good day.' } })
  stream.end()
  await done
  expect(Buffer.concat(chunks)).toEqual(expected(24_000))
})

it('that of the Gemini API reads audio from events', async () => {
  const server = await opened(openGeminiTts(apiKey))
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.baseUrl } })
  const answer = await client.models.generateContentStream({
    model: 'gemini-2.5-flash-preview-tts',
    contents: 'Good day.',
    config: {
      responseModalities: [Modality.AUDIO],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    },
  })
  const chunks: Buffer[] = []
  for await (const { candidates } of answer)
    for (const { inlineData } of candidates?.[0]?.content?.parts ?? [])
      chunks.push(Buffer.from(inlineData?.data ?? '', 'base64'))
  expect(Buffer.concat(chunks)).toEqual(expected(24_000))
})
