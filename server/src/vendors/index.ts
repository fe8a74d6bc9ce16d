// Every company and server by what it does: the compiler asks for each service that a row of the contract names.
import {
  type CompanyName,
  type companies,
  type LlmProvider,
  llmProviders,
  type RecordingsName,
  recordingsNames,
  type SynthesizerName,
  synthesizers,
  type TranscriberName,
  transcriberNames,
} from '@parley/contract/companies'
import type { SttVendor, TtsVendor } from '../ports/vendor.ts'
import { thinks as anthropicThinks } from './anthropic/thinks.ts'
import { hears as assemblyHears } from './assembly/hears.ts'
import { transcribesRecordings as assemblyRecordings } from './assembly/recordings.ts'
import { hears as azureHears } from './azure/hears.ts'
import { transcribesRecordings as azureRecordings } from './azure/recordings.ts'
import { speaks as azureSpeaks } from './azure/speaks.ts'
import { thinks as azureThinks } from './azure/thinks.ts'
import { speaks as cartesiaSpeaks } from './cartesia/speaks.ts'
import { completionServers } from './chat-completions.ts'
import { hears as deepgramHears } from './deepgram/hears.ts'
import { transcribesRecordings as deepgramRecordings } from './deepgram/recordings.ts'
import { speaks as deepgramSpeaks } from './deepgram/speaks.ts'
import { hears as elevenlabsHears } from './elevenlabs/hears.ts'
import { transcribesRecordings as elevenlabsRecordings } from './elevenlabs/recordings.ts'
import { speaks as elevenlabsSpeaks } from './elevenlabs/speaks.ts'
import { speaks as geminiSpeaks } from './gemini/speaks.ts'
import { thinks as geminiThinks } from './gemini/thinks.ts'
import { hears as gladiaHears } from './gladia/hears.ts'
import { transcribesRecordings as gladiaRecordings } from './gladia/recordings.ts'
import { hears as googleHears } from './google/hears.ts'
import { speaks as googleSpeaks } from './google/speaks.ts'
import { thinks as mistralThinks } from './mistral/thinks.ts'
import { hears as openaiHears } from './openai/hears.ts'
import { transcribesRecordings as openaiRecordings } from './openai/recordings.ts'
import { speaks as openaiSpeaks } from './openai/speaks.ts'
import { thinks as openaiThinks } from './openai/thinks.ts'
import { thinks as openrouterThinks } from './openrouter/thinks.ts'
import type { TranscriptionServer, TranscriptionVendor } from './over/recordings/vendor.ts'
import type { ModelVendor } from './over/thinks/protocol.ts'
import { hears as pixaHears } from './pixa/hears.ts'
import { speaks as pixaSpeaks } from './pixa/speaks.ts'
import { speaks as pollySpeaks } from './polly/speaks.ts'
import { speaks as rimeSpeaks } from './rime/speaks.ts'
import { hears as sarvamHears } from './sarvam/hears.ts'
import { transcribesRecordings as sarvamRecordings } from './sarvam/recordings.ts'
import { speaks as sarvamSpeaks } from './sarvam/speaks.ts'
import { hears as smallestHears } from './smallest/hears.ts'
import { speaks as smallestSpeaks } from './smallest/speaks.ts'
import { hears as sonioxHears } from './soniox/hears.ts'
import { transcribesRecordings as sonioxRecordings } from './soniox/recordings.ts'
import { hears as whisperHears } from './whisper/hears.ts'

interface Services {
  readonly hears: SttVendor
  readonly speaks: TtsVendor
  readonly recordings: (server: TranscriptionServer) => TranscriptionVendor
  readonly thinks: ModelVendor
}

type ServicesOf<Row> = { readonly [Service in keyof Row & keyof Services]: Services[Service] }

const services = {
  deepgram: { hears: deepgramHears, speaks: deepgramSpeaks, recordings: deepgramRecordings },
  elevenlabs: { hears: elevenlabsHears, speaks: elevenlabsSpeaks, recordings: elevenlabsRecordings },
  openai: { hears: openaiHears, speaks: openaiSpeaks, recordings: openaiRecordings, thinks: openaiThinks },
  azure: { hears: azureHears, speaks: azureSpeaks, recordings: azureRecordings, thinks: azureThinks },
  google: { hears: googleHears, speaks: googleSpeaks },
  polly: { speaks: pollySpeaks },
  cartesia: { speaks: cartesiaSpeaks },
  rime: { speaks: rimeSpeaks },
  smallest: { hears: smallestHears, speaks: smallestSpeaks },
  sarvam: { hears: sarvamHears, speaks: sarvamSpeaks, recordings: sarvamRecordings },
  pixa: { hears: pixaHears, speaks: pixaSpeaks },
  assembly: { hears: assemblyHears, recordings: assemblyRecordings },
  gladia: { hears: gladiaHears, recordings: gladiaRecordings },
  soniox: { hears: sonioxHears, recordings: sonioxRecordings },
  whisper: { hears: whisperHears },
  anthropic: { thinks: anthropicThinks },
  gemini: { speaks: geminiSpeaks, thinks: geminiThinks },
  groq: { thinks: completionServers.groq },
  together: { thinks: completionServers.together },
  openrouter: { thinks: openrouterThinks },
  mistral: { thinks: mistralThinks },
  deepseek: { thinks: completionServers.deepseek },
  ollama: { thinks: completionServers.ollama },
  vllm: { thinks: completionServers.vllm },
  llamacpp: { thinks: completionServers.llamacpp },
  custom: { thinks: completionServers.custom },
} satisfies { readonly [Name in CompanyName]: ServicesOf<(typeof companies)[Name]> }

// Each by the names that agents and settings use, in the order of the contract.

export const sttVendors = Object.fromEntries(
  transcriberNames.map((name) => [name, services[name].hears]),
) as Readonly<Record<TranscriberName, SttVendor>>

export const ttsVendors = Object.fromEntries(
  synthesizers.map(({ company, name }) => [name, services[company].speaks]),
) as Readonly<Record<SynthesizerName, TtsVendor>>

export const modelVendors = Object.fromEntries(
  llmProviders.map((name) => [name, services[name].thinks]),
) as Readonly<Record<LlmProvider, ModelVendor>>

export const recordingVendors = Object.fromEntries(
  recordingsNames.map((name) => [name, services[name].recordings]),
) as Readonly<Record<RecordingsName, Services['recordings']>>
