// A line whose other side talks: it waits for the agent to have spoken, speaks for a second, and waits again.
import { soundOnly } from '../server/src/carriers/over-sound-only.ts'
import { type Frame, frameMs, type RateHz } from '../server/src/media/frame.ts'
import type { Ticker, TickSubscription } from '../server/src/platform/clock/ticker.ts'
import type { Line, LineListener } from '../server/src/ports/line.ts'
import { hum } from './stub-engines.ts'

export interface LineWatch {
  /** A frame was sent at this time. */
  onSent(atMs: number, audible: boolean): void
}

// The callee lets the agent finish, pauses briefly and speaks for about a second.
const breathMs = 300
const speaksMs = { least: 600, most: 1_400 }
// Spreads the answers of calls that start together.
const ringsMs = 2_000

type Caller =
  | { readonly is: 'listening'; heard: boolean; quietMs: number }
  | { readonly is: 'speaking'; leftMs: number }

export class TalkingLine implements Line {
  readonly rateHz: RateHz = 8_000
  readonly callSid = 'bench'
  readonly can = soundOnly.can
  readonly sendDigits = soundOnly.sendDigits
  readonly hold = soundOnly.hold
  readonly transfer = soundOnly.transfer
  readonly #voice = hum(this.rateHz)
  readonly #ear = new Int16Array(this.#voice.samples.length)
  readonly #hush: Frame = { samples: new Int16Array(this.#voice.samples.length), rateHz: this.rateHz }
  readonly #listener: LineListener
  readonly #watch: LineWatch
  readonly #ticks: TickSubscription
  #caller: Caller | 'away' | 'gone' = 'away'
  #ringsMs = Math.random() * ringsMs

  constructor(ticker: Pick<Ticker, 'add'>, listener: LineListener, watch: LineWatch) {
    this.#listener = listener
    this.#watch = watch
    this.#ticks = ticker.add(() => this.#tick())
  }

  send({ samples }: Frame): void {
    const audible = samples[0] !== 0
    this.#ear.set(samples)
    this.#watch.onSent(performance.now(), audible)
    const caller = this.#caller
    if (typeof caller === 'string' || caller.is !== 'listening') return
    caller.heard ||= audible
    caller.quietMs = audible ? 0 : caller.quietMs + frameMs
  }

  hangUp(): void {
    this.#caller = 'gone'
    this.#ticks.end()
  }

  #tick(): void {
    if (this.#caller === 'gone') return
    if (this.#caller === 'away') {
      this.#ringsMs -= frameMs
      if (this.#ringsMs > 0) return
      this.#caller = listening()
      this.#listener.onEvent({ type: 'answered', codec: { name: 'L16', rateHz: this.rateHz } })
      return
    }
    const caller = next(this.#caller)
    this.#caller = caller
    this.#listener.onFrame(caller.is === 'speaking' ? this.#voice : this.#hush)
  }
}

const listening = (): Caller => ({ is: 'listening', heard: false, quietMs: 0 })

function next(caller: Caller): Caller {
  if (caller.is === 'speaking') {
    caller.leftMs -= frameMs
    return caller.leftMs > 0 ? caller : listening()
  }
  if (!caller.heard || caller.quietMs < breathMs) return caller
  const { least, most } = speaksMs
  return { is: 'speaking', leftMs: least + Math.random() * (most - least) }
}
