// The language of an agent as each vendor gets it over the wire, in the vendor's own way of writing it.
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openAssemblyStt } from '../../test/props/vendors/assembly-stt.ts'
import { openAzureStt } from '../../test/props/vendors/azure-stt.ts'
import { openAzureTts } from '../../test/props/vendors/azure-tts.ts'
import { openCartesiaTts } from '../../test/props/vendors/cartesia-tts.ts'
import { openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openElevenlabsStt } from '../../test/props/vendors/elevenlabs-stt.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { openGeminiTts } from '../../test/props/vendors/gemini-tts.ts'
import { openGladiaStt } from '../../test/props/vendors/gladia-stt.ts'
import { openGoogleStt } from '../../test/props/vendors/google-stt.ts'
import { openGoogleTts } from '../../test/props/vendors/google-tts.ts'
import { openOpenaiStt } from '../../test/props/vendors/openai-stt.ts'
import { openOpenaiTts } from '../../test/props/vendors/openai-tts.ts'
import { openPixaStt } from '../../test/props/vendors/pixa-stt.ts'
import { openPixaTts } from '../../test/props/vendors/pixa-tts.ts'
import { openPollyTts } from '../../test/props/vendors/polly-tts.ts'
import { openRimeTts } from '../../test/props/vendors/rime-tts.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { openSarvamTts } from '../../test/props/vendors/sarvam-tts.ts'
import { openSmallestStt } from '../../test/props/vendors/smallest-stt.ts'
import { openSmallestTts } from '../../test/props/vendors/smallest-tts.ts'
import { openSonioxStt } from '../../test/props/vendors/soniox-stt.ts'
import type { VendorServer } from '../../test/props/vendors/vendor-server.ts'
import { openWhisperStt } from '../../test/props/vendors/whisper-stt.ts'
import { type Languages, speaksLanguage } from '../engines/language-code.ts'
import { makeFrame } from '../media/frame.ts'
import { sttVendors, ttsVendors } from './index.ts'

const apiKey = 'secret-of-the-vendor'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const serviceAccount = JSON.stringify({
  project_id: 'shop',
  client_email: 'parley@shop.example.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
})
const awsKey = { secretAccessKey: apiKey, accessKeyId: 'AKIA1234', region: 'eu-west-1' }
const credentials = { apiKey, serviceAccount, ...awsKey }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Every way in which an agent may say it. */
const languages = ['en', 'en-US', 'pt-BR', 'hi', 'zh', 'pt_br', 'Portuguese', 'de-AT', 'auto'] as const

type Row = readonly [
  open: () => Promise<VendorServer>,
  /** Finds the language in all that the vendor was sent. */
  where: RegExp,
  /** In the order of `languages`; empty: nothing is sent; `-`: it does not know the language. */
  written: string,
]

const inQuery = (name: string) => new RegExp(`[?&]${name}=([^&\n]*)`)
const inJson = (name: string) => new RegExp(`"${name}":\\[?"([^"]*)"`)

const transcribers: Readonly<Record<keyof typeof sttVendors, Row>> = {
  assembly: [() => openAssemblyStt(apiKey), /language_codes":"\[\\"(\w+)/, 'en,en,pt,hi,zh,pt,pt,de,'],
  azure: [() => openAzureStt(apiKey), inJson('language'), 'en-US,en-US,pt-BR,hi-IN,zh-CN,pt-BR,pt-BR,de-AT,'],
  deepgram: [() => openDeepgramStt(apiKey), inQuery('language'), 'en,en-US,pt-BR,hi,zh,pt-BR,pt,de,multi'],
  elevenlabs: [() => openElevenlabsStt(apiKey), inQuery('language_code'), 'en,en,pt,hi,zh,pt,pt,de,'],
  gladia: [() => openGladiaStt(apiKey), inJson('languages'), 'en,en,pt,hi,zh,pt,pt,de,'],
  google: [
    () => openGoogleStt(),
    inJson('languages'),
    'en-US,en-US,pt-BR,hi-IN,cmn-Hans-CN,pt-BR,pt-BR,de-AT,auto',
  ],
  openai: [() => openOpenaiStt(apiKey), inJson('language'), 'en,en,pt,hi,zh,pt,pt,de,'],
  pixa: [() => openPixaStt(apiKey), inJson('language'), '-,-,-,hi,-,-,-,-,hi'],
  sarvam: [() => openSarvamStt(apiKey), inJson('language_code'), 'en-IN,en-IN,-,hi-IN,-,-,-,-,auto'],
  smallest: [() => openSmallestStt(apiKey), inJson('language'), 'en,en,pt,hi,zh,pt,pt,de,multi'],
  soniox: [() => openSonioxStt(apiKey), inJson('language_hints'), 'en,en,pt,hi,zh,pt,pt,de,'],
  whisper: [() => openWhisperStt(apiKey), inJson('language'), 'en,en,pt,hi,zh,pt,pt,de,'],
}

const synthesizers: Readonly<Record<keyof typeof ttsVendors, Row>> = {
  azuretts: [
    () => openAzureTts(apiKey),
    /<speak [^>]*xml:lang="([^"]*)"/,
    'en-US,en-US,pt-BR,hi-IN,zh-CN,pt-BR,pt-BR,de-AT,en-US',
  ],
  cartesia: [() => openCartesiaTts(apiKey), inJson('language'), 'en,en,pt,hi,zh,pt,pt,de,'],
  deepgram: [() => openDeepgramTts(apiKey), /model=aura-2-\w+-(\w+)/, 'en,en,-,-,-,-,-,de,en'],
  elevenlabs: [() => openElevenlabsTts(apiKey), inQuery('language_code'), 'en,en,pt,hi,zh,pt,pt,de,'],
  gemini: [
    () => openGeminiTts(apiKey),
    inJson('languageCode'),
    'en-US,en-US,pt-BR,hi-IN,cmn-CN,pt-BR,pt-BR,de-DE,',
  ],
  google: [
    () => openGoogleTts(serviceAccount),
    inJson('languageCode'),
    'en-US,en-US,pt-BR,hi-IN,cmn-CN,pt-BR,pt-BR,de-DE,en-US',
  ],
  openai: [() => openOpenaiTts(apiKey), inJson('language'), ',,,,,,,,'],
  pixa: [() => openPixaTts(apiKey), inJson('language'), '-,-,-,,-,-,-,-,'],
  // Only a voice of two languages is told which.
  polly: [() => openPollyTts(awsKey), inJson('LanguageCode'), ',,,hi-IN,,,,,'],
  rime: [() => openRimeTts(apiKey), inQuery('lang'), 'eng,eng,-,hin,-,-,-,ger,'],
  sarvam: [() => openSarvamTts(apiKey), inJson('language_code'), 'en-IN,en-IN,-,hi-IN,-,-,-,-,en-IN'],
  smallest: [() => openSmallestTts(apiKey), inJson('language'), 'en,en,pt,hi,zh,pt,pt,de,'],
}

