// Nine synthesizers against servers that speak their protocols: what all of them must do, and what each makes of every
// setting of an agent that it has something for.
import { afterEach, describe, expect, it } from 'vitest'
import { openAzureTts } from '../../test/props/vendors/azure-tts.ts'
import { openCartesiaTts } from '../../test/props/vendors/cartesia-tts.ts'
import { openGeminiTts } from '../../test/props/vendors/gemini-tts.ts'
import { openPixaTts } from '../../test/props/vendors/pixa-tts.ts'
import { openPollyTts } from '../../test/props/vendors/polly-tts.ts'
import type { RecordedTts } from '../../test/props/vendors/recorded-tts.ts'
import { openRimeTts } from '../../test/props/vendors/rime-tts.ts'
import { openSarvamTts } from '../../test/props/vendors/sarvam-tts.ts'
import { openSmallestTts } from '../../test/props/vendors/smallest-tts.ts'
import { heardFrom, synthesizerSuite } from '../../test/props/vendors/tts-suite.ts'
import type { SynthesizerOptions } from '../ports/synthesizer.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { speaks as azuretts } from './azure/speaks.ts'
import { speaks as cartesia } from './cartesia/speaks.ts'
import { speaks as gemini } from './gemini/speaks.ts'
import { speaks as pixa } from './pixa/speaks.ts'
import { speaks as polly } from './polly/speaks.ts'
import { speaks as rime } from './rime/speaks.ts'
import { speaks as sarvam } from './sarvam/speaks.ts'
import { speaks as smallest } from './smallest/speaks.ts'

const apiKey = 'secret-of-the-vendor'
const awsKey = { secretAccessKey: apiKey, accessKeyId: 'AKIA1234', region: 'eu-west-1' }

interface Row {
  readonly vendor: TtsVendor
  readonly over: 'socket' | 'http'
  readonly open: () => Promise<RecordedTts>
  readonly credentials?: Readonly<Record<string, string>>
  readonly idleMs?: number
  readonly nonsense?: string | null
  /** What a setting becomes in what is sent. */
  readonly settings: readonly (readonly [Partial<SynthesizerOptions>, string | readonly string[]])[]
}

const nguyen = [
  { written: 'Nguyen', ipa: 'ŋwiən' },
  { written: 'Q&A', spokenAs: 'questions & answers' },
]

const rows: readonly Row[] = [
  {
    vendor: cartesia,
    over: 'socket',
    open: () => openCartesiaTts(apiKey),
    settings: [
      [{ voice: 'a-voice' }, '"voice":{"mode":"id","id":"a-voice"}'],
      [{ voice: 'a-voice', voiceId: 'an-id' }, '"id":"an-id"'],
      [{ language: 'pt-BR' }, '"language":"pt"'],
      [{ model: 'sonic-2' }, '"model_id":"sonic-2"'],
      [{ speed: 1.25 }, '"generation_config":{"speed":1.25}'],
      [{ speed: 9 }, '"generation_config":{"speed":1.5}'],
    ],
  },
  {
    vendor: rime,
    over: 'socket',
    open: () => openRimeTts(apiKey),
    settings: [
      [{ voice: 'cove' }, 'speaker=cove'],
      [{ voice: 'cove', voiceId: 'luna' }, 'speaker=luna'],
      [{ language: 'de-DE' }, 'lang=ger'],
      [{ model: 'mistv2' }, 'modelId=mistv2'],
      [{ temperature: 0.4 }, 'temperature=0.4'],
      [{ speed: 1.25 }, 'timeScaleFactor=0.8'],
      [{ speed: 2, model: 'mistv3' }, 'speedAlpha=0.5'],
    ],
  },
  {
    vendor: smallest,
    over: 'socket',
    open: () => openSmallestTts(apiKey),
    settings: [
      [{ voice: 'meher' }, '"voice_id":"meher"'],
      [{ voice: 'meher', voiceId: 'liam' }, '"voice_id":"liam"'],
      [{ language: 'hi-IN' }, '"language":"hi"'],
      [{ model: 'lightning_v3.1_pro' }, '"model":"lightning_v3.1_pro"'],
      [{ speed: 0.8 }, '"speed":0.8'],
    ],
  },
  {
    vendor: sarvam,
    over: 'socket',
    open: () => openSarvamTts(apiKey),
    idleMs: 60_000,
    settings: [
      [{ voice: 'Priya' }, '"speaker":"priya"'],
      [{ voice: 'priya', voiceId: 'rahul' }, '"speaker":"rahul"'],
      [{ language: 'or' }, '"language_code":"od-IN"'],
      [{ model: 'bulbul:v2' }, ['model=bulbul%3Av2', '"speaker":"anushka"']],
      [{ temperature: 0.3 }, '"temperature":0.3'],
      [{ speed: 1.5 }, '"pace":1.5'],
      [{ bufferSize: 80 }, '"min_buffer_size":80'],
    ],
  },
  {
    vendor: pixa,
    over: 'socket',
    open: () => openPixaTts(apiKey),
    settings: [
      [{ voice: 'neha' }, '"voice":"neha"'],
      [{ voice: 'neha', voiceId: 'v-7' }, '"voice":"v-7"'],
    ],
  },
  {
    vendor: polly,
    over: 'http',
    nonsense: null,
    open: () => openPollyTts(awsKey),
    credentials: awsKey,
    settings: [
      [{ voice: 'Matthew' }, '"VoiceId":"Matthew"'],
      [{ voice: 'Matthew', voiceId: 'Amy' }, '"VoiceId":"Amy"'],
      [{ language: 'de' }, '"VoiceId":"Vicki"'],
      [{ language: 'hi' }, ['"VoiceId":"Kajal"', '"LanguageCode":"hi-IN"']],
      [{ engine: 'generative' }, '"Engine":"generative"'],
      [{ voice: 'Raveena' }, '"Engine":"standard"'],
      [{ language: 'ru' }, ['"VoiceId":"Tatyana"', '"Engine":"standard"']],
      [{ speed: 1.2 }, '<prosody rate=\\"120%\\">'],
      [{ speed: 9 }, '<prosody rate=\\"200%\\">'],
      [
        { pronunciations: nguyen },
        [
          '<phoneme alphabet=\\"ipa\\" ph=\\"ŋwiən\\">',
          '<sub alias=\\"questions &amp; answers\\">Q&amp;A</sub>',
        ],
      ],
    ],
  },
  {
    vendor: azuretts,
    over: 'socket',
    open: () => openAzureTts(apiKey),
    credentials: { apiKey, region: 'westeurope' },
    settings: [
      [{ voice: 'en-US-GuyNeural' }, '<voice name="en-US-GuyNeural">'],
      [{ voice: 'x', voiceId: 'en-GB-RyanNeural' }, '<voice name="en-GB-RyanNeural">'],
      [{ language: 'fr' }, '<lang xml:lang="fr-FR">'],
      [{ speed: 1.2 }, '<prosody rate="1.2">'],
      [{ pronunciations: nguyen }, '<phoneme alphabet="ipa" ph="ŋwiən">Nguyen</phoneme>'],
    ],
  },
  {
    vendor: gemini,
    over: 'http',
    nonsense: 'data: {"candidates":7}\n\n',
    open: () => openGeminiTts(apiKey),
    settings: [
      [{ voice: 'Puck' }, '"voiceName":"Puck"'],
      [{ voice: 'Puck', voiceId: 'Leda' }, '"voiceName":"Leda"'],
      [{ language: 'it' }, '"languageCode":"it-IT"'],
      [{ model: 'gemini-2.5-pro-preview-tts' }, '/models/gemini-2.5-pro-preview-tts:'],
      [{ temperature: 0.7 }, '"temperature":0.7'],
    ],
  },
]

