// Turns the pieces of a saying into sound, one after the other, and tries a piece again when its engine fails.
import type { RateHz } from '../../media/frame.ts'
import type { Synthesizer } from '../../ports/synthesizer.ts'
import type { Clock } from '../clock.ts'
import { sentence } from '../engine-fault.ts'
import type { Piece, Saying } from './saying.ts'

export interface Voice {
  readonly synthesizer: Synthesizer
  readonly voice: string
  readonly language: string | undefined
  readonly rateHz: RateHz
}

export interface SpeakerEvents {
  /** The first sound of a saying is there. */
  onSound(generation: number): void
  onFailure(error: string): void
  onCharacters(count: number): void
}

// A sentence takes a slow engine two seconds; after this it is not coming.
const patienceMs = 5_000
const attempts = 2

export class Speaker {
  readonly saying: Saying
  readonly #voice: Voice
  readonly #clock: Clock
  readonly #events: SpeakerEvents
  #making: { readonly piece: Piece; readonly attempt: number; readonly stop: AbortController } | undefined
  /** Infinity while nothing is owed. */
  #waitingSinceMs = Number.POSITIVE_INFINITY
  #gone = false

  constructor(saying: Saying, voice: Voice, clock: Clock, events: SpeakerEvents) {
    this.saying = saying
    this.#voice = voice
    this.#clock = clock
    this.#events = events
  }

  add(text: string): void {
    if (this.#gone || !this.saying.add(text)) return
    this.#events.onCharacters(text.length)
    this.#next()
  }

  /** An engine that is silent for too long has failed, whatever it does later. */
  tick(): void {
    if (this.#clock.nowMs - this.#waitingSinceMs < patienceMs) return
    this.#failed('The voice did not come in time.')
  }

  discard(): void {
    this.#gone = true
    this.#waitingSinceMs = Number.POSITIVE_INFINITY
    this.#making?.stop.abort()
    this.saying.letGo()
  }

  #next(): void {
    const piece = this.saying.pieces.find(({ made }) => !made)
    if (this.#making || !piece || this.#gone) return
    this.#begin(piece, 1)
  }

  #begin(piece: Piece, attempt: number): void {
    const stop = new AbortController()
    this.#making = { piece, attempt, stop }
    this.#waitingSinceMs = this.#clock.nowMs
    void this.#make(piece, stop.signal)
  }

  async #make(piece: Piece, signal: AbortSignal): Promise<void> {
    const { synthesizer, voice, language, rateHz } = this.#voice
    // A second attempt makes the same sound: what is there already is passed over.
    let known = piece.frames
    try {
      for await (const frame of synthesizer.synthesize(piece.text, { voice, language, rateHz }, signal)) {
        if (signal.aborted) return
        if (known-- > 0) continue
        if (this.saying.isFull) await this.#room()
        if (signal.aborted) return
        this.#waitingSinceMs = this.#clock.nowMs
        if (piece === this.saying.pieces[0] && piece.frames === 0)
          this.#events.onSound(this.saying.generation)
        this.saying.put(piece, frame)
      }
      if (signal.aborted) return
      if (piece.frames === 0) throw new Error('The voice made no sound.')
      this.#made(piece)
    } catch (error) {
      if (!signal.aborted) this.#failed(sentence(error))
    }
  }

  async #room(): Promise<void> {
    this.#waitingSinceMs = Number.POSITIVE_INFINITY
    await this.saying.room()
  }

  #made(piece: Piece): void {
    piece.made = true
    this.#making = undefined
    this.#waitingSinceMs = Number.POSITIVE_INFINITY
    this.#next()
  }

  #failed(error: string): void {
    const making = this.#making
    this.#waitingSinceMs = Number.POSITIVE_INFINITY
    if (!making || this.#gone) return
    making.stop.abort()
    if (making.attempt < attempts) this.#begin(making.piece, making.attempt + 1)
    else this.#events.onFailure(error)
  }
}
