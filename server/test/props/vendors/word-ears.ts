// How loopback transcribers hear: a caller says every word as a level of its own for 100 ms, which can be told apart at any
// rate and in any encoding. What a vendor understood is so what it was really sent, whole and in order.
import { decodeASample, decodeMuSample } from '../../../src/media/g711.ts'

const vocabulary = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const
export type SpokenWord = (typeof vocabulary)[number]

// G.711 is off by 3 % at most.
const apart = 2_000
export const wordFrames = 5
/** Silence between two words. */
export const gapFrames = 3
// Levels are looked at every 10 ms; resampling rounds off the edges of a word.
const blockMs = 10
const fewestBlocks = 4

/** The samples of the caller for each 20 ms of these words. */
export const levelsOf = (words: readonly string[]): readonly number[] =>
  words.flatMap((word) => [
    ...Array<number>(wordFrames).fill((vocabulary.indexOf(word as SpokenWord) + 1) * apart),
    ...Array<number>(gapFrames).fill(0),
  ])

export interface EarsFormat {
  readonly rateHz: number
  readonly encoding: 'linear16' | 'mulaw' | 'alaw'
  /** An utterance ends by itself after so much silence; undefined: only on demand. */
  readonly endpointingMs?: number | undefined
}

export interface Recognition {
  readonly type: 'partial' | 'final'
  readonly text: string
  /** Where the last word ends in the audio. */
  readonly endMs: number
}

export class WordEars {
  readonly #format: EarsFormat
  readonly #tell: (understood: Recognition) => void
  #rest: number[] = []
  #words: string[] = []
  #level = 0
  #blocks = 0
  #heardMs = 0
  #endMs = 0

  constructor(format: EarsFormat, tell: (understood: Recognition) => void) {
    this.#format = format
    this.#tell = tell
  }

  get heardMs(): number {
    return this.#heardMs
  }

  hear(sound: Buffer): void {
    this.#rest.push(...samplesOf(sound, this.#format.encoding))
    const blockSamples = (this.#format.rateHz * blockMs) / 1_000
    while (this.#rest.length >= blockSamples) this.#block(this.#rest.splice(0, blockSamples))
  }

  /** Ends the utterance even if nothing was understood, as most vendors do. */
  finalize(): void {
    const text = this.#words.join(' ')
    this.#words = []
    this.#tell({ type: 'final', text, endMs: this.#endMs })
  }

  #block(samples: readonly number[]): void {
    this.#heardMs += blockMs
    const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
    const level = Math.round(mean / apart)
    this.#blocks = level === this.#level ? this.#blocks + 1 : 1
    this.#level = level
    if (level > 0 && this.#blocks === fewestBlocks) {
      this.#words.push(vocabulary[level - 1] ?? '?')
      this.#tell({ type: 'partial', text: this.#words.join(' '), endMs: this.#heardMs })
    }
    if (level > 0) this.#endMs = this.#heardMs
    const { endpointingMs } = this.#format
    if (
      endpointingMs !== undefined &&
      level === 0 &&
      this.#words.length > 0 &&
      this.#heardMs - this.#endMs >= endpointingMs
    )
      this.finalize()
  }
}

export function samplesOf(sound: Buffer, encoding: EarsFormat['encoding']): readonly number[] {
  if (encoding === 'mulaw') return Array.from(sound, decodeMuSample)
  if (encoding === 'alaw') return Array.from(sound, decodeASample)
  return Array.from({ length: sound.length >> 1 }, (_, n) => sound.readInt16LE(n * 2))
}
