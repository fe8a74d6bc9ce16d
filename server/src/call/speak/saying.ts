// One thing that the agent says: pieces of text, and the audio synthesized for each, until it is played.
import { type Frame, frameMs } from '../../media/frame.ts'
import type { SpokenWord } from '../../ports/synthesizer.ts'
import type { SayingKind } from '../turn/turn-state.ts'

export interface SayingPiece {
  readonly text: string
  /** Frames synthesized, and frames played. */
  frames: number
  played: number
  /** Whether all its frames have been synthesized. */
  made: boolean
  /** The time when its first frame was sent, if the engine marks where pieces end. */
  begunMs?: number
}

// Ten seconds: a synthesizer faster than speech waits, and an interruption discards little.
const ringFrames = 500

export class Saying {
  readonly generation: number
  readonly what: SayingKind
  /** False: the engine does not mark where a piece ends, so all audio of a stream is attributed to its first piece. */
  readonly marksClauses: boolean
  /** The time when its first frame was sent, and when the last frame so far had been heard. */
  begunMs: number | undefined
  heardUntilMs: number | undefined
  readonly pieces: SayingPiece[] = []
  readonly #ring = new Array<Frame | undefined>(ringFrames)
  /** The words with their times, counted from the first frame of the saying. */
  #words: SpokenWord[] = []
  #put = 0
  #taken = 0
  /** The piece whose frames are playing. */
  #place = 0
  #closed = false
  #onRoom: (() => void) | undefined

  constructor(generation: number, what: SayingKind, marksClauses = true) {
    this.generation = generation
    this.what = what
    this.marksClauses = marksClauses
  }

  add(text: string): SayingPiece | undefined {
    if (this.#closed) return undefined
    const piece = { text, frames: 0, played: 0, made: false }
    this.pieces.push(piece)
    return piece
  }

  /** No more pieces follow. */
  close(): void {
    this.#closed = true
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** The first piece whose audio is incomplete. */
  get unmade(): SayingPiece | undefined {
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

  /** Releases whatever waits for room: the saying will not be played. */
  letGo(): void {
    this.#closed = true
    this.#onRoom?.()
  }

  /** Frames belong to the pieces in order. */
  put(piece: SayingPiece, frame: Frame): void {
    this.#ring[this.#put++ % ringFrames] = frame
    piece.frames++
  }

  /** Begins a stream on the unfinished pieces. Returns the position of its first frame in the saying. */
  beginStream(): number {
    const beganMs = (this.#put - this.framesOfUnmade) * frameMs
    this.#words = this.#words.filter(({ startMs }) => startMs < beganMs)
    return beganMs
  }

  /** Takes word times of a stream that began at `beganMs`. */
  time(words: readonly SpokenWord[], beganMs: number): void {
    for (const { text, startMs, endMs } of words)
      this.#words.push({ text, startMs: beganMs + startMs, endMs: beganMs + endMs })
  }

  /** The frame that is taken next; undefined if none is ready. */
  get next(): Frame | undefined {
    return this.#taken === this.#put ? undefined : this.#ring[this.#taken % ringFrames]
  }

  /** Takes the next frame; undefined if none is ready. */
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

  /** How many pieces have started playing, as far as is known. */
  get piecesBegun(): number {
    if (this.#taken === 0) return 0
    return this.marksClauses ? this.#place + 1 : this.pieces.length
  }

  /** Notes that a piece starts playing now. */
  noteBegun(nowMs: number): void {
    const piece = this.marksClauses ? this.pieces[this.#place] : undefined
    if (piece) piece.begunMs ??= nowMs
  }

  /** The pieces that were heard, with their times; empty if these are not known. */
  heardPieces(): readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[] {
    const heard = this.pieces.filter(({ played }) => played > 0)
    if (heard.some(({ begunMs }) => begunMs === undefined)) return []
    return heard.map(({ text, begunMs = 0 }, place) => ({
      text,
      startMs: begunMs,
      endMs: heard[place + 1]?.begunMs ?? this.heardUntilMs ?? begunMs,
    }))
  }

  /** The whole text of the pieces that have started playing. */
  get begunText(): string {
    return textOf(this.pieces.slice(0, this.piecesBegun))
  }

  get isDrained(): boolean {
    // Pieces are synthesized in order: if the last is complete, all are.
    return this.#closed && this.#taken === this.#put && (this.pieces.at(-1)?.made ?? true)
  }

  /** The words heard so far: by word times where the engine gives them, otherwise by the length of the audio. */
  heard(): string {
    const isWhole = this.isDrained || (this.#taken === this.#put && this.unmade === undefined)
    const text = textOf(this.pieces)
    if (isWhole) return this.#taken === 0 ? '' : text
    return (
      heardByTimes(text, this.#words, this.#taken * frameMs) ??
      this.#runs().map(heardOf).filter(Boolean).join(' ')
    )
  }

  /** Pieces that share their audio count as one. */
  #runs(): readonly SayingPiece[] {
    if (this.marksClauses) return this.pieces
    const runs: SayingPiece[] = []
    for (const piece of this.pieces) {
      const last = runs.at(-1)
      if (!last || piece.frames > 0) runs.push({ ...piece })
      else runs[runs.length - 1] = { ...last, text: textOf([last, piece]), made: last.made && piece.made }
    }
    return runs
  }
}

const textOf = (pieces: readonly Pick<SayingPiece, 'text'>[]): string =>
  pieces.map(({ text }) => text).join(' ')

// Used while the length of a piece is unknown: about 15 letters a second.
const framesPerLetter = 3.4

/** The text that was heard, by the length of the audio: all of it, or the share of letters that was played. */
export function heardOf({ text, frames, played, made }: Readonly<SayingPiece>): string {
  if (played === 0) return ''
  if (made && played >= frames) return text
  const expected = made ? frames : Math.max(frames, text.length * framesPerLetter)
  const letters = Math.round((text.length * played) / expected)
  // Half of a word that was cut off is enough to recognize it.
  const begun = /(?<!\S)\S*$/.exec(text.slice(0, letters))?.[0] ?? ''
  const rest = /^\S*/.exec(text.slice(letters))?.[0] ?? ''
  const end = begun.length >= rest.length ? letters + rest.length : letters - begun.length
  return text.slice(0, end).trim()
}

// A vendor may report word times slightly after their audio.
const lateMs = 300
// A word is searched for no further ahead than this: a spoken number differs from its digits.
const reachChars = 40

/** The text that was heard, by word times; undefined if they do not reach as far as the audio was played. */
export function heardByTimes(
  text: string,
  words: readonly SpokenWord[],
  playedMs: number,
): string | undefined {
  const last = words.at(-1)
  if (!last || last.endMs + lateMs < playedMs) return undefined
  const lower = text.toLowerCase()
  let end = 0
  for (const word of words) {
    // Half of a word is enough to recognize it.
    if ((word.startMs + word.endMs) / 2 > playedMs) break
    const plain = word.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
    const place = plain ? lower.indexOf(plain, end) : -1
    if (place >= 0 && place - end <= reachChars) end = place + plain.length
  }
  if (end === 0) return ''
  return text.slice(0, end + (/^[^\s\p{L}\p{N}]*/u.exec(text.slice(end))?.[0].length ?? 0)).trim()
}
