// Text to speech by Kokoro-82M: natural, in several languages, for machines that are fast enough.
import type { TextSynthesizer } from '../../../ports/synthesizer.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import { kokoroVoices, kokoroWeights, kokoroWorldVoices, pronunciation } from '../models/kokoro.ts'
import type { Sound } from '../voice/sound.ts'
import { speak } from '../voice/speak.ts'
import type { KokoroLoad, Sentence } from './kokoro-worker.ts'
import { kokoroLanguageOf } from './languages.ts'
import { isWorldVoice, kokoroVoice } from './voices.ts'

export interface KokoroSynthesizer extends TextSynthesizer {
  close(): Promise<void>
}

export interface KokoroOptions extends ModelCache, EngineIdle {
  readonly threads?: number | undefined
}

// A sentence takes about a second: one that waits behind more than these comes too late.
const queueLength = 16
// About five seconds of speech: starts within two seconds on the slowest machine that qualifies.
const longestChars = 90
// More cores hardly shorten the time to first audio, and could synthesize another sentence instead.
const coresPerSentence = 4

export function kokoroSynthesizer({ threads = 1, idleMs, ...cache }: KokoroOptions): KokoroSynthesizer {
  const cores = Math.min(threads, coresPerSentence)
  const pool = new EnginePool<KokoroLoad, Sentence, Sound>({
    name: 'the speech synthesizer',
    file: new URL('./kokoro-worker.ts', import.meta.url),
    prepare: (signal) => prepare({ ...cache, signal }, cores),
    threads: Math.floor(threads / cores),
    idleMs,
    queueLength,
  })
  return {
    synthesize: (text, { voice, rateHz }, signal) =>
      speak(text, {
        rateHz,
        signal,
        longestChars,
        normalise: kokoroLanguageOf(kokoroVoice(voice))?.normalise,
        async make(sentence, until) {
          const name = kokoroVoice(voice)
          const voices = await fetchModel(isWorldVoice(name) ? kokoroWorldVoices : kokoroVoices, {
            ...cache,
            signal: until,
          })
          const file = (voices as Readonly<Record<string, string>>)[name] ?? ''
          return pool.ask(() => ({ text: sentence, voice: { name, file }, rateHz }), { signal: until })
        },
      }),
    close: () => pool.close(),
  }
}

async function prepare(cache: Parameters<typeof fetchModel>[1], cores: number): Promise<KokoroLoad> {
  const parts: string[] = []
  for (const third of kokoroWeights) parts.push(...Object.values(await fetchModel(third, cache)))
  const { dictionary, letterToSound } = await fetchModel(pronunciation, cache)
  return { parts, dictionary, letterToSound, cores }
}
