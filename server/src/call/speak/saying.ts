// One thing that the agent says: pieces of text, and the sound that is made of each, until somebody plays it.
import type { Frame } from '../../media/frame.ts'
import type { SayingKind } from '../turn/turn-state.ts'

export interface Piece {
  readonly text: string
  /** Frames that were made, and those that were heard. */
  frames: number
  played: number
  made: boolean
}

// Ten seconds: a synthesizer that is faster than speech waits, and little is thrown away at an interruption.
const ringFrames = 500

// Where the length of a piece is not known yet: about 15 letters a second.
const framesPerLetter = 3.4

export class Saying {
  readonly generation: number
  readonly what: SayingKind
  /** When its first sound left, and when the last so far had been heard. */
  begunMs: number | undefined
  heardUntilMs: number | undefined
  readonly pieces: Piece[] = []
  readonly #ring = new Array<Frame | undefined>(ringFrames)
  #put = 0
  #taken = 0
  /** The piece whose frames are being played. */
  #place = 0
  #closed = false
  #onRoom: (() => void) | undefined

  constructor(generation: number, what: SayingKind) {
    this.generation = generation
    this.what = what
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

  get isFull(): boolean {
    return this.#put - this.#taken === ringFrames
  }

  /** Resolves when there is room; nothing is dropped, the synthesizer waits. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve
    })
  }

  /** Nobody plays it any more: whoever waits for room may go. */
  letGo(): void {
    this.#closed = true
    this.#onRoom?.()
  }

  /** Frames belong to the pieces in their order. */
  put(piece: Piece, frame: Frame): void {
    this.#ring[this.#put++ % ringFrames] = frame
    piece.frames++
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

  /** How many pieces have begun to be heard. */
  get piecesBegun(): number {
    return this.#taken === 0 ? 0 : this.#place + 1
  }

  /** The pieces that have begun to be heard, whole. */
  get begunText(): string {
    return this.pieces
      .slice(0, this.piecesBegun)
      .map(({ text }) => text)
      .join(' ')
  }

  get isDrained(): boolean {
    // Pieces are made in their order: the last one speaks for all.
    return this.#closed && this.#taken === this.#put && (this.pieces.at(-1)?.made ?? true)
  }

  /** The words that were heard so far: whole pieces, and of the last one as many as its sound allows. */
  heard(): string {
    return this.pieces.map(heardOf).filter(Boolean).join(' ')
  }
}

export function heardOf({ text, frames, played, made }: Piece): string {
  if (played === 0) return ''
  if (made && played >= frames) return text
  const expected = made ? frames : Math.max(frames, text.length * framesPerLetter)
  const letters = Math.round((text.length * played) / expected)
  // Of a word that was cut off, half is enough to know it.
  const begun = /\S*$/.exec(text.slice(0, letters))?.[0] ?? ''
  const rest = /^\S*/.exec(text.slice(letters))?.[0] ?? ''
  const end = begun.length >= rest.length ? letters + rest.length : letters - begun.length
  return text.slice(0, end).trim()
}
