// Everything the agent says or is about to say, by generation: each synthesized by its own speaker, played in one order.
import { frameMs } from '../../media/frame.ts'
import type { Clock } from '../call-parts.ts'
import type { SayingKind } from '../turn/turn-state.ts'
import { type AmbienceSource, Player } from './player.ts'
import { Saying } from './saying.ts'
import { Speaker, type SpeakerEvents, type Voice } from './speaker.ts'

export interface SpeechOutputEvents extends SpeakerEvents {
  onBegan(saying: Saying): void
  onPiece(saying: Saying): void
  /** Reports a saying that was heard to its end, or cut off after part of it was heard. */
  onSaid(saying: Saying, interrupted: boolean): void
  onDrained(generation: number): void
  /** Reports that the next audio of a saying is not there yet; `onSounding` reports that it is there again. */
  onQuiet(generation: number): void
  onSounding(generation: number): void
}

// The longest echo plus the slowest transcriber: words that arrive later are the caller's own.
const echoMs = 3_000

export class SpeechOutput {
  #voice: Voice
  readonly #clock: Clock
  readonly #events: SpeechOutputEvents
  readonly #player: Player
  readonly #speakers = new Map<number, Speaker>()
  #heard: Saying | undefined
  /** The saying that has begun to sound, and whether it sounds now. */
  #begun: { readonly saying: Saying; sounds: boolean } | undefined
  #audibleMs = Number.NEGATIVE_INFINITY

  constructor(voice: Voice, clock: Clock, events: SpeechOutputEvents, ambience?: AmbienceSource) {
    this.#voice = voice
    this.#clock = clock
    this.#events = events
    this.#player = new Player(
      {
        onBegan: (saying) => {
          saying.begunMs = clock.nowMs
          this.#begun = { saying, sounds: true }
          events.onBegan(saying)
        },
        onPiece: (saying) => {
          saying.noteBegun(clock.nowMs)
          events.onPiece(saying)
        },
        onDrained: (saying) => this.#drained(saying),
      },
      ambience,
    )
  }

  get voice(): Voice {
    return this.#voice
  }

  /** Changes the voice from the next saying on. */
  speakWith(voice: Pick<Voice, 'voice' | 'language'>): void {
    this.#voice = { ...this.#voice, ...voice }
  }

  /** Begins a saying. `held`: it is synthesized, but played only once it is confirmed. */
  open(generation: number, what: SayingKind, held: boolean): void {
    const saying = new Saying(generation, what, this.#voice.synthesizer.abilities.clauseEnds)
    this.#speakers.set(generation, new Speaker(saying, this.#voice, this.#clock, this.#events))
    if (!held) this.#player.add(saying)
  }

  add(generation: number, text: string): void {
    this.#speakers.get(generation)?.add(text)
  }

  close(generation: number): void {
    this.#speakers.get(generation)?.close()
  }

  /** Says a text that is complete. */
  say(generation: number, what: SayingKind, clauses: readonly string[], held: boolean): void {
    this.open(generation, what, held)
    for (const clause of clauses) this.add(generation, clause)
    this.close(generation)
  }

  confirm(generation: number): void {
    const speaker = this.#speakers.get(generation)
    if (speaker) this.#player.add(speaker.saying)
  }

  discard(generation: number): void {
    const speaker = this.#speakers.get(generation)
    if (!speaker) return
    speaker.discard()
    this.#speakers.delete(generation)
    if (this.#player.drop(generation)) this.#events.onSaid(speaker.saying, true)
  }

  discardAll(): void {
    for (const generation of [...this.#speakers.keys()]) this.discard(generation)
  }

  pause(): void {
    this.#player.pause()
  }

  resume(): void {
    this.#player.resume()
  }

  tick(): void {
    if (this.#speakers.size === 0) return
    for (const speaker of this.#speakers.values()) speaker.tick()
  }

  /** Whether everything that is to be said has begun to sound. */
  get isReady(): boolean {
    return [...this.#speakers.values()].every(({ saying }) => saying.pieces.some(({ frames }) => frames > 0))
  }

  /** Notes that so many frames could not be sent. */
  missed(frames: number): void {
    this.#player.missed(frames)
  }

  /** Fills the 20 ms that are sent now. */
  fill(into: Int16Array): void {
    const speech = this.#player.fill(into)
    this.#noteGaps(speech !== undefined)
    if (!speech) return
    this.#heard = speech
    this.#audibleMs = this.#clock.nowMs
    speech.heardUntilMs = this.#clock.nowMs + frameMs
  }

  /** The words that an echo may contain now; empty when the agent has been silent for long. */
  recentWords(): string {
    return this.#heard && this.#clock.nowMs - this.#audibleMs <= echoMs ? this.#heard.begunText : ''
  }

  #noteGaps(sounds: boolean): void {
    const begun = this.#begun
    if (!begun || begun.sounds === sounds) return
    begun.sounds = sounds
    const { generation } = begun.saying
    if (sounds) this.#events.onSounding(generation)
    else this.#events.onQuiet(generation)
  }

  #drained(saying: Saying): void {
    this.#begun = undefined
    this.#speakers.delete(saying.generation)
    this.#events.onSaid(saying, false)
    this.#events.onDrained(saying.generation)
  }
}
