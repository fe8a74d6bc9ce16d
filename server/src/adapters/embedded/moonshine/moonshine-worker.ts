// Moonshine base in its thread: a voice segment in, its words out.
import llamaTokenizer from 'llama-tokenizer-js'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { serve } from '../engine/serve.ts'
import { asWrittenToday } from './spelling.ts'

export interface MoonshinePaths {
  readonly encoder: string
  readonly decoder: string
}

/** At 16 kHz, between -1 and 1, cut to the voice. */
export type Segment = Float32Array<ArrayBuffer>

const rateHz = 16_000
const layers = 8
const heads = 8
const headWidth = 52
const startToken = 1
const endToken = 2
// The tokenizer's last word; what lies above are marks that are never spoken.
const wordTokens = 32_000
// Nobody says more; a decoder that does has fallen into a loop.
const tokensPerSecond = 6.5
// The encoder's first layers swallow this much before they yield anything.
const shortestSamples = 2_000
const normalPeak = 0.7
// Together with what the detector needs to be sure of an end, the fifth of a second of silence that Moonshine wants.
const silenceAfterSamples = 0.09 * rateHz

type Tensors = Record<string, Tensor>

serve<MoonshinePaths, Segment, string>(async (paths) => {
  // One thread: the recognizer may not take the cores from the calls.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  const encoder = await InferenceSession.create(paths.encoder, options)
  const decoder = await InferenceSession.create(paths.decoder, options)

  async function decode(heard: Tensor, limit: number, signal: AbortSignal): Promise<number[]> {
    const tokens = [startToken]
    let past = nothingYet()
    for (let step = 0; step < limit; step++) {
      signal.throwIfAborted()
      const input = {
        ...past,
        input_ids: new Tensor('int64', [BigInt(tokens.at(-1) ?? startToken)], [1, 1]),
        encoder_hidden_states: heard,
        use_cache_branch: new Tensor('bool', [step > 0], [1]),
      }
      const output = (await decoder.run(input, step === 0 ? everything : saidOnly)) as Tensors
      const token = likeliest(output.logits?.data as Float32Array)
      if (token === endToken) break
      tokens.push(token)
      past = remembered(past, output)
    }
    return tokens
  }

  return {
    async answer(segment, signal) {
      if (segment.length < shortestSamples) return ''
      const padded = new Float32Array(segment.length + silenceAfterSamples)
      padded.set(segment)
      normalise(padded)
      const { last_hidden_state: heard } = await encoder.run({
        input_values: new Tensor('float32', padded, [1, padded.length]),
      })
      const limit = Math.ceil((segment.length / rateHz) * tokensPerSecond)
      const tokens = await decode(heard as Tensor, limit, signal)
      return asWrittenToday(llamaTokenizer.decode(tokens.filter((token) => token < wordTokens)).trim())
    },
    async release() {
      await encoder.release()
      await decoder.release()
    },
  }
})

const sideKeys = (side: 'decoder' | 'encoder') =>
  Array.from({ length: layers }, (_, layer) => [`${layer}.${side}.key`, `${layer}.${side}.value`]).flat()
const pastKeys = [...sideKeys('decoder'), ...sideKeys('encoder')]

// What the decoder heard is computed once, in the first step; what it said grows with every step.
const outputs = (keys: readonly string[]) => ['logits', ...keys.map((key) => `present.${key}`)]
const everything = outputs(pastKeys)
const saidOnly = outputs(sideKeys('decoder'))

const nothingYet = (): Tensors =>
  Object.fromEntries(
    pastKeys.map((key) => [
      `past_key_values.${key}`,
      new Tensor('float32', new Float32Array(0), [1, heads, 0, headWidth]),
    ]),
  )

function remembered(past: Tensors, output: Tensors): Tensors {
  const next = { ...past }
  for (const key of pastKeys) {
    const present = output[`present.${key}`]
    if (present) next[`past_key_values.${key}`] = present
  }
  return next
}

function likeliest(logits: Float32Array): number {
  let best = 0
  for (let token = 1; token < logits.length; token++) {
    if ((logits[token] as number) > (logits[best] as number)) best = token
  }
  return best
}

/** Moonshine returns nothing for speech that is too quiet. */
function normalise(segment: Float32Array): void {
  let peak = 0
  for (const sample of segment) peak = Math.max(peak, Math.abs(sample))
  if (peak === 0) return
  const gain = normalPeak / peak
  for (let i = 0; i < segment.length; i++) segment[i] = (segment[i] as number) * gain
}
