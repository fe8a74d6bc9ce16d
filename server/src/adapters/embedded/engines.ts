// The offline engines together: speech recognition, a voice, voice detection and embeddings. Each is loaded when it is
// first used.

import type { Log } from '../../platform/log.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Synthesizer, TextSynthesizer } from '../../ports/synthesizer.ts'
import type { VoiceDetector } from '../../ports/voice-detector.ts'
import { overClauses } from '../tts/over-clauses.ts'
import { fliteSynthesizer } from './flite/flite.ts'
import { kokoroSynthesizer } from './kokoro/kokoro.ts'
import { miniLmEmbedder } from './minilm/minilm.ts'
import { hasModel, type ModelCache } from './models/fetch-model.ts'
import { natural } from './models/sets.ts'
import { type MoonshineTranscriber, moonshineTranscriber } from './moonshine/moonshine.ts'
import { sileroDetector } from './silero/silero.ts'
import { cachedSynthesizer } from './voice/cached-synthesizer.ts'
import { measureVoice } from './voice/measure-voice.ts'
import { chooseVoice, type VoiceEngine, type VoiceWish } from './voice/voice-choice.ts'
import { type AskedVoice, engineOf, pickVoice } from './voice/voice-names.ts'
import { wakeDetector, wakeTranscriber, wakeVoice } from './wake.ts'

export interface EmbeddedOptions {
  readonly models: ModelCache
  /** For the recognizer, and again for the voice. */
  readonly threads: number
  readonly tts: VoiceWish
  readonly log: Pick<Log, 'info' | 'warn'>
}

export interface Voices {
  /** What new calls speak with. */
  readonly engine: VoiceEngine
  /** To be asked once at the start of a call: the same name is the same voice to its end. */
  pick(asked: AskedVoice): string
}

export interface Embedded {
  readonly detector: VoiceDetector
  readonly transcriber: MoonshineTranscriber
  /** For calls clause by clause, for everything else as whole texts. */
  readonly synthesizer: Synthesizer & TextSynthesizer
  readonly embedder: Embedder
  readonly voices: Voices
  /** Chooses the voice and loads what the first call would wait for; never fails, it says so in the log. */
  warm(): Promise<void>
  /** Waits for what the engines are computing: a process that ends in the middle of it is aborted. */
  close(): Promise<void>
}

// Half an hour of speech at 8 kHz: every fixed sentence of some hundred agents.
const cacheBytes = 32 * 1024 * 1024

export function openEmbedded({ models, threads, tts, log }: EmbeddedOptions): Embedded {
  const detector = sileroDetector(models)
  const transcriber = moonshineTranscriber({ ...models, threads })
  const embedder = miniLmEmbedder(models)
  const mouths = {
    flite: fliteSynthesizer({ ...models, threads }),
    kokoro: kokoroSynthesizer({ ...models, threads }),
  } satisfies Record<VoiceEngine, TextSynthesizer>
  const closing = new AbortController()
  let engine: VoiceEngine = tts === 'kokoro' ? 'kokoro' : 'flite'

  async function choose(): Promise<void> {
    const choice = await chooseVoice({
      wish: tts,
      folder: models.folder,
      threads,
      isPresent: async () =>
        (await Promise.all(natural.map((model) => hasModel(model, models.folder)))).every(Boolean),
      measure: () => measureVoice(mouths.kokoro, pickVoice('kokoro', {}), closing.signal),
    })
    engine = choice.engine
    log.info(choice, 'the voice of new calls')
  }

  const speech = cachedSynthesizer(
    {
      synthesize: (text, options, signal) =>
        mouths[engineOf(options.voice)].synthesize(text, options, signal),
    },
    { bytes: cacheBytes },
  )
  const synthesizer = { ...speech, ...overClauses(speech, ['en']) }
  const voices: Voices = {
    get engine() {
      return engine
    },
    pick: (asked) => pickVoice(engine, asked),
  }

  return {
    detector,
    transcriber,
    synthesizer,
    embedder,
    voices,
    async warm() {
      const steps = [
        () => wakeDetector(detector),
        () => wakeTranscriber(transcriber),
        () => embedder.embed(['Hello.']),
        () => wakeVoice(synthesizer, voices.pick({}), closing.signal),
        choose,
        () => wakeVoice(synthesizer, voices.pick({}), closing.signal),
      ]
      // One after the other: the calls that come meanwhile have the other cores.
      for (const step of steps) {
        if (closing.signal.aborted) return
        await step().catch(
          (error) => closing.signal.aborted || log.warn({ err: error }, 'an engine is not ready'),
        )
      }
    },
    async close() {
      closing.abort()
      const engines = [detector, transcriber, embedder, mouths.flite, mouths.kokoro]
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}
