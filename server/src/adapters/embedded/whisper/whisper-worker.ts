// The whisper worker: a piece of speech in, its language or its words with times out.
import { readFile } from 'node:fs/promises'
import { attendedTo } from '../alignment/heads.ts'
import { probabilityOf } from '../alignment/probability.ts'
import { type DecoderStep, type TimedWord, wordTimes } from '../alignment/word-times.ts'
import { serve } from '../engine/serve.ts'
import { floats } from '../features/floats.ts'
import { Detokenizer } from './detokenizer.ts'
import { isSpaced, languageTokens, whisperLanguages } from './languages.ts'
import { endToken, silenceToken } from './tokens.ts'
import { loadWhisper, type WhisperPaths } from './whisper-model.ts'

/** At 16 kHz, at most 30 seconds. */
export type WhisperQuestion =
  | { readonly want: 'language'; readonly samples: Int16Array }
  | { readonly want: 'words'; readonly samples: Int16Array; readonly language: string }

export type WhisperAnswer =
  | { readonly got: 'language'; readonly shares: readonly LanguageShare[] }
  | { readonly got: 'words'; readonly words: readonly TimedWord[] }

export interface LanguageShare {
  readonly language: string
  readonly probability: number
}

const rateHz = 16_000
const frameMs = 20
// Whisper attends to a word before it begins.
const lagMs = -40
// Faster than anyone speaks in any language; a decoder that exceeds it is in a loop.
const tokensPerSecond = 15
const fewestTokens = 10
const mostTokens = 224
// OpenAI's thresholds for taking a piece as silence: high no-speech probability and low confidence.
const silentProbability = 0.6
const unsureProbability = Math.exp(-1)

serve<WhisperPaths, WhisperQuestion, WhisperAnswer>(async (paths) => {
  const model = await loadWhisper(paths)
  const detokenizer = new Detokenizer(JSON.parse(await readFile(paths.vocabulary, 'utf8')))

  return {
    async answer(question, signal) {
      const samples = floats(question.samples)
      const heard = await model.listen(samples)
      const first = await model.begin(heard)
      if (question.want === 'language') return { got: 'language', shares: languagesIn(first) }
      const { language } = question
      const steps: DecoderStep[] = []
      const seconds = samples.length / rateHz
      const limit = Math.min(mostTokens, Math.ceil(seconds * tokensPerSecond) + fewestTokens)
      const frames = Math.ceil((seconds * 1000) / frameMs)
      const spaced = isSpaced(language)
      await model.decode(heard, { language, limit, signal }, (token, logits, output) => {
        const begins = detokenizer.beginsWord(token, spaced)
        steps.push({
          token,
          part: token === endToken ? 'end' : begins ? 'first-of-word' : 'rest-of-word',
          probability: probabilityOf(token, logits),
          attention: attendedTo(model.heads, (layer) => output[`cross_attentions.${layer}`], frames),
        })
      })
      const silent =
        probabilityOf(silenceToken, first) > silentProbability && meanOf(steps) < unsureProbability
      const words = silent
        ? []
        : wordTimes(steps, { frameMs, lagMs, samples, spell: (tokens) => detokenizer.text(tokens) })
      return { got: 'words', words }
    },
    release: () => model.release(),
  }
})

/** Most likely first. */
function languagesIn(logits: Float32Array): LanguageShare[] {
  const own = logits.subarray(languageTokens.from, languageTokens.to)
  const shares = whisperLanguages.map((language, place) => ({
    language,
    probability: probabilityOf(place, own),
  }))
  return shares.toSorted((a, b) => b.probability - a.probability)
}

const meanOf = (steps: readonly DecoderStep[]) =>
  Math.exp(steps.reduce((sum, { probability }) => sum + Math.log(probability), 0) / Math.max(1, steps.length))
