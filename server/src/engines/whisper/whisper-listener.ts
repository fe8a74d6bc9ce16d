// Listens to a piece of speech with the whisper model: its language, its text, or its words with times.
import type { Tensor } from 'onnxruntime-node'
import {
  attendedTo,
  type DecoderStep,
  probabilityOf,
  type TimedWord,
  wordTimes,
} from '../alignment/word-times.ts'
import type { Detokenizer } from './detokenizer.ts'
import {
  isSpaced,
  type LanguageShare,
  languageTokens,
  silenceToken,
  whisperEndToken,
  whisperLanguages,
} from './languages.ts'
import type { WhisperModel } from './whisper-model.ts'
import { isLooping, wholeWindowFrames, windowsFor } from './window.ts'

interface WhisperStep {
  readonly token: number
  readonly probability: number
}

interface DecodedTokens<S extends WhisperStep> {
  readonly steps: readonly S[]
  readonly begun: Float32Array
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

/** Takes samples at 16 kHz between -1 and 1, at most 30 seconds. */
export class WhisperListener {
  readonly #model: WhisperModel
  readonly #detokenizer: Detokenizer

  constructor(model: WhisperModel, detokenizer: Detokenizer) {
    this.#model = model
    this.#detokenizer = detokenizer
  }

  /** The languages, most likely first. */
  async languages(samples: Float32Array): Promise<LanguageShare[]> {
    const [frames = wholeWindowFrames] = windowsFor(samples.length)
    return languagesIn(await this.#model.begin(await this.#model.listen(samples, frames)))
  }

  async words(samples: Float32Array, language: string, signal: AbortSignal): Promise<TimedWord[]> {
    const frames = Math.ceil((samples.length / rateHz) * (1000 / frameMs))
    const spaced = isSpaced(language)
    const partOf = (token: number) => {
      if (token === whisperEndToken) return 'end'
      return this.#detokenizer.beginsWord(token, spaced) ? 'first-of-word' : 'rest-of-word'
    }
    const asked = { language, limit: limitFor(samples), attentive: true, signal }
    const { steps, begun } = await this.#decode<DecoderStep>(samples, (heard, take) =>
      this.#model.decode(heard, asked, (token, logits, output) => {
        const attention = attendedTo(
          this.#model.heads,
          (layer) => output[`cross_attentions.${layer}`],
          frames,
        )
        return take({ token, part: partOf(token), probability: probabilityOf(token, logits), attention })
      }),
    )
    if (isSilent(begun) && confidenceOf(steps) < unsureProbability) return []
    return wordTimes(steps, { frameMs, lagMs, samples, spell: (tokens) => this.#detokenizer.text(tokens) })
  }

  /** The text and its language. `languageBy` may look at the probabilities of the languages. */
  async text(
    samples: Float32Array,
    languageBy: (shares: () => Promise<readonly LanguageShare[]>) => Promise<string>,
    signal: AbortSignal,
  ): Promise<{ text: string; language: string }> {
    let language = ''
    const { steps } = await this.#decode<WhisperStep>(samples, async (heard, take) => {
      language = await languageBy(async () => languagesIn(await this.#model.begin(heard)))
      const asked = { language, limit: limitFor(samples), attentive: false, signal }
      return this.#model.decode(heard, asked, (token, logits) =>
        take({ token, probability: probabilityOf(token, logits) }),
      )
    })
    // In a call, words that nobody said are worse than none: noise makes whisper invent polite phrases.
    if (confidenceOf(steps) < unsureProbability) return { text: '', language }
    const tokens = steps.map(({ token }) => token).filter((token) => token !== whisperEndToken)
    return { text: this.#detokenizer.text(tokens).trim(), language }
  }

  /** Decodes in a short window; if that makes whisper repeat itself, again in the whole one. */
  async #decode<S extends WhisperStep>(
    samples: Float32Array,
    decode: (heard: Tensor, take: (step: S) => boolean) => Promise<Float32Array>,
  ): Promise<DecodedTokens<S>> {
    const windows = windowsFor(samples.length)
    for (const frames of windows) {
      const isLast = frames === windows.at(-1)
      const steps: S[] = []
      let loops = false
      const begun = await decode(await this.#model.listen(samples, frames), (step) => {
        steps.push(step)
        loops = isLooping(steps.map(({ token }) => token))
        return !loops || isLast
      })
      if (!loops || isLast) return { steps, begun }
    }
    throw new Error('there is no window for this speech')
  }
}

const limitFor = (samples: Float32Array) =>
  Math.min(mostTokens, Math.ceil((samples.length / rateHz) * tokensPerSecond) + fewestTokens)

function languagesIn(logits: Float32Array): LanguageShare[] {
  const own = logits.subarray(languageTokens.from, languageTokens.to)
  const shares = whisperLanguages.map((language, place) => ({
    language,
    probability: probabilityOf(place, own),
  }))
  return shares.toSorted((a, b) => b.probability - a.probability)
}

const isSilent = (begun: Float32Array) => probabilityOf(silenceToken, begun) > silentProbability

const confidenceOf = (steps: readonly WhisperStep[]) =>
  Math.exp(steps.reduce((sum, { probability }) => sum + Math.log(probability), 0) / Math.max(1, steps.length))
