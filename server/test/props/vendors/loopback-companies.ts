// Every company that hears or speaks on a loopback address, by the names that agents use: a company without a row does
// not compile.
import type { SynthesizerName, TranscriberName } from '@parley/contract/companies'
import { openAssemblyStt } from './assembly-stt.ts'
import { openAzureStt } from './azure-stt.ts'
import { openAzureTts } from './azure-tts.ts'
import { openCartesiaTts } from './cartesia-tts.ts'
import { openDeepgramStt } from './deepgram-stt.ts'
import { openDeepgramTts } from './deepgram-tts.ts'
import { openElevenlabsStt } from './elevenlabs-stt.ts'
import { openElevenlabsTts } from './elevenlabs-tts.ts'
import { openGeminiTts } from './gemini-tts.ts'
import { openGladiaStt } from './gladia-stt.ts'
import { openGoogleStt } from './google-stt.ts'
import { openGoogleTts, serviceAccount } from './google-tts.ts'
import { openOpenaiStt } from './openai-stt.ts'
import { openOpenaiTts } from './openai-tts.ts'
import { openPixaStt } from './pixa-stt.ts'
import { openPixaTts } from './pixa-tts.ts'
import { openPollyTts } from './polly-tts.ts'
import { openRimeTts } from './rime-tts.ts'
import { openSarvamStt } from './sarvam-stt.ts'
import { openSarvamTts } from './sarvam-tts.ts'
import { openSmallestStt } from './smallest-stt.ts'
import { openSmallestTts } from './smallest-tts.ts'
import { openSonioxStt } from './soniox-stt.ts'
import type { HearingServer } from './stt-server.ts'
import { usualNovelty } from './stt-suite.ts'
import type { TtsServer } from './tts-suite.ts'
import { openWhisperStt } from './whisper-stt.ts'

interface Loopback<Server> {
  readonly open: () => Promise<Server>
  readonly credentials: Readonly<Record<string, string>>
  /** A message by which it reports a fault of its own; undefined: a status does. */
  readonly complaint?: string
  /** A message of a type that it may add some day; undefined: it sends no messages. */
  readonly novelty?: string
}

const apiKey = 'secret-of-the-vendor'
const key = { apiKey }
const ofMicrosoft = { apiKey, region: 'westeurope' }
const ofAmazon = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret', region: 'eu-west-1' }
const ofGoogle = serviceAccount('caller')

const socket = { credentials: key, novelty: usualNovelty }
const azureNovelty = 'X-RequestId: 1\r\nPath: novel.thing\r\n\r\n{}'
const typedError = '{"type":"error","message":"Internal error."}'

export const hearingCompanies: Readonly<Record<TranscriberName, Loopback<HearingServer>>> = {
  deepgram: {
    ...socket,
    open: () => openDeepgramStt(apiKey),
    complaint: '{"type":"Error","description":"Internal error."}',
  },
  elevenlabs: {
    ...socket,
    open: () => openElevenlabsStt(apiKey),
    complaint: '{"message_type":"transcriber_error","error":"Internal error."}',
  },
  openai: {
    ...socket,
    open: () => openOpenaiStt(apiKey),
    complaint: '{"type":"error","error":{"code":"server_error","message":"Internal error."}}',
  },
  azure: {
    credentials: ofMicrosoft,
    open: () => openAzureStt(apiKey),
    complaint: 'X-RequestId: 1\r\nPath: speech.phrase\r\n\r\n{"RecognitionStatus":"Error"}',
    novelty: azureNovelty,
  },
  google: { credentials: { serviceAccount: ofGoogle }, open: () => openGoogleStt(), novelty: usualNovelty },
  smallest: { ...socket, open: () => openSmallestStt(apiKey), complaint: typedError },
  sarvam: {
    ...socket,
    open: () => openSarvamStt(apiKey),
    complaint: '{"event":"error","code":"internal","is_fatal":true,"message":"Internal error."}',
  },
  pixa: { ...socket, open: () => openPixaStt(apiKey), complaint: typedError },
  assembly: {
    ...socket,
    open: () => openAssemblyStt(apiKey),
    complaint: '{"type":"Error","error_code":3005,"error":"Internal error."}',
  },
  gladia: {
    ...socket,
    open: () => openGladiaStt(apiKey),
    complaint: '{"type":"error","error":{"message":"Internal error."}}',
  },
  soniox: {
    ...socket,
    open: () => openSonioxStt(apiKey),
    complaint: '{"error_code":500,"error_message":"Internal error."}',
  },
  whisper: { credentials: key, open: () => openWhisperStt(apiKey) },
}

export const speakingCompanies: Readonly<Record<SynthesizerName, Loopback<TtsServer>>> = {
  deepgram: {
    ...socket,
    open: () => openDeepgramTts(apiKey),
    complaint: '{"type":"Error","description":"Internal error."}',
  },
  elevenlabs: {
    ...socket,
    open: () => openElevenlabsTts(apiKey),
    complaint: '{"error":"internal","message":"Internal error."}',
  },
  openai: { credentials: key, open: () => openOpenaiTts(apiKey) },
  azuretts: { credentials: ofMicrosoft, open: () => openAzureTts(apiKey), novelty: azureNovelty },
  google: { credentials: { serviceAccount: ofGoogle }, open: () => openGoogleTts(ofGoogle) },
  polly: { credentials: ofAmazon, open: () => openPollyTts(ofAmazon) },
  cartesia: { ...socket, open: () => openCartesiaTts(apiKey), complaint: typedError },
  rime: { ...socket, open: () => openRimeTts(apiKey), complaint: typedError },
  smallest: {
    ...socket,
    open: () => openSmallestTts(apiKey),
    complaint: '{"status":"error","message":"Internal error."}',
  },
  sarvam: {
    ...socket,
    open: () => openSarvamTts(apiKey),
    complaint: '{"type":"error","data":{"message":"Internal error."}}',
  },
  pixa: { ...socket, open: () => openPixaTts(apiKey), complaint: typedError },
  gemini: {
    credentials: key,
    open: () => openGeminiTts(apiKey),
    novelty: 'data: {"groundingStatus":"novel"}\r\n\r\n',
  },
}
