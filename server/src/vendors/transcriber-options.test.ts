// What each transcriber makes of an agent's settings, as its server is asked for it: a row for every setting that the
// description of the vendor names.
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openAssemblyStt } from '../../test/props/vendors/assembly-stt.ts'
import { openAzureStt } from '../../test/props/vendors/azure-stt.ts'
import { openGladiaStt } from '../../test/props/vendors/gladia-stt.ts'
import { openGoogleStt } from '../../test/props/vendors/google-stt.ts'
import { openPixaStt } from '../../test/props/vendors/pixa-stt.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { openSmallestStt } from '../../test/props/vendors/smallest-stt.ts'
import { openSonioxStt } from '../../test/props/vendors/soniox-stt.ts'
import type { HearingServer } from '../../test/props/vendors/stt-server.ts'
import { openWhisperStt } from '../../test/props/vendors/whisper-stt.ts'
import { makeFrame } from '../media/frame.ts'
import type { TranscriberOptions } from '../ports/transcriber.ts'
import { sttVendors } from './index.ts'

const apiKey = 'secret-of-the-vendor'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const serviceAccount = JSON.stringify({
  project_id: 'shop',
  client_email: 'parley@shop.example.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** What an agent has that says nothing about its transcriber but the vendor. */
const usual: TranscriberOptions = {
  model: 'nova-2',
  language: 'en',
  rateHz: 8_000,
  samplingRateHz: 16_000,
  encoding: 'linear16',
  task: 'transcribe',
  stream: false,
  endpointingMs: 500,
  keyterms: [],
}

type Row = readonly [wish: Partial<TranscriberOptions>, asked: Readonly<Record<string, unknown>>]

interface Table {
  readonly open: () => Promise<HearingServer>
  /** What it is asked for when an agent says nothing. */
  readonly usually: Readonly<Record<string, unknown>>
  readonly rows: readonly Row[]
}

const tables: Readonly<Record<string, Table>> = {
  assembly: {
    open: () => openAssemblyStt(apiKey),
    usually: {
      speech_model: 'universal-3-5-pro',
      sample_rate: '16000',
      encoding: 'pcm_s16le',
      format_turns: 'true',
      min_turn_silence: '500',
      max_turn_silence: '500',
      language_codes: '["en"]',
    },
    rows: [
      [{ model: 'universal-streaming-english' }, { speech_model: 'universal-streaming-english' }],
      [{ language: 'pt-BR' }, { language_codes: '["pt"]' }],
      [{ language: 'auto' }, { language_detection: 'true' }],
      [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
      [{ encoding: 'mulaw' }, { encoding: 'pcm_mulaw' }],
      [{ endpointingMs: 700 }, { min_turn_silence: '700', max_turn_silence: '700' }],
      [{ keyterms: ['Maple', 'Nguyen'] }, { keyterms_prompt: '["Maple","Nguyen"]' }],
    ],
  },
  azure: {
    open: () => openAzureStt(apiKey),
    usually: {
      path: '/speech/recognition/conversation/cognitiveservices/v1',
      language: 'en-US',
      format: 'simple',
      rateHz: 16_000,
      encoding: 'linear16',
      phraseDetection: {
        mode: 'Conversation',
        conversation: { segmentation: { mode: 'Custom', segmentationSilenceTimeoutMs: 500 } },
      },
    },
    rows: [
      [{ model: 'b6f2' }, { cid: 'b6f2' }],
      [{ language: 'de' }, { language: 'de-DE' }],
      [{ language: 'en-gb' }, { language: 'en-GB' }],
      [
        { language: 'auto' },
        {
          path: '/stt/speech/universal/v2',
          lidEnabled: 'true',
          languageId: expect.objectContaining({ mode: 'DetectContinuous' }),
        },
      ],
      [{ samplingRateHz: 8_000 }, { rateHz: 8_000 }],
      [{ encoding: 'alaw' }, { encoding: 'alaw' }],
      [
        { endpointingMs: 9_000 },
        {
          phraseDetection: {
            mode: 'Conversation',
            conversation: { segmentation: { mode: 'Custom', segmentationSilenceTimeoutMs: 5_000 } },
          },
        },
      ],
      [{ keyterms: ['Maple'] }, { dgi: { groups: [{ type: 'Generic', items: [{ text: 'Maple' }] }] } }],
    ],
  },
  gladia: {
    open: () => openGladiaStt(apiKey),
    usually: {
      model: 'solaria-1',
      encoding: 'wav/pcm',
      bit_depth: 16,
      sample_rate: 16_000,
      channels: 1,
      endpointing: 0.5,
      language_config: { languages: ['en'] },
      realtime_processing: {},
    },
    rows: [
      [{ model: 'solaria-2' }, { model: 'solaria-2' }],
      [{ language: 'French' }, { language_config: { languages: ['fr'] } }],
      [{ language: 'auto' }, { language_config: { languages: [], code_switching: true } }],
      [{ samplingRateHz: 8_000 }, { sample_rate: 8_000 }],
      [{ encoding: 'mulaw' }, { encoding: 'wav/ulaw', bit_depth: 8 }],
      [{ endpointingMs: 250 }, { endpointing: 0.25 }],
      [
        { task: 'translate' },
        { realtime_processing: { translation: true, translation_config: { target_languages: ['en'] } } },
      ],
      [
        { keyterms: ['Maple'] },
        {
          realtime_processing: {
            custom_vocabulary: true,
            custom_vocabulary_config: { vocabulary: ['Maple'] },
          },
        },
      ],
    ],
  },
  google: {
    open: () => openGoogleStt(),
    usually: {
      recognizer: 'projects/shop/locations/global/recognizers/_',
      model: 'long',
      languages: ['en-US'],
      encoding: 1,
      rateHz: 16_000,
      interim: 1,
      sensitivity: 3,
      phrases: [],
    },
    rows: [
      [{ model: 'telephony' }, { model: 'telephony' }],
      [{ language: 'hi' }, { languages: ['hi-IN'] }],
      [
        { language: 'auto' },
        { languages: ['auto'], model: 'chirp_3', recognizer: 'projects/shop/locations/us/recognizers/_' },
      ],
      [{ samplingRateHz: 8_000 }, { rateHz: 8_000 }],
      [{ encoding: 'mulaw' }, { encoding: 2 }],
      [{ endpointingMs: 200 }, { sensitivity: 2 }],
      [{ endpointingMs: 2_000 }, { sensitivity: 1 }],
      [{ task: 'translate' }, { translation: 'en-US' }],
      [{ keyterms: ['Maple', 'Nguyen'] }, { phrases: ['Maple', 'Nguyen'] }],
    ],
  },
  pixa: {
    open: () => openPixaStt(apiKey),
    usually: { model: 'pixa-1', language: 'hi', encoding: 'linear16', sample_rate: '16000' },
    rows: [
      [{ model: 'whisper-1' }, { model: 'whisper-1' }],
      [{ language: 'hi-IN' }, { language: 'hi' }],
      [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
      [{ encoding: 'alaw' }, { encoding: 'alaw' }],
    ],
  },
  sarvam: {
    open: () => openSarvamStt(apiKey),
    usually: {
      model: 'saaras:v3-realtime',
      language_code: 'en-IN',
      mode: 'transcribe',
      endpointing: 'vad',
      silence_duration_ms: '500',
      encoding: 'linear16',
      sample_rate: '16000',
    },
    rows: [
      [{ model: 'saaras:v4-realtime' }, { model: 'saaras:v4-realtime' }],
      [{ language: 'ta' }, { language_code: 'ta-IN' }],
      [{ language: 'auto' }, { language_code: 'auto' }],
      [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
      [{ samplingRateHz: 48_000 }, { sample_rate: '8000' }],
      [{ encoding: 'mulaw' }, { encoding: 'mulaw' }],
      [{ task: 'translate' }, { mode: 'translate' }],
      [{ task: 'codemix' }, { mode: 'codemix' }],
      [{ endpointingMs: 300 }, { silence_duration_ms: '300' }],
      [{ keyterms: ['Maple', 'Nguyen'] }, { prompt: 'Maple, Nguyen' }],
    ],
  },
  smallest: {
    open: () => openSmallestStt(apiKey),
    usually: {
      model: 'pulse',
      language: 'en',
      encoding: 'linear16',
      sample_rate: '16000',
      endpointing: 'true',
      eou_timeout_ms: '500',
    },
    rows: [
      [{ model: 'pulse-2' }, { model: 'pulse-2' }],
      [{ language: 'es-MX' }, { language: 'es' }],
      [{ language: 'auto' }, { language: 'multi' }],
      [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
      [{ encoding: 'mulaw' }, { encoding: 'mulaw' }],
      [{ endpointingMs: 20 }, { eou_timeout_ms: '100' }],
      [{ keyterms: ['Maple', 'Nguyen:4'] }, { keywords: 'Maple:2,Nguyen:4' }],
    ],
  },
  soniox: {
    open: () => openSonioxStt(apiKey),
    usually: {
      model: 'stt-rt-v5',
      audio_format: 'pcm_s16le',
      sample_rate: 16_000,
      num_channels: 1,
      language_hints: ['en'],
      language_hints_strict: true,
      max_endpoint_delay_ms: 500,
    },
    rows: [
      [{ model: 'stt-rt-v4' }, { model: 'stt-rt-v4' }],
      [{ language: 'it_IT' }, { language_hints: ['it'] }],
      [{ language: 'auto' }, { enable_language_identification: true }],
      [{ samplingRateHz: 8_000 }, { sample_rate: 8_000 }],
      [{ encoding: 'alaw' }, { audio_format: 'alaw' }],
      [{ task: 'translate' }, { translation: { type: 'one_way', target_language: 'en' } }],
      [{ endpointingMs: 200 }, { max_endpoint_delay_ms: 500 }],
      [{ endpointingMs: 900 }, { max_endpoint_delay_ms: 900 }],
      [{ keyterms: ['Maple'] }, { context: { terms: ['Maple'] } }],
    ],
  },
  whisper: {
    open: () => openWhisperStt(apiKey),
    usually: {
      path: '/audio/transcriptions',
      model: 'whisper-1',
      language: 'en',
      response_format: 'verbose_json',
      rateHz: 16_000,
      encoding: 'linear16',
    },
    rows: [
      [{ model: 'large-v3' }, { model: 'large-v3' }],
      [{ language: 'de-AT' }, { language: 'de' }],
      [{ samplingRateHz: 8_000 }, { rateHz: 8_000 }],
      [{ encoding: 'mulaw' }, { encoding: 'mulaw' }],
      [{ task: 'translate' }, { path: '/audio/translations' }],
      [{ keyterms: ['Maple', 'Nguyen'] }, { prompt: 'Maple, Nguyen' }],
    ],
  },
}

/** What the vendor is asked for by an agent with these settings. */
const askedFor = async (name: string, wish: Partial<TranscriberOptions>) =>
  (await asked(name, wish)).settings[0] ?? {}

async function asked(name: string, wish: Partial<TranscriberOptions>): Promise<HearingServer> {
  const server = await tables[name]?.open()
  const vendor = sttVendors[name as keyof typeof sttVendors]
  const credentials = { apiKey, serviceAccount, region: 'westeurope' }
  if (!server) throw new Error(`${name} can be opened`)
  const stop = new AbortController()
  cleanups.push(
    () => server.close(),
    () => stop.abort(),
  )
  const stream = vendor
    .open({ credentials, baseUrl: server.baseUrl })
    .open({ ...usual, ...wish }, stop.signal)
  void (async () => {
    for await (const _ of stream);
  })().catch(() => {})
  stream.hear?.({ type: 'speech-start', atMs: 0 })
  for (let n = 0; n < 10; n++) stream.write(makeFrame(8_000))
  stream.finalize?.()
  await expect.poll(() => server.settings.length).toBeGreaterThan(0)
  return server
}

describe.each(Object.entries(tables))('the settings of an agent, at %s', (name, { usually, rows }) => {
  it('that says nothing are the vendor’s recommendations', async () => {
    expect(await askedFor(name, {})).toMatchObject(usually)
  })

  it.each(rows)('%o ask for %o', async (wish, asked) => {
    expect(await askedFor(name, wish)).toMatchObject(asked)
  })

  it.each([8_000, 16_000, 24_000, 48_000])('%i hertz are what it gets, or what it lacks', async (hertz) => {
    const wish = { samplingRateHz: hertz }
    const { rateHz } = await asked(name, wish)
    const lacks = sttVendors[name as keyof typeof sttVendors].lacks?.(wish) ?? []
    expect(rateHz === hertz).toBe(!lacks.includes('samplingRateHz'))
  })

  it('are all of those that its description names', () => {
    const { options = {} } = sttVendors[name as keyof typeof sttVendors]
    const named = Object.entries<string | null>(options).flatMap(([option, effect]) =>
      effect === null || /^(always|ours)/.test(effect) ? [] : [option],
    )
    const tried = new Set(rows.flatMap(([wish]) => Object.keys(wish)))
    expect(named.filter((option) => !tried.has(option))).toEqual([])
  })
})
