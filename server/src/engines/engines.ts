// All offline engines of calls: recognizer, voices, voice detector, sentence embedder. Each is loaded on first use, and
// releases its memory when idle.

import { frameMs, silence } from '../media/frame.ts'
import type { Log } from '../platform/log.ts'
import { overClauses } from '../ports/clause-stream.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Synthesizer, TextSynthesizer } from '../ports/synthesizer.ts'
import type { VoiceDetector } from '../ports/voice-detector.ts'
import type { EngineIdle } from './engine/engine-pool.ts'
import { kokoroSynthesizer } from './kokoro/kokoro.ts'
import { worldVoice } from './kokoro/languages.ts'
import { isAnyLanguage, languageCode } from './language-code.ts'
import { languageWeights, type SpeechPart } from './language-weights.ts'
import { miniLmEmbedder } from './minilm/minilm.ts'
import type { ModelCache } from './models/fetch-model.ts'
import { type MoonshineTranscriber, moonshineTranscriber } from './moonshine/moonshine.ts'
import { spokenOffline } from './offline-languages.ts'
import { sileroDetector } from './silero/silero.ts'
import type { SegmentTranscriber } from './utterances/segment-transcriber.ts'
import { cachedSynthesizer } from './voice/cached-synthesizer.ts'
import { type OfflineSynthesizer, pauseAfterMs } from './voice/speak.ts'
import { type AskedVoice, engineOf, pickVoice, type VoiceEngine } from './voice/voice-names.ts'
import { whisperLanguages } from './whisper/languages.ts'
import type { WhisperSize } from './whisper/whisper.ts'
import { whisperTranscriber } from './whisper/whisper-transcriber.ts'
import { wrenSynthesizer } from './wren/wren.ts'

export interface EmbeddedOptions extends EngineIdle {
  readonly models: ModelCache
  /** Threads for the recognizer, and as many again for the voice. */
  readonly threads: number
  readonly tts: VoiceEngine
  /** The size of the recognizer of other languages than English. */
  readonly whisper?: WhisperSize | undefined
  readonly log: Pick<Log, 'warn'>
}

export interface OfflineVoices {
  /** The engine that speaks in calls. */
  readonly engine: VoiceEngine
  /** Resolves within milliseconds, when the weights on disk have been looked up. */
  readonly ready: Promise<void>
  /** The engine for a language: not every engine speaks every one. */
  engineFor(language: string | undefined): VoiceEngine
  pick(asked: AskedVoice): string
}

/** What a call needs of the offline engines besides the voice detector; undefined: a vendor does it. */
export interface NeededEngines {
  readonly transcriber: SegmentTranscriber | undefined
  /** The name of a voice. */
  readonly voice: string | undefined
}

export interface EmbeddedEngines {
  readonly detector: VoiceDetector
  /** The recognizer of English. */
  readonly transcriber: MoonshineTranscriber
  /**
   * The recognizer for a language. English has its own, which is faster and hears it better; whisper hears the others.
   * An agent that asks for whisper by its name gets it for English too, as soon as its weights are here.
   */
  transcriberFor(language: string | undefined, asked?: string | null): OfflineTranscriber
  /** The voices: clause by clause for calls, whole texts for everything else. */
  readonly synthesizer: Synthesizer & TextSynthesizer
  readonly embedder: Embedder
  readonly voices: OfflineVoices
  /** Why a call in this language cannot be made yet; English always can. */
  troubleWith(part: SpeechPart, language: string | undefined): string | undefined
  /** Loads what a call needs. An engine that cannot be loaded is logged, and tells the call when it is used. */
  load(needed: NeededEngines): Promise<void>
  /** Loads what the first call would have to wait for; logs errors instead of throwing. */
  warm(): Promise<void>
  /** Waits for running computations: a process that exits during one is aborted. */
  close(): Promise<void>
}

export interface OfflineTranscriber {
  readonly transcriber: SegmentTranscriber
  /** The recognizer's name in the call record. */
  readonly used: 'moonshine' | 'whisper'
  /** The languages that all offline recognizers together understand. */
  readonly languages: readonly string[]
}

// Half an hour of speech at 8 kHz: every fixed sentence of some hundred agents.
const cacheBytes = 32 * 1024 * 1024

