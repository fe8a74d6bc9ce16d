// Measures where the time goes between the caller's last sound, as it reached the line, and the agent's first, as it left.
import type { TurnLatency } from '../../ports/call.ts'
import type { Clock } from '../call-parts.ts'

type Mark = 'asked' | 'token' | 'words' | 'voiced' | 'sound'
type Marks = Partial<Record<Mark, number>>

interface TurnTaking {
  readonly generation: number
  readonly turn: number
  readonly endMs: number
  readonly wordsMs: number
  readonly decidedMs: number
}

export class Stopwatch {
  readonly #clock: Clock
  readonly #marks = new Map<number, Marks>()
  #taken: TurnTaking | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes the time of a mark; only the first time counts. */
  mark(generation: number, mark: Mark): void {
    const marks = this.#marks.get(generation) ?? {}
    marks[mark] ??= this.#clock.nowMs
    this.#marks.set(generation, marks)
  }

  /** Notes that the caller's turn has ended and that this generation answers it. */
  taken(taken: Omit<TurnTaking, 'decidedMs'>): void {
    this.#taken = { ...taken, decidedMs: this.#clock.nowMs }
  }

  forget(generation: number): void {
    this.#marks.delete(generation)
    if (this.#taken?.generation === generation) this.#taken = undefined
  }

  /** Excludes the answer to the last turn from the figures. */
  abandon(): void {
    this.#taken = undefined
  }

  /** Ends the measurement when the answer is heard; undefined for a generation that answers no turn, such as a greeting. */
  heard(generation: number): TurnLatency | undefined {
    const taken = this.#taken
    const marks = this.#marks.get(generation) ?? {}
    if (taken?.generation !== generation) return undefined
    this.forget(generation)
    const { endMs, wordsMs, decidedMs } = taken
    const { asked: askedMs, token: firstTokenMs, voiced: voicedMs, sound: soundMs } = marks
    const { nowMs, lateMs = 0 } = this.#clock
    const heardMs = nowMs + Math.round(lateMs)
    return {
      turn: taken.turn,
      endpointingMs: decidedMs - endMs,
      sttMs: Math.max(0, wordsMs - endMs),
      llmMs: between(askedMs, marks.words),
      ttsMs: between(voicedMs, soundMs),
      totalMs: heardMs - endMs,
      times: { endMs, wordsMs, decidedMs, askedMs, firstTokenMs, voicedMs, soundMs, heardMs },
    }
  }
}

const between = (fromMs: number | undefined, toMs: number | undefined): number | null =>
  fromMs === undefined || toMs === undefined ? null : toMs - fromMs
