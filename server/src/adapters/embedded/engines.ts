// All offline engines of calls: recognizer, voices, voice detector, sentence embedder. Each is loaded on first use, and
// releases its memory when idle.

import type { Log } from '../../platform/log.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Synthesizer, TextSynthesizer } from '../../ports/synthesizer.ts'
import type { VoiceDetector } from '../../ports/voice-detector.ts'
import { overClauses } from '../tts/over-clauses.ts'
import type { EngineIdle } from './engine/engine-pool.ts'
import { kokoroSynthesizer } from './kokoro/kokoro.ts'
import { miniLmEmbedder } from './minilm/minilm.ts'
import type { ModelCache } from './models/fetch-model.ts'
import { type MoonshineTranscriber, moonshineTranscriber } from './moonshine/moonshine.ts'
import { sileroDetector } from './silero/silero.ts'
import { cachedSynthesizer } from './voice/cached-synthesizer.ts'
import { pauseAfterMs } from './voice/speak.ts'
import { type AskedVoice, engineOf, pickVoice, type VoiceEngine } from './voice/voice-names.ts'
import { wakeDetector, wakeTranscriber, wakeVoice } from './wake.ts'
import { wrenSynthesizer } from './wren/wren.ts'

export interface EmbeddedOptions extends EngineIdle {
  readonly models: ModelCache
  /** For the recognizer, and as many again for the voice. */
  readonly threads: number
  readonly tts: VoiceEngine
  readonly log: Pick<Log, 'warn'>
}

export interface Voices {
  /** The engine that speaks in calls. */
  readonly engine: VoiceEngine
  /** The voice for what an agent asks for. */
  pick(asked: AskedVoice): string
}

export interface Embedded {
  readonly detector: VoiceDetector
  readonly transcriber: MoonshineTranscriber
  /** Clause by clause for calls, whole texts for everything else. */
  readonly synthesizer: Synthesizer & TextSynthesizer
  readonly embedder: Embedder
  readonly voices: Voices
  /** Loads what the first call would have to wait for; logs errors instead of throwing. */
  warm(): Promise<void>
  /** Waits for running computations: a process that exits during one is aborted. */
  close(): Promise<void>
}

// Half an hour of speech at 8 kHz: every fixed sentence of some hundred agents.
const cacheBytes = 32 * 1024 * 1024

export function openEmbedded(options: EmbeddedOptions): Embedded {
  const { models, threads, tts, idleMs, log } = options
  const cache = { ...models, idleMs }
  const detector = sileroDetector(cache)
  const transcriber = moonshineTranscriber({ ...cache, threads })
  const embedder = miniLmEmbedder(cache)
  const synthesizers = {
    wren: wrenSynthesizer({ ...cache, threads }),
    kokoro: kokoroSynthesizer({ ...cache, threads }),
  } satisfies Record<VoiceEngine, TextSynthesizer>
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
  const synthesizer = { ...speech, ...overClauses(speech, ['en'], pauseAfterMs) }
  const voices: Voices = { engine: tts, pick: (asked) => pickVoice(tts, asked) }

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
      ]
      // One after the other: calls that come in meanwhile have the other cores.
      for (const step of steps) await logged(step)
    },
    async close() {
      closing.abort()
      const engines = [detector, transcriber, embedder, synthesizers.wren, synthesizers.kokoro]
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}
