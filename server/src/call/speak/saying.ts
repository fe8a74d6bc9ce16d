// One thing that the agent says: pieces of text, and the sound that is made of each, until it is played.
import { type Frame, frameMs } from '../../media/frame.ts'
import type { SpokenWord } from '../../ports/synthesizer.ts'
import type { SayingKind } from '../turn/turn-state.ts'
import { heardByTimes, heardOf } from './heard.ts'

export interface Piece {
  readonly text: string
  /** Frames that were made, and those that were heard. */
  frames: number
  played: number
  made: boolean
}

// Ten seconds: a synthesizer that is faster than speech waits, and little is thrown away at an interruption.
const ringFrames = 500

export class Saying {
  readonly generation: number
  readonly what: SayingKind
  /** False: the engine does not tell where a piece ends, so all sound of a stream is counted with its first piece. */
  readonly marksClauses: boolean
  /** When its first sound left, and when the last so far had been heard. */
  begunMs: number | undefined
  heardUntilMs: number | undefined
  readonly pieces: Piece[] = []
  readonly #ring = new Array<Frame | undefined>(ringFrames)
  /** From the first frame of the saying. */
  #words: SpokenWord[] = []
  #put = 0
  #taken = 0
  /** The piece whose frames are being played. */
  #place = 0
  #closed = false
  #onRoom: (() => void) | undefined

  constructor(generation: number, what: SayingKind, marksClauses = true) {
    this.generation = generation
    this.what = what
    this.marksClauses = marksClauses
  }

  add(text: string): Piece | undefined {
    if (this.#closed) return undefined
    const piece = { text, frames: 0, played: 0, made: false }
    this.pieces.push(piece)
    return piece
  }

  /** No piece comes after it. */
  close(): void {
    this.#closed = true
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** The first piece whose sound is not complete. */
  get unmade(): Piece | undefined {
    return this.pieces.find(({ made }) => !made)
  }

  get framesOfUnmade(): number {
    return this.unmade?.frames ?? 0
  }

  get isFull(): boolean {
    return this.#put - this.#taken === ringFrames
  }

  /** Resolves when there is room; nothing is dropped, the synthesizer waits. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve
    })
  }

  /** Nobody plays it any more: whatever waits for room may go. */
  letGo(): void {
    this.#closed = true
    this.#onRoom?.()
  }

  /** Frames belong to the pieces in their order. */
  put(piece: Piece, frame: Frame): void {
    this.#ring[this.#put++ % ringFrames] = frame
    piece.frames++
  }

  /** A stream begins to make what is not made. Where in the saying its first frame belongs. */
  beginStream(): number {
    const beganMs = (this.#put - this.framesOfUnmade) * frameMs
    this.#words = this.#words.filter(({ startMs }) => startMs < beganMs)
    return beganMs
  }

  /** The times of words of a stream that began at `beganMs`. */
  time(words: readonly SpokenWord[], beganMs: number): void {
    for (const { text, startMs, endMs } of words)
      this.#words.push({ text, startMs: beganMs + startMs, endMs: beganMs + endMs })
  }

  /** The next frame; undefined when none is there. */
  take(): Frame | undefined {
    if (this.#taken === this.#put) return undefined
    const slot = this.#taken++ % ringFrames
    const frame = this.#ring[slot]
    this.#ring[slot] = undefined
    let piece = this.pieces[this.#place]
    while (piece?.made && piece.played >= piece.frames) piece = this.pieces[++this.#place]
    if (piece) piece.played++
    this.#onRoom?.()
    this.#onRoom = undefined
    return frame
  }

  /** How many pieces have begun to be heard, as far as is known. */
  get piecesBegun(): number {
    if (this.#taken === 0) return 0
    return this.marksClauses ? this.#place + 1 : this.pieces.length
  }

  /** The pieces that have begun to be heard, whole. */
  get begunText(): string {
    return textOf(this.pieces.slice(0, this.piecesBegun))
  }

  get isDrained(): boolean {
    // Pieces are made in their order: the last one speaks for all.
    return this.#closed && this.#taken === this.#put && (this.pieces.at(-1)?.made ?? true)
  }

  /** The words that were heard so far: by their times where the engine gives them, else by the length of the sound. */
  heard(): string {
    const isWhole = this.isDrained || (this.#taken === this.#put && this.unmade === undefined)
    const text = textOf(this.pieces)
    if (isWhole) return this.#taken === 0 ? '' : text
    return (
      heardByTimes(text, this.#words, this.#taken * frameMs) ??
      this.#runs().map(heardOf).filter(Boolean).join(' ')
    )
  }

  /** Pieces that share their sound are one. */
  #runs(): readonly Piece[] {
    if (this.marksClauses) return this.pieces
    const runs: Piece[] = []
    for (const piece of this.pieces) {
      const last = runs.at(-1)
      if (!last || piece.frames > 0) runs.push({ ...piece })
      else runs[runs.length - 1] = { ...last, text: textOf([last, piece]), made: last.made && piece.made }
    }
    return runs
  }
}

const textOf = (pieces: readonly Pick<Piece, 'text'>[]): string => pieces.map(({ text }) => text).join(' ')