/** Addresses, messages and settings, as the loopback servers of the vendors keep them. */
function sentTo(server: VendorServer): string {
  const { asked, ...kept } = server as VendorServer & Readonly<Record<string, unknown>>
  const addresses = asked.map(({ url }) => `${url.pathname}${url.search}`)
  const {
    messages = [],
    settings = [],
    sessions = [],
    configs = [],
    contexts = [],
  } = kept as Record<string, readonly unknown[]>
  const told = [...settings, ...sessions, ...configs, ...contexts].map((one) => JSON.stringify(one))
  return [...addresses, ...messages, ...told].join('\n')
}

async function listenTo(vendor: keyof typeof sttVendors, baseUrl: string, language: string) {
  const stop = new AbortController()
  cleanups.push(() => stop.abort())
  const stream = sttVendors[vendor].open({ credentials, baseUrl }).open(
    {
      model: '',
      language,
      rateHz: 8_000,
      samplingRateHz: 16_000,
      encoding: 'linear16',
      task: 'transcribe',
      stream: false,
      endpointingMs: 500,
      keyterms: [],
    },
    stop.signal,
  )
  void (async () => {
    for await (const _ of stream);
  })().catch(() => {})
  stream.hear?.({ type: 'speech-start', atMs: 0 })
  for (let n = 0; n < 10; n++) stream.write(makeFrame(8_000))
  stream.finalize?.()
}

async function speakWith(vendor: keyof typeof ttsVendors, baseUrl: string, language: string) {
  const engine = ttsVendors[vendor].open({ credentials, baseUrl })
  cleanups.push(() => engine.close?.())
  const stream = engine.open({ voice: '', rateHz: 16_000, language }, new AbortController().signal)
  stream.write('Yes.')
  stream.finish()
  for await (const _ of stream);
}

const casesOf = (table: Readonly<Record<string, Row>>) =>
  Object.entries(table).map(([vendor, row]) => ({ vendor, row }))

async function written(
  [open, where]: Row,
  known: Languages,
  tell: (baseUrl: string, language: string) => Promise<void>,
) {
  const found: string[] = []
  for (const language of languages) {
    if (!speaksLanguage(known, language)) {
      found.push('-')
      continue
    }
    const server = await open()
    cleanups.push(() => server.close())
    await tell(server.baseUrl, language)
    const isTold = () => {
      const { settings, sessions, configs } = server as unknown as Record<string, unknown[] | undefined>
      return (settings ?? sessions ?? configs ?? server.asked).length > 0
    }
    await expect.poll(isTold).toBe(true)
    found.push(where.exec(sentTo(server))?.[1] ?? '')
  }
  return found.join()
}

describe('the language that a transcriber is told', () => {
  it.each(casesOf(transcribers))('is in the way of $vendor', async ({ vendor, row }) => {
    const name = vendor as keyof typeof sttVendors
    const { languages: known } = sttVendors[name].abilities
    const found = await written(row, known, (baseUrl, language) => listenTo(name, baseUrl, language))
    expect(found).toBe(row[2])
  })
})

describe('the language that a synthesizer is told', () => {
  it.each(casesOf(synthesizers))('is in the way of $vendor', async ({ vendor, row }) => {
    const name = vendor as keyof typeof ttsVendors
    const { languages: known } = ttsVendors[name].abilities
    const found = await written(row, known, (baseUrl, language) => speakWith(name, baseUrl, language))
    expect(found).toBe(row[2])
  })
})
