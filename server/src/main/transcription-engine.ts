// Who listens to recordings and who translates them: the offline engine or the servers that the operator named.

import { openTrustedConnections } from '../adapters/llm/choose.ts'
import { failover } from '../adapters/llm/openai-compatible/failover.ts'
import { openAiCompatible } from '../adapters/llm/openai-compatible/openai-compatible.ts'
import { modelTranslator } from '../adapters/llm/translator.ts'
import { embeddedSpeech } from '../adapters/transcription/embedded/embedded-engine.ts'
import { assemblySpeech } from '../adapters/transcription/vendors/assembly.ts'
import { azureSpeech } from '../adapters/transcription/vendors/azure.ts'
import { deepgramSpeech } from '../adapters/transcription/vendors/deepgram.ts'
import { elevenLabsSpeech } from '../adapters/transcription/vendors/elevenlabs.ts'
import { gladiaSpeech } from '../adapters/transcription/vendors/gladia.ts'
import { openAiSpeech } from '../adapters/transcription/vendors/openai-compatible.ts'
import { speechOverHttp } from '../adapters/transcription/vendors/over-http.ts'
import { sarvamSpeech } from '../adapters/transcription/vendors/sarvam.ts'
import { sonioxSpeech } from '../adapters/transcription/vendors/soniox.ts'
import type { SpeechServer, SpeechVendor } from '../adapters/transcription/vendors/vendor.ts'
import type { Config } from '../platform/config.ts'
import type { SttProtocol } from '../platform/settings.ts'
import type { SpeechEngine } from '../ports/transcription.ts'
import type { Translator } from '../ports/translator.ts'

const vendors: Record<SttProtocol, (server: SpeechServer) => SpeechVendor> = {
  openai: openAiSpeech,
  deepgram: deepgramSpeech,
  assembly: assemblySpeech,
  azure: azureSpeech,
  elevenlabs: elevenLabsSpeech,
  gladia: gladiaSpeech,
  sarvam: sarvamSpeech,
  soniox: sonioxSpeech,
}

export function openSpeechEngine({ stt, modelsDir, speechThreads, whisper }: Config): SpeechEngine {
  if (stt) return speechOverHttp(vendors[stt.protocol](stt), stt)
  return embeddedSpeech({ models: { folder: modelsDir }, threads: speechThreads, whisper })
}

// Nobody is on the telephone: a page of subtitles may take a small machine a while.
const unhurried = { firstTokenMs: 120_000, silenceMs: 30_000 }

/** Undefined when the operator has named no language model. */
export function openTranslator(config: Config): (Translator & { close(): Promise<void> }) | undefined {
  const { llmBaseUrl: baseUrl, llmModels, llmApiKey: apiKey } = config
  if (!baseUrl || llmModels.length === 0) return undefined
  const dispatcher = openTrustedConnections()
  const models = llmModels.map((model) =>
    openAiCompatible({ baseUrl, apiKey, dispatcher }, { model, patience: unhurried }),
  )
  return { ...modelTranslator(failover(models)), close: () => dispatcher.destroy() }
}
