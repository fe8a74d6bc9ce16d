// All offline engines of calls: recognizer, voices, voice detector, sentence embedder. Each is loaded on first use, and
// releases its memory when idle.

import type { Log } from '../../platform/log.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Synthesizer, TextSynthesizer } from '../../ports/synthesizer.ts'
import type { VoiceDetector } from '../../ports/voice-detector.ts'
import { isAnyLanguage, languageCode } from '../language-code.ts'
import { spokenOffline } from '../offline-languages.ts'
import { overClauses } from '../tts/over-clauses.ts'
import type { EngineIdle } from './engine/engine-pool.ts'
import { fliteSynthesizer } from './flite/flite.ts'
import { kokoroSynthesizer } from './kokoro/kokoro.ts'
import { worldVoice } from './kokoro/voices.ts'
import { miniLmEmbedder } from './minilm/minilm.ts'
import { hasModel, type ModelCache } from './models/fetch-model.ts'
import { natural } from './models/sets.ts'
import { type MoonshineTranscriber, moonshineTranscriber } from './moonshine/moonshine.ts'
import { sileroDetector } from './silero/silero.ts'
import type { SegmentTranscriber } from './utterances/segment-transcriber.ts'
import { cachedSynthesizer } from './voice/cached-synthesizer.ts'
import { measureVoice } from './voice/measure-voice.ts'
import {
  chooseVoice,
  knownVoice,
  type VoiceEngine,
  type VoiceQuestion,
  type VoiceWish,
} from './voice/voice-choice.ts'
import { type AskedVoice, engineOf, pickVoice } from './voice/voice-names.ts'
import { wakeDetector, wakeTranscriber, wakeVoice } from './wake.ts'
import { whisperLanguages } from './whisper/languages.ts'
import type { WhisperSize } from './whisper/whisper.ts'
import { whisperTranscriber } from './whisper/whisper-transcriber.ts'
import { type SpeechPart, worldWeights } from './world-weights.ts'

export interface VoiceOptions {
  readonly models: ModelCache
  /** For the recognizer, and as many again for the voice. */
  readonly threads: number
  readonly tts: VoiceWish
}

export interface EmbeddedOptions extends VoiceOptions, EngineIdle {
  /** The recognizer of other languages than English. */
  readonly whisper?: WhisperSize | undefined
  readonly log: Pick<Log, 'info' | 'warn'>
}

export interface Voices {
  /** The engine that speaks in new calls. */
  readonly engine: VoiceEngine
  /** Resolves within milliseconds: the choice is made, or is being measured and applies to later calls. */
  readonly ready: Promise<void>
  /** The engine for a language: not every engine speaks every one. */
  engineFor(language: string | undefined): VoiceEngine
  /** Call it once at the start of a call: the same name means the same voice to the end. */
  pick(asked: AskedVoice): string
}

export interface Embedded {
  readonly detector: VoiceDetector
  /** English. */
  readonly transcriber: MoonshineTranscriber
  /** English has a recognizer of its own, which is faster and hears it better; whisper hears the others. */
  transcriberFor(language: string | undefined): OfflineTranscriber
  /** Clause by clause for calls, whole texts for everything else. */
  readonly synthesizer: Synthesizer & TextSynthesizer
  readonly embedder: Embedder
  readonly voices: Voices
  /** Chooses the voice of new calls, measuring if no measurement is stored; logs errors instead of throwing. */
  choose(): Promise<void>
  /** Why a call in this language cannot be made yet; English always can. */
  troubleWith(part: SpeechPart, language: string | undefined): string | undefined
  /** Also loads what the first call would have to wait for. */
  warm(): Promise<void>
  /** Waits for running computations: a process that exits during one is aborted. */
  close(): Promise<void>
}

export interface OfflineTranscriber {
  readonly transcriber: SegmentTranscriber
  /** Its name in the call record. */
  readonly used: 'moonshine' | 'whisper'
  /** Of all offline recognizers. */
  readonly languages: readonly string[]
}

// Half an hour of speech at 8 kHz: every fixed sentence of some hundred agents.
const cacheBytes = 32 * 1024 * 1024

/** Also if nothing is named, or nothing that is known as a language. */
const isEnglish = (language: string | undefined) => {
  const code = languageCode(language, whisperLanguages) ?? 'en'
  return !isAnyLanguage(language) && (code === 'en' || !whisperLanguages.includes(code))
}

/** Whether `auto` needs a measurement on this machine, which is best done before the first call. */
export const mustMeasureVoice = async (options: VoiceOptions): Promise<boolean> =>
  (await knownVoice(questionOf(options))) === undefined

const questionOf = ({ models, threads, tts }: VoiceOptions): VoiceQuestion => ({
  wish: tts,
  folder: models.folder,
  threads,
  isPresent: async () =>
    (await Promise.all(natural.map((model) => hasModel(model, models.folder)))).every(Boolean),
})

export function openEmbedded(options: EmbeddedOptions): Embedded {
  const { models, threads, tts, whisper = 'base', idleMs, log } = options
  const cache = { ...models, idleMs }
  const detector = sileroDetector(cache)
  const transcriber = moonshineTranscriber({ ...cache, threads })
  const worldTranscriber = whisperTranscriber({ ...cache, threads, size: whisper, languages: spokenOffline })
  const weights = worldWeights(models, whisper)
  const embedder = miniLmEmbedder(cache)
  const synthesizers = {
    flite: fliteSynthesizer({ ...cache, threads }),
    kokoro: kokoroSynthesizer({ ...cache, threads }),
  } satisfies Record<VoiceEngine, TextSynthesizer>
  const closing = new AbortController()
  let engine: VoiceEngine = tts === 'kokoro' ? 'kokoro' : 'flite'

  const question = questionOf(options)
  const chosen = knownVoice(question).then(
    (choice) => {
      engine = choice?.engine ?? engine
    },
    () => {},
  )
  const ready = Promise.all([chosen, weights.ready]).then(() => {})
  async function choose(): Promise<void> {
    const measure = () => measureVoice(synthesizers.kokoro, pickVoice('kokoro', {}), closing.signal)
    const choice = await chooseVoice({ ...question, measure })
    engine = choice.engine
    log.info(choice, 'voice of new calls')
  }
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
  const synthesizer = { ...speech, ...overClauses(speech, spokenOffline) }
  const voices: Voices = {
    get engine() {
      return engine
    },
    ready,
    engineFor: (language) => (worldVoice(language) ? 'kokoro' : engine),
    pick: (asked) => pickVoice(engine, asked),
  }

  return {
    detector,
    transcriber,
    transcriberFor: (language) => ({
      ...(isEnglish(language)
        ? { transcriber, used: 'moonshine' }
        : { transcriber: worldTranscriber, used: 'whisper' }),
      languages: whisperLanguages,
    }),
    synthesizer,
    embedder,
    voices,
    troubleWith: (part, language) => (isEnglish(language) ? undefined : weights.trouble(part, language)),
    choose: () => logged(choose),
    async warm() {
      const steps = [
        () => wakeDetector(detector),
        () => wakeTranscriber(transcriber),
        () => embedder.embed(['Hello.']),
        () => wakeVoice(synthesizer, voices.pick({}), closing.signal),
        choose,
        () => wakeVoice(synthesizer, voices.pick({}), closing.signal),
      ]
      // One after the other: calls that come in meanwhile have the other cores.
      for (const step of steps) await logged(step)
    },
    async close() {
      closing.abort()
      weights.close()
      const engines = [
        detector,
        transcriber,
        worldTranscriber,
        embedder,
        synthesizers.flite,
        synthesizers.kokoro,
      ]
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}