/** Whether a language is English; it is if none is named, or none that is known. */
const isEnglish = (language: string | undefined) => {
  const code = languageCode(language, whisperLanguages) ?? 'en'
  return !isAnyLanguage(language) && (code === 'en' || !whisperLanguages.includes(code))
}

export function openEmbedded(options: EmbeddedOptions): EmbeddedEngines {
  const { models, threads, tts, whisper = 'base', idleMs, log } = options
  const cache = { ...models, idleMs }
  const detector = sileroDetector(cache)
  const transcriber = moonshineTranscriber({ ...cache, threads })
  const worldTranscriber = whisperTranscriber({ ...cache, threads, size: whisper, languages: spokenOffline })
  const weights = languageWeights(models, whisper)
  const embedder = miniLmEmbedder(cache)
  const synthesizers = {
    wren: wrenSynthesizer({ ...cache, threads }),
    kokoro: kokoroSynthesizer({ ...cache, threads }),
  } satisfies Record<VoiceEngine, OfflineSynthesizer>
  const closing = new AbortController()
  const logged = async (step: () => Promise<unknown>) => {
    if (closing.signal.aborted) return
    await step().catch((err) => closing.signal.aborted || log.warn({ err }, 'engine not ready'))
  }

  const speech = cachedSynthesizer(
    {
      synthesize: (text, options, signal) =>
        synthesizers[engineOf(options.voice)].synthesize(text, options, signal),
    },
    { bytes: cacheBytes },
  )
  const isLoading = () => Object.values(synthesizers).some((voice) => voice.isLoading)
  const synthesizer = { ...speech, ...overClauses(speech, spokenOffline, pauseAfterMs, isLoading) }
  const voices: OfflineVoices = {
    engine: tts,
    ready: weights.ready,
    engineFor: (language) => (worldVoice(language) ? 'kokoro' : tts),
    pick: (asked) => pickVoice(tts, asked),
  }

  return {
    detector,
    transcriber,
    transcriberFor(language, asked) {
      const isWhisper =
        !isEnglish(language) || (asked === 'whisper' && !weights.trouble('transcriber', language))
      return {
        ...(isWhisper
          ? { transcriber: worldTranscriber, used: 'whisper' }
          : { transcriber, used: 'moonshine' }),
        languages: whisperLanguages,
      }
    },
    synthesizer,
    embedder,
    voices,
    troubleWith: (part, language) => (isEnglish(language) ? undefined : weights.trouble(part, language)),
    async load({ transcriber: hears, voice }) {
      const steps = [
        () => detector.load(),
        ...(hears ? [() => hears.load()] : []),
        ...(voice === undefined ? [] : [() => synthesizers[engineOf(voice)].load(voice)]),
      ]
      await Promise.all(steps.map(logged))
    },
    async warm() {
      const steps = [
        () => warmDetector(detector),
        () => warmTranscriber(transcriber),
        () => embedder.embed(['Hello.']),
        () => warmVoice(synthesizer, voices.pick({}), closing.signal),
      ]
      // Engines are warmed up one after the other: calls that come in meanwhile have the other cores.
      for (const step of steps) await logged(step)
    },
    async close() {
      closing.abort()
      const engines = [
        weights,
        detector,
        transcriber,
        worldTranscriber,
        embedder,
        synthesizers.wren,
        synthesizers.kokoro,
      ]
      await Promise.all(engines.map((part) => part.close()))
    },
  }
}

// The first use of an engine takes seconds, which no call should wait for.
const rateHz = 8_000
// The detector's window is longer than a frame.
const heardMs = 100

export function warmDetector(detector: VoiceDetector): Promise<void> {
  return new Promise((done, fail) => {
    const stream = detector.open(rateHz, (event) => {
      stream.close()
      if (event.type === 'failed') fail(new Error(event.reason))
      else done()
    })
    for (let ms = 0; ms < heardMs; ms += frameMs) stream.write(silence(rateHz))
  })
}

export async function warmTranscriber(transcriber: {
  transcribe(samples16k: Int16Array): Promise<unknown>
}): Promise<void> {
  await transcriber.transcribe(new Int16Array(16_000))
}

async function warmVoice(voice: TextSynthesizer, name: string, signal: AbortSignal): Promise<void> {
  for await (const _ of voice.synthesize('Hello.', { voice: name, rateHz }, signal));
}
