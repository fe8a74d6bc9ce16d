// Text to speech by Kokoro-82M: many voices in several languages; on one core hardly faster than speech.
import type { Frame, RateHz } from '../../media/frame.ts'
import { EnginePool } from '../engine/engine-pool.ts'
import type { Model } from '../models/catalogue.ts'
import { fetchModel } from '../models/fetch-model.ts'
import { kokoroVoices, kokoroWeights, kokoroWorldVoices, pronunciation } from '../models/kokoro.ts'
import { framesOf, type Sound } from '../voice/sound.ts'
import { type OfflineSynthesizer, type OfflineVoiceOptions, speak } from '../voice/speak.ts'
import type { KokoroLoad, KokoroSentence } from './kokoro-worker.ts'
import { type AnyKokoroVoice, isWorldVoice, kokoroLanguageOf, kokoroVoice } from './languages.ts'

// A sentence takes about a second, so one that waits behind more than these comes too late.
const queueLength = 16
// About five seconds of speech, which start within two seconds on the slowest machine that qualifies.
const longestChars = 90
// More cores hardly shorten the time to first audio, and could synthesize another sentence instead.
const coresPerSentence = 4

export function kokoroSynthesizer({
  threads = 1,
  idleMs,
  ...cache
}: OfflineVoiceOptions): OfflineSynthesizer {
  const cores = Math.min(threads, coresPerSentence)
  const pool = new EnginePool<KokoroLoad, KokoroSentence, Sound>({
    name: 'the speech synthesizer',
    file: new URL('./kokoro-worker.ts', import.meta.url),
    prepare: (signal) => prepare({ ...cache, signal }, cores),
    threads: Math.floor(threads / cores),
    idleMs,
    queueLength,
  })
  const fetched = new Map<Model, Promise<Readonly<Record<string, string>>>>()
  /** The paths of a model's files, which are checked once, and fetched if they are not here. */
  function filesOf(model: Model): Promise<Readonly<Record<string, string>>> {
    const known = fetched.get(model)
    if (known) return known
    const files = fetchModel(model, cache)
    fetched.set(model, files)
    files.catch(() => fetched.delete(model))
    return files
  }

  async function voiceOf(name: AnyKokoroVoice): Promise<KokoroSentence['voice']> {
    const voices = await filesOf(isWorldVoice(name) ? kokoroWorldVoices : kokoroVoices)
    const own = kokoroLanguageOf(name)?.dictionary
    const dictionary = own ? await filesOf(own) : {}
    return { name, file: voices[name] ?? '', dictionary }
  }

  async function ask(
    text: string,
    name: AnyKokoroVoice,
    rateHz: RateHz,
    signal: AbortSignal,
  ): Promise<Sound> {
    const question = { text, voice: await voiceOf(name), rateHz }
    return pool.ask(() => question, { signal })
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
        make(sentence, until) {
          const sound = ask(sentence, name, rateHz, until)
          // The sound may never be read; its reader handles the error.
          sound.catch(() => {})
          return whole(sound, rateHz)
        },
      })
    },
    get isLoading() {
      return pool.isLoading
    },
    async load(voice) {
      await voiceOf(kokoroVoice(voice))
      await pool.load()
    },
    close: () => pool.close(),
  }
}

async function* whole(sound: Promise<Sound>, rateHz: RateHz): AsyncGenerator<readonly Frame[]> {
  yield framesOf(await sound, rateHz)
}

async function prepare(cache: Parameters<typeof fetchModel>[1], cores: number): Promise<KokoroLoad> {
  const parts: string[] = []
  for (const third of kokoroWeights) parts.push(...Object.values(await fetchModel(third, cache)))
  const { dictionary, letterToSound } = await fetchModel(pronunciation, cache)
  return { parts, dictionary, letterToSound, cores }
}
