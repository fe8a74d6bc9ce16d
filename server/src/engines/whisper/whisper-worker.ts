// The whisper worker: a piece of speech in, its language, its text, or its words with times out.
import { readFile } from 'node:fs/promises'
import type { TimedWord } from '../alignment/word-times.ts'
import { serveEngine } from '../engine/serve-engine.ts'
import { Detokenizer } from './detokenizer.ts'
import { type LanguageShare, spokenLanguage } from './languages.ts'
import { WhisperListener } from './whisper-listener.ts'
import { loadWhisper, type WhisperPaths } from './whisper-model.ts'

/** Samples at 16 kHz between -1 and 1, at most 30 seconds. */
export type WhisperQuestion = { readonly samples: Float32Array<ArrayBuffer> } & (
  | { readonly want: 'language' }
  | { readonly want: 'words'; readonly language: string }
  | { readonly want: 'text'; readonly language: string }
  /** Asks for the text in whichever of these languages is spoken; `expected` is believed in doubt. */
  | { readonly want: 'text'; readonly among: readonly string[]; readonly expected: string | undefined }
)

export type WhisperAnswer =
  | { readonly got: 'language'; readonly shares: readonly LanguageShare[] }
  | { readonly got: 'words'; readonly words: readonly TimedWord[] }
  | { readonly got: 'text'; readonly text: string; readonly language: string }

serveEngine<WhisperPaths, WhisperQuestion, WhisperAnswer>(async (paths) => {
  const model = await loadWhisper(paths)
  const hearing = new WhisperListener(
    model,
    new Detokenizer(JSON.parse(await readFile(paths.vocabulary, 'utf8'))),
  )

  return {
    async answer(question, signal) {
      const { samples } = question
      if (question.want === 'language') return { got: 'language', shares: await hearing.languages(samples) }
      if (question.want === 'words')
        return { got: 'words', words: await hearing.words(samples, question.language, signal) }
      const languageBy = async (shares: () => Promise<readonly LanguageShare[]>) =>
        'language' in question ? question.language : spokenLanguage(await shares(), question)
      return { got: 'text', ...(await hearing.text(samples, languageBy, signal)) }
    },
    release: () => model.release(),
  }
})
