// Google's synthesizer: voices that stream, over gRPC, and those that do not, over HTTP.
import { afterEach, describe, expect, it } from 'vitest'
import { openGoogleTts, openGoogleWholeTts, serviceAccount } from '../../../test/props/vendors/google-tts.ts'
import { inJson, synthesizerLanguages } from '../../../test/props/vendors/language-suite.ts'
import { heardFrom, synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import { speaks as google } from './speaks.ts'

const account = serviceAccount('agent')
const credentials = { serviceAccount: account }
const wrongCredentials = { serviceAccount: serviceAccount('stranger') }

synthesizerSuite('Google (streamed)', {
  vendor: google,
  credentials,
  wrongCredentials,
  over: 'http',
  nonsense: '\u0032\u007f',
  open: () => openGoogleTts(account),
})
synthesizerSuite('Google (not streamed)', {
  vendor: google,
  credentials,
  wrongCredentials,
  over: 'http',
  voice: 'en-US-Neural2-C',
  open: () => openGoogleWholeTts(account),
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const text = 'Ask Nguyen for the Q&A <now>.'

async function say(baseUrl: string, options: Partial<SynthesizerOptions>): Promise<readonly string[]> {
  const engine = google.open({ credentials, baseUrl })
  cleanups.push(() => engine.close?.())
  const stream = engine.open({ voice: '', rateHz: 16_000, ...options }, new AbortController().signal)
  stream.write(text)
  stream.finish()
  return heardFrom(stream)
}

describe('settings of an agent, at Google', () => {
  it.each<[Partial<SynthesizerOptions>, object]>([
    [{ voice: 'Kore' }, { voice: { languageCode: 'en-US', name: 'en-US-Chirp3-HD-Kore' } }],
    [{ voice: 'Kore', voiceId: 'Puck' }, { voice: { name: 'en-US-Chirp3-HD-Puck' } }],
    [{ language: 'de' }, { voice: { languageCode: 'de-DE', name: 'de-DE-Chirp3-HD-Charon' } }],
    [
      { voice: 'Kore', model: 'gemini-2.5-flash-tts' },
      { voice: { name: 'Kore', modelName: 'gemini-2.5-flash-tts' } },
    ],
    [{ speed: 1.25 }, { streamingAudioConfig: { speakingRate: 1.25 } }],
    [
      { pronunciations: [{ written: 'Nguyen', ipa: 'ŋwiən' }] },
      {
        customPronunciations: {
          pronunciations: [
            { phrase: 'Nguyen', phoneticEncoding: 'PHONETIC_ENCODING_IPA', pronunciation: 'ŋwiən' },
          ],
        },
      },
    ],
  ])('%o becomes %o where the voice is streamed', async (options, config) => {
    const server = await openGoogleTts(account)
    cleanups.push(() => server.close())
    expect(await say(server.baseUrl, options)).toEqual(text.split(' '))
    expect(server.configs).toMatchObject([
      { streamingAudioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 }, ...config },
    ])
  })

  it.each<[Partial<SynthesizerOptions>, string]>([
    [{}, '"name":"en-US-Neural2-C"'],
    [{ voiceId: 'fr-FR-Wavenet-A' }, '"voice":{"languageCode":"fr-FR","name":"fr-FR-Wavenet-A"}'],
    [{ speed: 0.5 }, '"speakingRate":0.5'],
    [{ pronunciations: [{ written: 'Nguyen', ipa: 'ŋwiən' }] }, 'ph=\\"ŋwiən\\">Nguyen</phoneme>'],
  ])('%o becomes %s where it is not', async (options, fragment) => {
    const server = await openGoogleWholeTts(account)
    cleanups.push(() => server.close())
    expect(await say(server.baseUrl, { voice: 'en-US-Neural2-C', ...options })).toEqual(text.split(' '))
    expect(server.messages.join()).toContain(fragment)
  })
})

it('says what is wrong with a service account, and not what is in it', async () => {
  const engine = google.open({ credentials: { serviceAccount: '{"private_key":"hunter2"}' } })
  const stream = engine.open({ voice: '', rateHz: 8_000 }, new AbortController().signal)
  stream.write('Anything.')
  stream.finish()
  const error = await heardFrom(stream).catch((reason: Error) => reason)
  expect((error as Error).message).toBe(
    'The service account of Google must be its JSON file, with client_email and private_key.',
  )
})

synthesizerLanguages(
  { vendor: google, credentials, open: () => openGoogleTts(account) },
  {
    where: inJson('languageCode'),
    written: 'en-US,en-US,pt-BR,hi-IN,cmn-CN,pt-BR,pt-BR,de-DE,en-US',
  },
)
