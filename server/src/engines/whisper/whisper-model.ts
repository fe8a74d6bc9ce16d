// The whisper model: up to 30 seconds of audio in, tokens out one by one.
import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import type { Head } from '../alignment/word-times.ts'
import { logMel, melBands } from '../features/log-mel.ts'
import { withAnyWindow } from '../onnx/any-window.ts'
import { withInt8Head } from '../onnx/int8-head.ts'
import { headWidth, promptFor, whisperEndToken, whisperStartToken } from './languages.ts'

export interface WhisperPaths {
  readonly encoder: string
  readonly decoder: string
  readonly vocabulary: string
  readonly habits: string
}

export type WhisperTensors = Record<string, Tensor>

/** Sees each token as it is decoded, including the end token; returns false to stop. */
export type WhisperWatcher = (token: number, logits: Float32Array, output: WhisperTensors) => boolean

export interface WhisperModel {
  /** The heads whose attention tracks the audio. */
  readonly heads: readonly Head[]
  /** Encodes samples. `frames`: the window, in columns of 10 ms. */
  listen(samples: Float32Array, frames: number): Promise<Tensor>
  /** Returns the logits before the first token, which hold the probabilities of the languages. */
  begin(heard: Tensor): Promise<Float32Array>
  /** Decodes, and returns the same logits: they also hold the probability that nobody speaks. */
  decode(heard: Tensor, asked: DecodingOptions, watch: WhisperWatcher): Promise<Float32Array>
  release(): Promise<void>
}

export interface DecodingOptions {
  readonly language: string
  readonly limit: number
  /** Whether `watch` needs the attention. */
  readonly attentive: boolean
  readonly signal: AbortSignal
}

const Habits = z.object({
  alignment_heads: z.array(z.tuple([z.number(), z.number()])),
  suppress_tokens: z.array(z.number()),
  begin_suppress_tokens: z.array(z.number()),
})

export async function loadWhisper(paths: WhisperPaths): Promise<WhisperModel> {
  // One thread: the recognizer must not take cores from the calls.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  const encoder = await InferenceSession.create(withAnyWindow(await readFile(paths.encoder)), options)
  const decoder = await InferenceSession.create(withInt8Head(await readFile(paths.decoder)), options)
  const habits = Habits.parse(JSON.parse(await readFile(paths.habits, 'utf8')))
  const never = habits.suppress_tokens
  const neverFirst = [...never, ...habits.begin_suppress_tokens]
  const heads = habits.alignment_heads.map(([layer, head]) => ({ layer, head }))
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'))
  const presentNames = pastNames.map((name) => name.replace('past_key_values', 'present'))
  const attention = [...new Set(heads.map(({ layer }) => `cross_attentions.${layer}`))]
  // Cross-attention keys and values are computed once, in the first step; those of self-attention grow with every step.
  const everything = ['logits', ...presentNames]
  const saidOnly = everything.filter((name) => !name.includes('.encoder.'))

  const run = (
    tokens: readonly number[],
    heard: Tensor,
    past?: WhisperTensors,
    alsoWanted: readonly string[] = [],
  ) =>
    decoder.run(
      {
        ...(past ?? nothingYet(pastNames, heard)),
        input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
        encoder_hidden_states: heard,
        use_cache_branch: new Tensor('bool', [past !== undefined], [1]),
      },
      [...(past ? saidOnly : everything), ...alsoWanted],
    ) as Promise<WhisperTensors>

  return {
    heads,
    async listen(samples, frames) {
      const picture = new Tensor('float32', logMel(samples, frames), [1, melBands, frames])
      const { last_hidden_state: heard } = await encoder.run({ input_features: picture }, [
        'last_hidden_state',
      ])
      return heard as Tensor
    },
    async begin(heard) {
      return rowOf(await run([whisperStartToken], heard), 'first')
    },
    async decode(heard, { language, limit, attentive, signal }, watch) {
      const alsoWanted = attentive ? attention : []
      let begun: Float32Array | undefined
      let past: WhisperTensors | undefined
      let next = promptFor(language)
      for (let step = 0; step < limit; step++) {
        signal.throwIfAborted()
        const output = await run(next, heard, past, alsoWanted)
        begun ??= rowOf(output, 'first').slice()
        const logits = rowOf(output, 'last')
        const token = likeliest(logits, past ? never : neverFirst)
        const goesOn = watch(token, logits, output)
        if (token === whisperEndToken || !goesOn) break
        past = remembered(past, output, pastNames)
        next = [token]
      }
      return begun ?? new Float32Array()
    },
    async release() {
      await encoder.release()
      await decoder.release()
    },
  }
}

/** A row of logits: what follows an input token. */
function rowOf({ logits }: WhisperTensors, which: 'first' | 'last'): Float32Array {
  if (!logits) throw new Error('the decoder says nothing')
  const [, rows = 1, width = 0] = logits.dims
  const row = which === 'first' ? 0 : rows - 1
  return (logits.data as Float32Array).subarray(row * width, (row + 1) * width)
}

/** The likeliest token, without special tokens and suppressed symbols. */
function likeliest(logits: Float32Array, never: readonly number[]): number {
  for (const token of never) logits[token] = Number.NEGATIVE_INFINITY
  let best = 0
  for (let token = 1; token <= whisperEndToken; token++)
    if ((logits[token] as number) > (logits[best] as number)) best = token
  return best
}

/** Empty caches for the first step; the number of heads follows from the encoder's width. */
function nothingYet(names: readonly string[], heard: Tensor): WhisperTensors {
  const heads = (heard.dims[2] ?? 0) / headWidth
  return Object.fromEntries(
    names.map((name) => [name, new Tensor('float32', new Float32Array(0), [1, heads, 0, headWidth])]),
  )
}

const remembered = (
  past: WhisperTensors | undefined,
  output: WhisperTensors,
  names: readonly string[],
): WhisperTensors =>
  Object.fromEntries(
    names.map((name) => {
      const present = output[name.replace('past_key_values', 'present')] ?? past?.[name]
      if (!present) throw new Error(`the decoder has no ${name}`)
      return [name, present]
    }),
  )
