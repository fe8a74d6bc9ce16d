// One simulated call, from dialling to its end. What happens after the answer is in conversation.ts.
import { type Frame, makeFrame, type RateHz, samplesPerFrame } from '../../media/frame.ts'
import type { Ticker, TickSubscription } from '../../platform/clock/ticker.ts'
import type {
  Consultation,
  Line,
  LineAbilities,
  LineEvent,
  LineListener,
  TransferRequest,
  TransferResult,
} from '../../ports/line.ts'
import type { CalleeParts } from './callee.ts'
import { causes } from './causes.ts'
import { LineCodec } from './codec.ts'
import { SimulatedConversation } from './conversation.ts'
import { CalleePlayback } from './playback.ts'
import { type Script, ScriptError } from './script-schema.ts'

export interface SandboxLineParts {
  readonly parts: CalleeParts
  readonly can: LineAbilities
  readonly ticker: Pick<Ticker, 'add'>
  readonly callSid: string
  /** Throws a ScriptError. */
  readonly script: () => Script
  readonly scriptOfTarget: (to: string, given: unknown) => Script
}

type State =
  | { readonly is: 'dialling' }
  | {
      readonly is: 'ringing'
      readonly script: Script
      readonly untilMs: number
      readonly early: EarlyMedia | undefined
    }
  | { readonly is: 'talking'; readonly conversation: SimulatedConversation }
  | { readonly is: 'over' }

type EndEvent = Extract<LineEvent, { type: 'ended' }>

export class SandboxLine implements Line {
  readonly rateHz: RateHz
  readonly callSid: string
  readonly can: LineAbilities
  readonly #given: SandboxLineParts
  readonly #listener: LineListener
  readonly #subscription: TickSubscription
  readonly #codec: LineCodec
  #state: State = { is: 'dialling' }

  constructor(given: SandboxLineParts, listener: LineListener) {
    const { rateHz } = given.parts
    this.rateHz = rateHz
    this.callSid = given.callSid
    this.can = given.can
    this.#given = given
    this.#listener = listener
    this.#codec = new LineCodec('L16', rateHz, samplesPerFrame(rateHz))
    this.#subscription = given.ticker.add((nowMs) => this.#tick(nowMs))
  }

  send(frame: Frame): void {
    if (this.#state.is === 'talking') this.#state.conversation.send(frame)
  }

  async sendDigits(digits: string): Promise<void> {
    await this.#conversation().sendDigits(digits)
  }

  async hold(on: boolean): Promise<void> {
    this.#conversation().hold(on)
  }

  async transfer(request: TransferRequest): Promise<TransferResult> {
    return this.#conversation().transfer(request)
  }

  consult(to: string, listener: LineListener): Consultation {
    return this.#conversation().consult(to, listener)
  }

  hangUp(): void {
    if (this.#state.is !== 'over') this.#stop()
  }

  #conversation(): SimulatedConversation {
    if (this.#state.is !== 'talking') throw new Error('The call is not answered, or over.')
    return this.#state.conversation
  }

  /** Must not throw: that would stop every other call of the thread. */
  #tick(nowMs: number): void {
    try {
      const state = this.#state
      if (state.is === 'dialling') this.#ring(nowMs)
      else if (state.is === 'talking') state.conversation.tick(nowMs)
      else if (state.is === 'ringing' && nowMs >= state.untilMs) this.#conclude(state.script, nowMs)
      else if (state.is === 'ringing' && state.early) {
        const frame = state.early.next()
        this.#codec.pass(frame.samples)
        this.#listener.onFrame(frame)
      }
    } catch (error) {
      this.#fail(error instanceof ScriptError ? error.message : `The sandbox line broke: ${String(error)}`)
    }
  }

  #ring(nowMs: number): void {
    const script = this.#given.script()
    const { outcome, ringMs, earlyMedia } = script
    this.#codec.use(script.codec)
    const early =
      earlyMedia &&
      new EarlyMedia(earlyMedia, script.voice, this.#given.parts, (reason) => this.#giveUp(reason))
    this.#state = { is: 'ringing', script, untilMs: nowMs + ringMs, early: early ?? undefined }
    if (outcome === 'answer' || outcome === 'no_answer' || outcome === 'rejected')
      this.#listener.onEvent({ type: 'ringing' })
    if (early) this.#listener.onEvent({ type: 'early-media' })
  }

  #conclude(script: Script, nowMs: number): void {
    const { outcome, cause } = script
    if (outcome === 'answer') {
      this.#answer(script, nowMs)
      return
    }
    const { end, carrierCause } = causes[outcome]
    const reason = 'The sandbox line failed, as its number or script asks for.'
    this.#end({
      type: 'ended',
      cause: end,
      carrierCause: cause ?? carrierCause,
      ...(outcome === 'failed' && { reason }),
    })
  }

  #answer(script: Script, nowMs: number): void {
    this.#closeEarly()
    const { parts, scriptOfTarget } = this.#given
    const conversation = new SimulatedConversation(
      {
        parts,
        script,
        scriptOfTarget,
        codec: this.#codec,
        listener: this.#listener,
        onHungUp: () => this.#end({ type: 'ended', cause: 'hangup', carrierCause: causes.hangup }),
        onFailure: (reason) => this.#giveUp(reason),
      },
      nowMs,
    )
    this.#state = { is: 'talking', conversation }
    this.#listener.onEvent({ type: 'answered', codec: this.#codec.current })
  }

  #closeEarly(): void {
    if (this.#state.is === 'ringing') this.#state.early?.close()
  }

  #stop(): void {
    const state = this.#state
    this.#closeEarly()
    this.#state = { is: 'over' }
    this.#subscription.end()
    if (state.is === 'talking') state.conversation.close()
  }

  #giveUp(reason: string): void {
    this.#fail(`The sandbox callee gave up: ${reason}`)
  }

  #fail(reason: string): void {
    this.#end({ type: 'ended', cause: 'failed', reason })
  }

  #end(event: EndEvent): void {
    if (this.#state.is === 'over') return
    this.#stop()
    this.#listener.onEvent(event)
  }
}

/** The sound of a simulated line before the answer: a ring-back tone, a network announcement. */
class EarlyMedia {
  readonly #over = new AbortController()
  readonly #playback: CalleePlayback
  readonly #frame: Frame

  constructor(
    what: NonNullable<Script['earlyMedia']>,
    voice: string | null,
    parts: CalleeParts,
    onFailure: (reason: string) => void,
  ) {
    const { rateHz, synthesizer, sounds } = parts
    this.#frame = makeFrame(rateHz)
    this.#playback = new CalleePlayback({
      rateHz,
      synthesizer,
      sounds,
      voice: voice ?? parts.voice,
      signal: this.#over.signal,
      onKey() {},
      onFailure: (error) => {
        if (!this.#over.signal.aborted) onFailure(error instanceof Error ? error.message : String(error))
      },
    })
    this.#playback.perform(what)
  }

  /** Lent until the next call. */
  next(): Frame {
    this.#playback.fill(this.#frame.samples)
    return this.#frame
  }

  close(): void {
    this.#over.abort()
    this.#playback.close()
  }
}
