// The weights of other languages than English: too large to be fetched unasked, so the first call that needs them
// starts the download and is told so.
import { languageName } from '../platform/language-names.ts'
import { kokoroLanguages } from './kokoro/languages.ts'
import { isAnyLanguage, languageCode } from './language-code.ts'
import type { Model } from './models/catalogue.ts'
import { fetchModel, hasModel, type ModelCache } from './models/fetch-model.ts'
import { kokoroWeights, kokoroWorldVoices, pronunciation } from './models/kokoro.ts'
import { whisperLanguages } from './whisper/languages.ts'
import { type WhisperSize, whisperModels } from './whisper/whisper.ts'

export type SpeechPart = 'transcriber' | 'synthesizer'

export interface LanguageWeights {
  /** Resolves when what is on disk has been looked up. */
  readonly ready: Promise<void>
  /** Why a call in this language cannot be made now, as a sentence; undefined: it can. Starts to fetch what is missing. */
  trouble(part: SpeechPart, language: string | undefined): string | undefined
  /** Ends the downloads; nothing is written afterwards. */
  close(): Promise<void>
}

type State =
  | { readonly is: 'present' }
  | { readonly is: 'absent' }
  | { readonly is: 'being-fetched' }
  | { readonly is: 'failed'; readonly reason: string }

const bytesPerMegabyte = 1_000_000

export function languageWeights(cache: ModelCache, size: WhisperSize): LanguageWeights {
  const voice = [...kokoroWeights, kokoroWorldVoices, pronunciation]
  const dictionaries = Object.values(kokoroLanguages).flatMap(({ dictionary }) => dictionary ?? [])
  const all: readonly Model[] = [...voice, ...dictionaries, whisperModels[size]]
  const states = new Map<Model, State>(all.map((model) => [model, { is: 'absent' }]))
  const closing = new AbortController()
  const fetching = new Set<Promise<void>>()
  const look = async (model: Model) => {
    if (await hasModel(model, cache.folder)) states.set(model, { is: 'present' })
  }
  const ready = Promise.all(all.map(look)).then(
    () => {},
    () => {},
  )

  function needed(part: SpeechPart, language: string | undefined): readonly Model[] {
    if (part === 'transcriber') return [whisperModels[size]]
    if (isAnyLanguage(language)) return [...voice, ...dictionaries]
    const own = kokoroLanguages[languageCode(language, whisperLanguages) ?? '']
    return own ? [...voice, ...(own.dictionary ? [own.dictionary] : [])] : []
  }

  /** Fetches one model after the other: they share the connection. */
  async function fetchAll(models: readonly Model[]): Promise<void> {
    for (const model of models) states.set(model, { is: 'being-fetched' })
    for (const model of models) {
      try {
        await fetchModel(model, { ...cache, signal: closing.signal })
        states.set(model, { is: 'present' })
      } catch (error) {
        states.set(model, { is: 'failed', reason: error instanceof Error ? error.message : String(error) })
      }
    }
  }

  return {
    ready,
    trouble(part, language) {
      const missing = needed(part, language).filter((model) => states.get(model)?.is !== 'present')
      if (missing.length === 0) return undefined
      const failed = missing.map((model) => states.get(model)).find((state) => state?.is === 'failed')
      const idle = missing.filter((model) => states.get(model)?.is !== 'being-fetched')
      if (idle.length > 0) {
        const fetched = fetchAll(idle).finally(() => fetching.delete(fetched))
        fetching.add(fetched)
      }
      const megabytes = Math.ceil(
        missing.reduce((sum, { tarballBytes }) => sum + tarballBytes, 0) / bytesPerMegabyte,
      )
      const what = `The offline ${part === 'transcriber' ? 'recognizer' : 'voice'} for ${nameOf(language)}`
      if (failed?.is === 'failed')
        return `${what} is not here: ${failed.reason}. Run make models where there is a network.`
      return `${what} is being fetched, ${megabytes} MB: call again when it is here, or run make models beforehand.`
    },
    async close() {
      closing.abort()
      await Promise.all(fetching)
    },
  }
}

const nameOf = (language: string | undefined) =>
  isAnyLanguage(language) ? 'any language' : languageName(languageCode(language, whisperLanguages) ?? 'en')
