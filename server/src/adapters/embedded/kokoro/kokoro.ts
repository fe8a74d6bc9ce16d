// Text to speech by Kokoro-82M: natural, in several languages, for machines that are fast enough.
import type { TextSynthesizer } from '../../../ports/synthesizer.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import type { Model } from '../models/catalogue.ts'
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
  const fetched = new Map<Model, Promise<Readonly<Record<string, string>>>>()
  /** The paths of its files; checked once, and fetched if they are not here. */
  function filesOf(model: Model): Promise<Readonly<Record<string, string>>> {
    const known = fetched.get(model)
    if (known) return known
    const files = fetchModel(model, cache)
    fetched.set(model, files)
    files.catch(() => fetched.delete(model))
    return files
  }

  return {
    synthesize(text, { voice, rateHz }, signal) {
      const name = kokoroVoice(voice)
      const language = kokoroLanguageOf(name)
      return speak(text, {
        rateHz,
        signal,
        longestChars: language?.longestChars ?? longestChars,
        normalise: language?.normalise,
        async make(sentence, until) {
          const voices = await filesOf(isWorldVoice(name) ? kokoroWorldVoices : kokoroVoices)
          const dictionary = language?.dictionary ? await filesOf(language.dictionary) : {}
          const question = { text: sentence, voice: { name, file: voices[name] ?? '', dictionary }, rateHz }
          return pool.ask(() => question, { signal: until })
        },
      })
    },
    close: () => pool.close(),
  }
}

async function prepare(cache: Parameters<typeof fetchModel>[1], cores: number): Promise<KokoroLoad> {
  const parts: string[] = []
  for (const third of kokoroWeights) parts.push(...Object.values(await fetchModel(third, cache)))
  const { dictionary, letterToSound } = await fetchModel(pronunciation, cache)
  return { parts, dictionary, letterToSound, cores }
}
