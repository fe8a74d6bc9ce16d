// The words of a piece of speech with their times, from what Moonshine's decoder attended to.
import llamaTokenizer from 'llama-tokenizer-js'
import {
  attendedTo,
  type DecoderStep,
  type Head,
  probabilityOf,
  type TimedWord,
  wordTimes,
} from '../alignment/word-times.ts'
import { attentionOutput } from '../onnx/attention.ts'
import type { Segment } from '../utterances/recognition-attempt.ts'
import { endToken, isWord, type MoonshineModel } from './moonshine-model.ts'

export const asWrittenToday = (text: string): string =>
  text.replace(/\b(to)-(day|night|morrow)\b/gi, '$1$2').replace(/([,;:])\1+/g, '$1')

// A frame has three strides of the encoder: 64 × 3 × 2 samples at 16 kHz.
const frameMs = 24
// The lag is half a frame: a word begins before the frame in which it is heard.
const lagMs = 12
// The heads among the 64 that track the audio most closely, chosen on speech with known times.
const heads: readonly Head[] = [
  { layer: 5, head: 4 },
  { layer: 5, head: 5 },
  { layer: 6, head: 0 },
  { layer: 6, head: 1 },
  { layer: 6, head: 4 },
  { layer: 6, head: 7 },
]
const wordMark = '▁'

/** The layers whose attention a model must be loaded with. */
export const timedLayers = [...new Set(heads.map(({ layer }) => layer))]

export async function moonshineWords(
  model: MoonshineModel,
  samples: Segment,
  signal: AbortSignal,
): Promise<TimedWord[]> {
  const steps: DecoderStep[] = []
  await model.decode(samples, signal, (token, output) => {
    steps.push({
      token,
      part: partOf(token),
      probability: probabilityOf(token, output.logits?.data as Float32Array),
      attention: attendedTo(heads, (layer) => output[attentionOutput(layer)]),
    })
  })
  return wordTimes(steps, { frameMs, lagMs, samples, spell })
}

function partOf(token: number): DecoderStep['part'] {
  if (token === endToken) return 'end'
  return llamaTokenizer.vocabById[token]?.startsWith(wordMark) ? 'first-of-word' : 'rest-of-word'
}

const spell = (tokens: readonly number[]) =>
  asWrittenToday(llamaTokenizer.decode(tokens.filter(isWord), false, false))
