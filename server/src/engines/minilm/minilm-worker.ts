// The MiniLM-L6-v2 worker: texts in, one unit vector each out.
import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { serveEngine } from '../engine/serve-engine.ts'
import { WordPieces, type WordPieceVocabulary } from './word-pieces.ts'

export interface MiniLmPaths {
  readonly network: string
  readonly tokenizer: string
}

export type Vector = Float32Array<ArrayBuffer>

// The length of texts in training; more only blurs the meaning.
const longestPieces = 256

serveEngine<MiniLmPaths, readonly string[], Vector[]>(async ({ network, tokenizer }) => {
  // One thread: a text takes a few milliseconds, and the other cores carry calls.
  const session = await InferenceSession.create(network, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  const vocabulary = JSON.parse(await readFile(tokenizer, 'utf8')) as WordPieceVocabulary
  const pieces = new WordPieces(vocabulary, longestPieces)

  /** One text per run: in a batch, rounding would depend on the other texts. */
  async function vectorOf(text: string): Promise<Vector> {
    const numbers = pieces.numbersOf(text)
    const row = (values: BigInt64Array) => new Tensor('int64', values, [1, values.length])
    const { last_hidden_state: states } = await session.run({
      input_ids: row(BigInt64Array.from(numbers, BigInt)),
      attention_mask: row(new BigInt64Array(numbers.length).fill(1n)),
      token_type_ids: row(new BigInt64Array(numbers.length)),
    })
    return unit(mean(states?.data as Float32Array, numbers.length))
  }

  // The first run takes many times as long as the others.
  await vectorOf('Hello.')
  return {
    async answer(texts, signal) {
      const vectors: Vector[] = []
      for (const text of texts) {
        signal.throwIfAborted()
        vectors.push(await vectorOf(text))
      }
      return vectors
    },
    moved: (vectors) => vectors.map(({ buffer }) => buffer),
    release: () => session.release(),
  }
})

function mean(states: Float32Array, count: number): Vector {
  const width = states.length / count
  return Float32Array.from({ length: width }, (_, column) => {
    let sum = 0
    for (let row = 0; row < count; row++) sum += states[row * width + column] as number
    return sum / count
  })
}

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
