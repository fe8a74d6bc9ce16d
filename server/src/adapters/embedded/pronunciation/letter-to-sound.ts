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

interface Cell {
  readonly input: Float32Array
  readonly memory: Float32Array
  readonly inputBias: Float32Array
  readonly memoryBias: Float32Array
}

export class LetterToSound {
  readonly #letters: ReadonlyMap<string, number>
  readonly #phones: readonly string[]
  readonly #letterVectors: Float32Array
  readonly #phoneVectors: Float32Array
  readonly #reader: Cell
  readonly #sayer: Cell
  readonly #outWeights: Float32Array
  readonly #outBias: Float32Array
  readonly #width: number

  constructor(weights: LetterToSoundWeights) {
    const floats = (name: (typeof matrixNames)[number]) => decoded(weights[name].data)
    const cell = (side: 'enc' | 'dec'): Cell => ({
      input: floats(`${side}_w_ih`),
      memory: floats(`${side}_w_hh`),
      inputBias: floats(`${side}_b_ih`),
      memoryBias: floats(`${side}_b_hh`),
    })
    this.#letters = new Map(weights.graphemes.map((letter, place) => [letter, place]))
    this.#phones = weights.phonemes
    this.#letterVectors = floats('enc_emb')
    this.#phoneVectors = floats('dec_emb')
    this.#reader = cell('enc')
    this.#sayer = cell('dec')
    this.#outWeights = floats('fc_w')
    this.#outBias = floats('fc_b')
    this.#width = weights.enc_w_hh.shape[1] ?? 0
  }

  /** Lower-case letters only. */
  phonesOf(word: string): string[] {
    let memory = new Float32Array(this.#width)
    for (const letter of [...word, '</s>']) {
      const place = this.#letters.get(letter) ?? this.#letters.get('<unk>') ?? 0
      memory = this.#step(this.#reader, this.#row(this.#letterVectors, place), memory)
    }
    const phones: string[] = []
    let said = startPhone
    while (phones.length < longestPhones) {
      memory = this.#step(this.#sayer, this.#row(this.#phoneVectors, said), memory)
      said = this.#likeliest(memory)
      if (said === endPhone) break
      phones.push(this.#phones[said] ?? '')
    }
    return phones
  }

  #row(matrix: Float32Array, place: number): Float32Array {
    return matrix.subarray(place * this.#width, (place + 1) * this.#width)
  }

  /** One GRU step: reset gate, update gate, candidate, each `width` rows. */
  #step(cell: Cell, input: Float32Array, memory: Float32Array): Float32Array<ArrayBuffer> {
    const width = this.#width
    const fromInput = product(cell.input, cell.inputBias, input)
    const fromMemory = product(cell.memory, cell.memoryBias, memory)
    const at = (side: Float32Array, gate: number, i: number) => side[gate * width + i] as number
    return Float32Array.from({ length: width }, (_, i) => {
      const reset = sigmoid(at(fromInput, 0, i) + at(fromMemory, 0, i))
      const update = sigmoid(at(fromInput, 1, i) + at(fromMemory, 1, i))
      const candidate = Math.tanh(at(fromInput, 2, i) + reset * at(fromMemory, 2, i))
      return (1 - update) * candidate + update * (memory[i] as number)
    })
  }

  #likeliest(memory: Float32Array): number {
    const scores = product(this.#outWeights, this.#outBias, memory)
    return scores.indexOf(scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY))
  }
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

function product(matrix: Float32Array, bias: Float32Array, vector: Float32Array): Float32Array {
  return bias.map((start, row) => {
    let sum = start
    for (let i = 0; i < vector.length; i++)
      sum += (matrix[row * vector.length + i] as number) * (vector[i] as number)
    return sum
  })
}

function decoded(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  return new Float32Array(bytes.buffer)
}