for (const { vendor, settings, credentials = { apiKey }, ...row } of rows) {
  synthesizerSuite(vendor.label, { vendor, credentials, ...row })

  describe(`settings of an agent, at ${vendor.label}`, () => {
    it.each(settings)('%o becomes %s', async (options, expected) => {
      const sent = await sentFor({ vendor, credentials, open: row.open }, options)
      for (const fragment of [expected].flat()) expect(sent).toContain(fragment)
    })

    it('is tested for every setting that it has something for', () => {
      const tested = settings.flatMap(([options]) => Object.keys(options))
      // Text is gathered before it reaches a vendor: gathered-text.test.ts.
      const gathered = 'how much text it gets at a time, above 40 characters'
      const mapped = Object.entries(vendor.options).filter(
        ([name, what]) =>
          what !== null && what !== gathered && !what.startsWith('always') && name !== 'stream',
      )
      expect(mapped.map(([name]) => name).toSorted()).toEqual([...new Set(tested)].toSorted())
    })
  })
}

it('Polly has a voice of its own for every language that it speaks', async () => {
  const { languages } = polly.abilities
  const open = () => openPollyTts(awsKey)
  const voices = new Set<string>()
  for (const language of languages) {
    const sent = await sentFor({ vendor: polly, credentials: awsKey, open }, { language })
    voices.add(/"VoiceId":"(\w+)"/.exec(sent)?.[1] ?? '')
  }
  expect(voices.size).toBe(languages.length)
})

it.each([
  ['Rime', rime, openRimeTts],
  ['Sarvam', sarvam, openSarvamTts],
] as const)(
  '%s: an interruption between two clauses leaves the connection to the next saying',
  async (_, vendor, open) => {
    const server = await open(apiKey)
    const engine = vendor.open({ credentials: { apiKey }, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine.close?.(),
    )
    const { signal } = new AbortController()
    const first = engine.open({ voice: '', rateHz: 8_000 }, signal)
    first.write('One moment.')
    first.flush()
    for await (const { type } of first) if (type === 'clause-end') break
    first.cancel()
    const second = engine.open({ voice: '', rateHz: 8_000 }, signal)
    second.write('Here I am.')
    second.finish()
    expect(await heardFrom(second)).toEqual(['Here', 'I', 'am.'])
    expect(server.asked.length).toBe(1)
  },
)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Everything that the vendor was sent for one sentence. */
async function sentFor(
  { vendor, credentials, open }: Required<Pick<Row, 'vendor' | 'credentials' | 'open'>>,
  options: Partial<SynthesizerOptions>,
): Promise<string> {
  const server = await open()
  const engine = vendor.open({ credentials, baseUrl: server.baseUrl })
  cleanups.push(
    () => server.close(),
    () => engine.close?.(),
  )
  const text = 'Ask Nguyen for the Q&A <now>.'
  const stream = engine.open({ voice: '', rateHz: 16_000, ...options }, new AbortController().signal)
  stream.write(text)
  stream.finish()
  expect(await heardFrom(stream)).toEqual(text.split(' '))
  return [...server.asked.map(({ url }) => `${url.pathname}${url.search}`), ...server.messages].join('\n')
}
