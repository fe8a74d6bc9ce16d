// The Moonshine base model: a speech segment in, tokens out one by one.
import { readFile } from 'node:fs/promises'
import llamaTokenizer from 'llama-tokenizer-js'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { attentionOutput, exposeAttention } from '../onnx/attention.ts'
import { withInt8Head } from '../onnx/int8-head.ts'
import type { Segment } from '../utterances/recognition-attempt.ts'

export interface MoonshinePaths {
  readonly encoder: string
  readonly decoder: string
}

export type MoonshineTensors = Record<string, Tensor>

export interface MoonshineModel {
  /** Returns the text tokens; `watch` sees each token and its attention as it is decoded, including the end token. */
  decode(segment: Segment, signal: AbortSignal, watch?: MoonshineWatcher): Promise<number[]>
  release(): Promise<void>
}

export type MoonshineWatcher = (token: number, output: MoonshineTensors) => void

const rateHz = 16_000
const layers = 8
const heads = 8
const headWidth = 52
const startToken = 1
export const endToken = 2
// Size of the tokeniser's vocabulary; tokens above it are special.
const wordTokens = 32_000
// Faster than anyone speaks; a decoder that exceeds it is in a loop.
const tokensPerSecond = 6.5
// The encoder's first layers consume this many samples before producing output.
const shortestSamples = 2_000
const normalPeak = 0.7
// Makes 200 ms of silence, which Moonshine expects, together with the silence that the detector needs to confirm an
// end.
const silenceAfterSamples = 0.09 * rateHz

/** `attentive`: the layers whose attention `watch` needs. */
export async function loadMoonshine(
  paths: MoonshinePaths,
  attentive: readonly number[] = [],
): Promise<MoonshineModel> {
  // One thread: the recognizer must not take cores from the calls.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  const encoder = await InferenceSession.create(paths.encoder, options)
  const weights = withInt8Head(await readFile(paths.decoder))
  const decoder = await InferenceSession.create(
    attentive.length === 0 ? weights : exposeAttention(weights, attentive),
    options,
  )
  const attention = attentive.map(attentionOutput)

  async function decode(
    heard: Tensor,
    limit: number,
    signal: AbortSignal,
    watch?: MoonshineWatcher,
  ): Promise<number[]> {
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
      const wanted = [...(step === 0 ? everything : saidOnly), ...(watch ? attention : [])]
      const output = (await decoder.run(input, wanted)) as MoonshineTensors
      const token = likeliest(output.logits?.data as Float32Array)
      watch?.(token, output)
      if (token === endToken) break
      tokens.push(token)
      past = remembered(past, output)
    }
    return tokens
  }

  return {
    async decode(segment, signal, watch) {
      if (segment.length < shortestSamples) return []
      const padded = new Float32Array(segment.length + silenceAfterSamples)
      padded.set(segment)
      normalise(padded)
      const { last_hidden_state: heard } = await encoder.run({
        input_values: new Tensor('float32', padded, [1, padded.length]),
      })
      const limit = Math.ceil((segment.length / rateHz) * tokensPerSecond)
      const tokens = await decode(heard as Tensor, limit, signal, watch)
      return tokens.filter(isWord)
    },
    async release() {
      await encoder.release()
      await decoder.release()
    },
  }
}

export const isWord = (token: number): boolean => token > endToken && token < wordTokens

export const moonshineText = (tokens: readonly number[]): string =>
  llamaTokenizer.decode([startToken, ...tokens]).trim()

const sideKeys = (side: 'decoder' | 'encoder') =>
  Array.from({ length: layers }, (_, layer) => [`${layer}.${side}.key`, `${layer}.${side}.value`]).flat()
const pastKeys = [...sideKeys('decoder'), ...sideKeys('encoder')]

// Cross-attention keys and values are computed once, in the first step; those of self-attention grow with every step.
const outputs = (keys: readonly string[]) => ['logits', ...keys.map((key) => `present.${key}`)]
const everything = outputs(pastKeys)
const saidOnly = outputs(sideKeys('decoder'))

const nothingYet = (): MoonshineTensors =>
  Object.fromEntries(
    pastKeys.map((key) => [
      `past_key_values.${key}`,
      new Tensor('float32', new Float32Array(0), [1, heads, 0, headWidth]),
    ]),
  )

function remembered(past: MoonshineTensors, output: MoonshineTensors): MoonshineTensors {
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

/** Raises the level: Moonshine returns no text for speech that is too quiet. */
function normalise(segment: Float32Array): void {
  let peak = 0
  for (const sample of segment) peak = Math.max(peak, Math.abs(sample))
  if (peak === 0) return
  const gain = normalPeak / peak
  for (let i = 0; i < segment.length; i++) segment[i] = (segment[i] as number) * gain
}
