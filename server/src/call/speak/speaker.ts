// Synthesizes the pieces of a saying through one stream, and retries when the stream fails.
import type { Frame } from '../../media/frame.ts'
import type { SynthesisStream, Synthesizer, SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { Clock } from '../call-parts.ts'
import { faultSentence } from '../contain.ts'
import type { Saying, SayingPiece } from './saying.ts'

export interface Voice extends SynthesizerOptions {
  readonly synthesizer: Synthesizer
}

export interface SpeakerEvents {
  /** The first audio of a saying is ready. */
  onSound(generation: number): void
  onFailure(error: string): void
  onCharacters(count: number): void
  /** Reports how many characters were played from the speech cache. */
  onCached(count: number): void
}

// A slow engine needs two seconds for a sentence; after this time nothing is coming.
const patienceMs = 5_000
// An engine takes seconds to load, and on a busy machine many.
const loadingMs = 60_000
// Attempts for each piece: the voice in which it was begun is asked again for the rest, and then another may speak.
const attempts = 3

interface OpenSynthesis {
  readonly stream: SynthesisStream
  readonly stop: AbortController
}

export class Speaker {
  readonly saying: Saying
  readonly #voice: Voice
  readonly #clock: Clock
  readonly #events: SpeakerEvents
  #making: OpenSynthesis | undefined
  /** The piece that failed last, and how often. */
  #failures: { readonly piece: SayingPiece; readonly count: number } | undefined
  /** The time since which audio is due; Infinity while none is. */
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
    if (!this.#making) this.#open()
    else {
      const { stream } = this.#making
      this.#attempt(() => write(stream, text))
      if (this.#waitingSinceMs === Number.POSITIVE_INFINITY && !this.saying.isFull) this.#wait()
    }
  }

  /** No more pieces follow. */
  close(): void {
    this.saying.close()
    if (this.#gone || !this.#making) return
    this.#attempt(() => this.#making?.stream.finish())
    // An engine that does not mark clause ends still owes the end of the stream.
    if (this.saying.unmade && !this.saying.isFull) this.#wait()
  }

  /** An engine that is silent for too long has failed, whatever it sends later. */
  tick(): void {
    const waitedMs = this.#clock.nowMs - this.#waitingSinceMs
    if (waitedMs < patienceMs) return
    if (waitedMs < loadingMs && this.#voice.synthesizer.abilities.isLoading?.()) return
    this.#failed('The voice did not come in time.')
  }

  discard(): void {
    this.#gone = true
    this.#stop()
    this.saying.letGo()
  }

  /** Opens a stream and writes every piece without audio, including pieces that an earlier stream began. */
  #open(): void {
    const { synthesizer, ...options } = this.#voice
    const stop = new AbortController()
    this.#attempt(() => {
      const stream = synthesizer.open(options, stop.signal, this.saying.generation)
      this.#making = { stream, stop }
      this.#wait()
      for (const { made, text } of this.saying.pieces) if (!made) write(stream, text)
      if (this.saying.isClosed) stream.finish()
      void this.#read(stream, stop.signal)
    })
  }

  async #read(stream: SynthesisStream, signal: AbortSignal): Promise<void> {
    // A retry produces the same audio: what is already there is skipped.
    let known = this.saying.framesOfUnmade
    const beganMs = this.saying.beginStream()
    try {
      for await (const event of stream) {
        if (signal.aborted) return
        if (event.type === 'words') this.saying.time(event.words, beganMs)
        else if (event.type === 'from-cache') this.#events.onCached(event.characters)
        else if (event.type === 'clause-end') {
          known = 0
          this.#made()
        } else if (known > 0) known--
        else {
          if (this.saying.isFull) {
            this.#waitingSinceMs = Number.POSITIVE_INFINITY
            await this.saying.room()
          }
          if (signal.aborted) return
          this.#put(event.frame)
        }
      }
      if (!signal.aborted) this.#ended()
    } catch (error) {
      if (!signal.aborted) this.#failed(faultSentence(error))
    }
  }

  #put(frame: Frame): void {
    const piece = this.saying.unmade
    // Audio after the end of the last clause is ignored.
    if (!piece) return
    const { marksClauses, isClosed } = this.saying
    if (marksClauses || isClosed) this.#wait()
    else this.#waitingSinceMs = Number.POSITIVE_INFINITY
    if (piece === this.saying.pieces[0] && piece.frames === 0) this.#events.onSound(this.saying.generation)
    this.saying.put(piece, frame)
  }

  #made(): void {
    const piece = this.saying.unmade
    if (!piece) return
    if (piece.frames === 0) throw new Error('The voice made no sound.')
    piece.made = true
    this.#failures = undefined
    if (this.saying.unmade) this.#wait()
    else this.#waitingSinceMs = Number.POSITIVE_INFINITY
  }

  /** Handles the end of the stream. */
  #ended(): void {
    this.#making = undefined
    this.#waitingSinceMs = Number.POSITIVE_INFINITY
    if (!this.saying.unmade) return
    if (!this.saying.isClosed) throw new Error('The voice broke off.')
    this.#made()
    if (!this.saying.marksClauses) for (const piece of this.saying.pieces) piece.made = true
    if (this.saying.unmade) throw new Error('The voice broke off.')
  }

  #failed(error: string): void {
    const piece = this.saying.unmade
    this.#stop()
    if (this.#gone || !piece) return
    const count = this.#failures?.piece === piece ? this.#failures.count + 1 : 1
    this.#failures = { piece, count }
    if (count < attempts) this.#open()
    else this.#events.onFailure(error)
  }

  #wait(): void {
    this.#waitingSinceMs = this.#clock.nowMs
  }

  #stop(): void {
    const making = this.#making
    this.#making = undefined
    this.#waitingSinceMs = Number.POSITIVE_INFINITY
    if (!making) return
    making.stop.abort()
    try {
      making.stream.cancel()
    } catch {
      // A stream that throws while it is closed is closed all the same.
    }
  }

  #attempt(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#failed(faultSentence(error))
    }
  }
}

/** Writes one clause and flushes: the clause is to be spoken without waiting for more text. */
function write(stream: SynthesisStream, clause: string): void {
  stream.write(clause)
  stream.flush()
}
