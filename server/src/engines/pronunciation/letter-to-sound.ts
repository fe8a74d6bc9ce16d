// Predicts the pronunciation of a word outside the dictionary: a small recurrent network, letters in, phones out.
//
// Two single-layer GRUs: the encoder reads the letters, the decoder emits phones until the end token.

interface Matrix {
  readonly shape: readonly number[]
  /** Little-endian floats in base64. */
  readonly data: string
}

const matrixNames = [
  ...(['enc_emb', 'enc_w_ih', 'enc_w_hh', 'enc_b_ih', 'enc_b_hh'] as const),
  ...(['dec_emb', 'dec_w_ih', 'dec_w_hh', 'dec_b_ih', 'dec_b_hh', 'fc_w', 'fc_b'] as const),
] as const

export type LetterToSoundWeights = Readonly<Record<(typeof matrixNames)[number], Matrix>> & {
  readonly graphemes: readonly string[]
  readonly phonemes: readonly string[]
}

// Start and end tokens of the decoder.
const startPhone = 2
const endPhone = 3
// Longer than any English word; a decoder that has not ended by then is in a loop.
const longestPhones = 20

/** One layer of gated recurrent units: the gates reset and update, and the candidate, `width` rows each. */
class Cell {
  readonly #width: number
  readonly #fromInput: readonly Float32Array[]
  readonly #memoryWeights: Float32Array
  readonly #memoryBias: Float32Array
  readonly #fromMemory: Float32Array

  /** The inputs are few, so the contribution of each to the gates is computed once. */
  constructor(parts: {
    readonly inputs: Float32Array
    readonly inputWeights: Float32Array
    readonly inputBias: Float32Array
    readonly memoryWeights: Float32Array
    readonly memoryBias: Float32Array
    readonly width: number
  }) {
    const { inputs, inputWeights, inputBias, width } = parts
    this.#width = width
    this.#fromInput = Array.from({ length: inputs.length / width }, (_, place) => {
      const brought = new Float32Array(3 * width)
      multiply(inputWeights, inputBias, inputs.subarray(place * width, (place + 1) * width), brought)
      return brought
    })
    this.#memoryWeights = parts.memoryWeights
    this.#memoryBias = parts.memoryBias
    this.#fromMemory = new Float32Array(3 * width)
  }

  /** Takes one step, which changes the memory. */
  step(input: number, memory: Float32Array): void {
    const width = this.#width
    const fromInput = this.#fromInput[input] as Float32Array
    const fromMemory = this.#fromMemory
    multiply(this.#memoryWeights, this.#memoryBias, memory, fromMemory)
    const at = (side: Float32Array, gate: number, unit: number) => side[gate * width + unit] as number
    for (let i = 0; i < width; i++) {
      const reset = sigmoid(at(fromInput, 0, i) + at(fromMemory, 0, i))
      const update = sigmoid(at(fromInput, 1, i) + at(fromMemory, 1, i))
      const candidate = Math.tanh(at(fromInput, 2, i) + reset * at(fromMemory, 2, i))
      memory[i] = (1 - update) * candidate + update * (memory[i] as number)
    }
  }
}

export class LetterToSound {
  readonly #letters: ReadonlyMap<string, number>
  readonly #phones: readonly string[]
  readonly #reader: Cell
  readonly #sayer: Cell
  readonly #outWeights: Float32Array
  readonly #outBias: Float32Array
  readonly #scores: Float32Array
  readonly #width: number

  constructor(weights: LetterToSoundWeights) {
    const floats = (name: (typeof matrixNames)[number]) => decoded(weights[name].data)
    const width = weights.enc_w_hh.shape[1] ?? 0
    const cell = (side: 'enc' | 'dec') =>
      new Cell({
        inputs: floats(`${side}_emb`),
        inputWeights: floats(`${side}_w_ih`),
        inputBias: floats(`${side}_b_ih`),
        memoryWeights: floats(`${side}_w_hh`),
        memoryBias: floats(`${side}_b_hh`),
        width,
      })
    this.#letters = new Map(weights.graphemes.map((letter, place) => [letter, place]))
    this.#phones = weights.phonemes
    this.#reader = cell('enc')
    this.#sayer = cell('dec')
    this.#outWeights = floats('fc_w')
    this.#outBias = floats('fc_b')
    this.#scores = new Float32Array(this.#outBias.length)
    this.#width = width
  }

  /** The phones of a word in lower-case letters. */
  phonesOf(word: string): string[] {
    const memory = new Float32Array(this.#width)
    for (const letter of [...word, '</s>']) {
      this.#reader.step(this.#letters.get(letter) ?? this.#letters.get('<unk>') ?? 0, memory)
    }
    const phones: string[] = []
    let said = startPhone
    while (phones.length < longestPhones) {
      this.#sayer.step(said, memory)
      said = this.#likeliest(memory)
      if (said === endPhone) break
      phones.push(this.#phones[said] ?? '')
    }
    return phones
  }

  #likeliest(memory: Float32Array): number {
    const scores = this.#scores
    multiply(this.#outWeights, this.#outBias, memory, scores)
    return scores.indexOf(scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY))
  }
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

/** One row of the matrix for each number of the result. */
function multiply(
  matrix: Float32Array,
  bias: Float32Array,
  vector: Float32Array,
  result: Float32Array,
): void {
  const width = vector.length
  for (let row = 0, at = 0; row < bias.length; row++) {
    let sum = bias[row] as number
    for (let i = 0; i < width; i++) sum += (matrix[at++] as number) * (vector[i] as number)
    result[row] = sum
  }
}

function decoded(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  return new Float32Array(bytes.buffer)
}
