// The whisper model: 30 seconds of audio in, tokens out one by one.
import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import type { Head } from '../alignment/heads.ts'
import { logMel, melBands, melFrames } from '../features/log-mel.ts'
import { endToken, headWidth, promptFor, startToken } from './tokens.ts'

export interface WhisperPaths {
  readonly encoder: string
  readonly decoder: string
  readonly vocabulary: string
  readonly habits: string
}

export type Tensors = Record<string, Tensor>

/** Sees each token as it is decoded, including the end token. */
export type Watch = (token: number, logits: Float32Array, output: Tensors) => void

export interface WhisperModel {
  /** The heads whose attention tracks the audio. */
  readonly heads: readonly Head[]
  listen(samples: Float32Array): Promise<Tensor>
  /** Logits before the first token: they hold the language and no-speech probabilities. */
  begin(heard: Tensor): Promise<Float32Array>
  decode(heard: Tensor, asked: Asked, watch: Watch): Promise<void>
  release(): Promise<void>
}

export interface Asked {
  readonly language: string
  readonly limit: number
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
  const encoder = await InferenceSession.create(paths.encoder, options)
  const decoder = await InferenceSession.create(paths.decoder, options)
  const habits = Habits.parse(JSON.parse(await readFile(paths.habits, 'utf8')))
  const never = habits.suppress_tokens
  const neverFirst = [...never, ...habits.begin_suppress_tokens]
  const heads = habits.alignment_heads.map(([layer, head]) => ({ layer, head }))
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'))
  const presentNames = pastNames.map((name) => name.replace('past_key_values', 'present'))
  const attention = [...new Set(heads.map(({ layer }) => `cross_attentions.${layer}`))]
  // Cross-attention keys and values are computed once, in the first step; those of self-attention grow with every step.
  const everything = ['logits', ...presentNames, ...attention]
  const saidOnly = everything.filter((name) => !name.includes('.encoder.'))

  const run = (tokens: readonly number[], heard: Tensor, past: Tensors | undefined) =>
    decoder.run(
      {
        ...(past ?? nothingYet(pastNames, heard)),
        input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
        encoder_hidden_states: heard,
        use_cache_branch: new Tensor('bool', [past !== undefined], [1]),
      },
      past ? saidOnly : everything,
    ) as Promise<Tensors>

  return {
    heads,
    async listen(samples) {
      const picture = new Tensor('float32', logMel(samples), [1, melBands, melFrames])
      const { last_hidden_state: heard } = await encoder.run({ input_features: picture }, [
        'last_hidden_state',
      ])
      return heard as Tensor
    },
    async begin(heard) {
      return lastRow(await run([startToken], heard, undefined))
    },
    async decode(heard, { language, limit, signal }, watch) {
      let past: Tensors | undefined
      let next = promptFor(language)
      for (let step = 0; step < limit; step++) {
        signal.throwIfAborted()
        const output = await run(next, heard, past)
        const logits = lastRow(output)
        const token = likeliest(logits, past ? never : neverFirst)
        watch(token, logits, output)
        if (token === endToken) return
        past = remembered(past, output, pastNames)
        next = [token]
      }
    },
    async release() {
      await encoder.release()
      await decoder.release()
    },
  }
}

/** With several input tokens, the last row predicts the next one. */
function lastRow({ logits }: Tensors): Float32Array {
  if (!logits) throw new Error('the decoder says nothing')
  const [, rows = 1, width = 0] = logits.dims
  return (logits.data as Float32Array).subarray((rows - 1) * width, rows * width)
}

/** Special tokens and suppressed symbols are skipped. */
function likeliest(logits: Float32Array, never: readonly number[]): number {
  for (const token of never) logits[token] = Number.NEGATIVE_INFINITY
  let best = 0
  for (let token = 1; token <= endToken; token++)
    if ((logits[token] as number) > (logits[best] as number)) best = token
  return best
}

/** Empty caches for the first step; the number of heads follows from the encoder's width. */
function nothingYet(names: readonly string[], heard: Tensor): Tensors {
  const heads = (heard.dims[2] ?? 0) / headWidth
  return Object.fromEntries(
    names.map((name) => [name, new Tensor('float32', new Float32Array(0), [1, heads, 0, headWidth])]),
  )
}

const remembered = (past: Tensors | undefined, output: Tensors, names: readonly string[]): Tensors =>
  Object.fromEntries(
    names.map((name) => {
      const present = output[name.replace('past_key_values', 'present')] ?? past?.[name]
      if (!present) throw new Error(`the decoder has no ${name}`)
      return [name, present]
    }),
  )
