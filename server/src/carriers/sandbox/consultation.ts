// The second call of a transfer on a simulated line: it rings as its number's script says, and talks until it is joined.
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { Consultation, LineListener } from '../../ports/line.ts'
import { Callee, type CalleeParts } from './callee.ts'
import { causes } from './causes.ts'
import { LineCodec } from './codec.ts'
import type { Script } from './script-schema.ts'

export interface SandboxConsultationParts {
  readonly parts: CalleeParts
  readonly script: Script
  readonly listener: LineListener
  /** The target talks with the caller from now on: takes its frames and its end. */
  readonly onJoin: (second: SandboxConsultation) => void
  /** Called with the target's frames once joined. */
  readonly onFrame: (frame: Frame) => void
  readonly onLeft: () => void
  /** The agent has ended the second call before it was joined. */
  readonly onHungUp: () => void
}

type State =
  | { readonly is: 'dialling' }
  | { readonly is: 'ringing'; readonly untilMs: number }
  | { readonly is: 'talking'; readonly callee: Callee; isJoined: boolean }
  | { readonly is: 'over' }

export class SandboxConsultation implements Consultation {
  readonly #given: SandboxConsultationParts
  readonly #codec: LineCodec
  readonly #sent: Frame
  #state: State = { is: 'dialling' }

  constructor(given: SandboxConsultationParts) {
    const { rateHz } = given.parts
    this.#given = given
    this.#sent = makeFrame(rateHz)
    this.#codec = new LineCodec(given.script.codec, rateHz, this.#sent.samples.length)
  }

  send({ samples }: Frame): void {
    if (this.#state.is !== 'talking' || this.#state.isJoined) return
    this.#sent.samples.set(samples)
    this.#codec.pass(this.#sent.samples)
    this.#state.callee.hear(this.#sent)
  }

  async join(): Promise<void> {
    if (this.#state.is !== 'talking') throw new Error('Nobody is there to be connected to.')
    this.#state.isJoined = true
    this.#given.onJoin(this)
  }

  hangUp(): void {
    if (this.#isJoined) return
    this.leave()
    this.#given.onHungUp()
  }

  /** Takes the frames of the caller, once joined. */
  hear(frame: Frame): void {
    if (this.#state.is === 'talking') this.#state.callee.hear(frame)
  }

  tick(nowMs: number): void {
    const state = this.#state
    if (state.is === 'dialling') this.#ring(nowMs)
    else if (state.is === 'ringing' && nowMs >= state.untilMs) this.#conclude(nowMs)
    else if (state.is === 'talking') state.callee.tick(nowMs)
  }

  /** Ends the second call without a report. */
  leave(): void {
    if (this.#state.is === 'talking') this.#state.callee.leave()
    this.#state = { is: 'over' }
  }

  #ring(nowMs: number): void {
    const { outcome, ringMs } = this.#given.script
    this.#state = { is: 'ringing', untilMs: nowMs + ringMs }
    if (outcome === 'answer' || outcome === 'no_answer') this.#given.listener.onEvent({ type: 'ringing' })
  }

  #conclude(nowMs: number): void {
    const { script, listener, parts } = this.#given
    if (script.outcome !== 'answer') {
      this.#state = { is: 'over' }
      const { end, carrierCause } = causes[script.outcome]
      listener.onEvent({ type: 'ended', cause: end, carrierCause: script.cause ?? carrierCause })
      return
    }
    const callee = new Callee(
      script,
      parts,
      {
        onFrame: (frame) => this.#hearCallee(frame),
        onDigit: (digit) => !this.#isJoined && listener.onEvent({ type: 'digit', digit }),
        onHangUp: () => this.#left(),
        onFailure: () => this.#left(),
        onHold() {},
        onCodec: (codec) => this.#codec.use(codec),
      },
      nowMs,
    )
    this.#state = { is: 'talking', callee, isJoined: false }
    listener.onEvent({ type: 'answered', codec: this.#codec.current })
  }

  get #isJoined(): boolean {
    return this.#state.is === 'talking' && this.#state.isJoined
  }

  #hearCallee(frame: Frame): void {
    this.#codec.pass(frame.samples)
    if (this.#isJoined) this.#given.onFrame(frame)
    else this.#given.listener.onFrame(frame)
  }

  #left(): void {
    const wasJoined = this.#isJoined
    this.leave()
    if (wasJoined) this.#given.onLeft()
    else this.#given.listener.onEvent({ type: 'ended', cause: 'hangup', carrierCause: causes.hangup })
  }
}
