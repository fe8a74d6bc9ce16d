// Reads matrices from Kaldi's binary files by the tags before them.
//
//   "<LinearParams> " "FM " 4 rows(int32) 4 columns(int32) floats…   ·   "<BiasParams> " "FV " 4 size(int32) floats…

export interface KaldiMatrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

export class KaldiFile {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Moves behind the next tag of this name. */
  find(mark: string): this {
    const markAt = this.#bytes.indexOf(`${mark} `, this.#at, 'latin1')
    if (markAt < 0) throw new Error(`the Kaldi file has no ${mark} where it is expected`)
    this.#at = markAt + mark.length + 1
    return this
  }

  matrix(): KaldiMatrix {
    this.find('FM')
    const [rows, columns] = [this.#size(), this.#size()]
    return { rows, columns, values: this.#floats(rows * columns) }
  }

  vector(): Float32Array {
    this.find('FV')
    return this.#floats(this.#size())
  }

  float(): number {
    this.#at += 1
    const value = this.#bytes.readFloatLE(this.#at)
    this.#at += 4
    return value
  }

  /** Every integer is preceded by its size in bytes. */
  #size(): number {
    const value = this.#bytes.readInt32LE(this.#at + 1)
    this.#at += 5
    return value
  }

  #floats(count: number): Float32Array {
    const values = new Float32Array(count)
    for (let i = 0; i < count; i++) values[i] = this.#bytes.readFloatLE(this.#at + 4 * i)
    this.#at += 4 * count
    return values
  }
}
