// The whisper worker: a piece of speech in, its language, its text, or its words with times out.
import { readFile } from 'node:fs/promises'
import type { Tensor } from 'onnxruntime-node'
import { attendedTo } from '../alignment/heads.ts'
import { probabilityOf } from '../alignment/probability.ts'
import { type DecoderStep, type TimedWord, wordTimes } from '../alignment/word-times.ts'
import { serve } from '../engine/serve.ts'
import { Detokenizer } from './detokenizer.ts'
import { isSpaced, languageTokens, whisperLanguages } from './languages.ts'
import { type LanguageShare, spokenLanguage } from './spoken-language.ts'
import { endToken, silenceToken } from './tokens.ts'
import { loadWhisper, type WhisperPaths } from './whisper-model.ts'
import { isLooping, wholeWindowFrames, windowsFor } from './window.ts'

/** Samples at 16 kHz between -1 and 1, at most 30 seconds. */
export type WhisperQuestion = { readonly samples: Float32Array<ArrayBuffer> } & (
  | { readonly want: 'language' }
  | { readonly want: 'words'; readonly language: string }
  | { readonly want: 'text'; readonly language: string }
  /** Text in whichever of these languages is spoken; `expected` is believed in doubt. */
  | { readonly want: 'text'; readonly among: readonly string[]; readonly expected: string | undefined }
)

export type WhisperAnswer =
  | { readonly got: 'language'; readonly shares: readonly LanguageShare[] }
  | { readonly got: 'words'; readonly words: readonly TimedWord[] }
  | { readonly got: 'text'; readonly text: string; readonly language: string }

interface Step {
  readonly token: number
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

  async function wordsIn(samples: Float32Array, language: string, signal: AbortSignal) {
    const frames = Math.ceil((samples.length / rateHz) * (1000 / frameMs))
    const spaced = isSpaced(language)
    const { steps, begun } = await heardIn<DecoderStep>(samples, (heard, take) =>
      model.decode(
        heard,
        { language, limit: limitFor(samples), attentive: true, signal },
        (token, logits, output) =>
          take({
            token,
            part:
              token === endToken
                ? 'end'
                : detokenizer.beginsWord(token, spaced)
                  ? 'first-of-word'
                  : 'rest-of-word',
            probability: probabilityOf(token, logits),
            attention: attendedTo(model.heads, (layer) => output[`cross_attentions.${layer}`], frames),
          } satisfies DecoderStep),
      ),
    )
    if (isSilent(begun) && confidenceOf(steps) < unsureProbability) return []
    return wordTimes(steps, { frameMs, lagMs, samples, spell: (tokens) => detokenizer.text(tokens) })
  }

  async function textIn(
    samples: Float32Array,
    languageBy: (begin: () => Promise<Float32Array>) => Promise<string>,
    signal: AbortSignal,
  ) {
    let language = ''
    const { steps } = await heardIn<Step>(samples, async (heard, take) => {
      language = await languageBy(() => model.begin(heard))
      const asked = { language, limit: limitFor(samples), attentive: false, signal }
      return model.decode(heard, asked, (token, logits) =>
        take({ token, probability: probabilityOf(token, logits) }),
      )
    })
    // In a call, words that nobody said are worse than none: noise makes whisper invent polite phrases.
    if (confidenceOf(steps) < unsureProbability) return { text: '', language }
    const tokens = steps.map(({ token }) => token).filter((token) => token !== endToken)
    return { text: detokenizer.text(tokens).trim(), language }
  }

  /** In a short window; if that makes whisper repeat itself, again in the whole one. */
  async function heardIn<S extends Step>(
    samples: Float32Array,
    decode: (heard: Tensor, take: (step: S) => boolean) => Promise<Float32Array>,
  ) {
    const windows = windowsFor(samples.length)
    for (const frames of windows) {
      const steps: S[] = []
      let loops = false
      const begun = await decode(await model.listen(samples, frames), (step) => {
        steps.push(step)
        loops = isLooping(steps.map(({ token }) => token))
        return !loops || frames === windows.at(-1)
      })
      if (!loops || frames === windows.at(-1)) return { steps, begun }
    }
    throw new Error('there is no window for this speech')
  }

  return {
    async answer(question, signal) {
      const { samples } = question
      const [first = wholeWindowFrames] = windowsFor(samples.length)
      if (question.want === 'language')
        return { got: 'language', shares: languagesIn(await model.begin(await model.listen(samples, first))) }
      if (question.want === 'words')
        return { got: 'words', words: await wordsIn(samples, question.language, signal) }
      const languageBy = async (begin: () => Promise<Float32Array>) =>
        'language' in question ? question.language : spokenLanguage(languagesIn(await begin()), question)
      return { got: 'text', ...(await textIn(samples, languageBy, signal)) }
    },
    release: () => model.release(),
  }
})

const limitFor = (samples: Float32Array) =>
  Math.min(mostTokens, Math.ceil((samples.length / rateHz) * tokensPerSecond) + fewestTokens)

/** Most likely first. */
function languagesIn(logits: Float32Array): LanguageShare[] {
  const own = logits.subarray(languageTokens.from, languageTokens.to)
  const shares = whisperLanguages.map((language, place) => ({
    language,
    probability: probabilityOf(place, own),
  }))
  return shares.toSorted((a, b) => b.probability - a.probability)
}

const isSilent = (begun: Float32Array) => probabilityOf(silenceToken, begun) > silentProbability

const confidenceOf = (steps: readonly Step[]) =>
  Math.exp(steps.reduce((sum, { probability }) => sum + Math.log(probability), 0) / Math.max(1, steps.length))
