// One simulated call, from dialling to its end, and the commands its line accepts meanwhile.
import { isKeys } from '../../../media/dtmf.ts'
import { type Frame, makeFrame, type RateHz } from '../../../media/frame.ts'
import { mixInto } from '../../../media/mix.ts'
import type { Subscription, Ticker } from '../../../platform/clock/ticker.ts'
import type {
  Consultation,
  Line,
  LineAbilities,
  LineEvent,
  LineListener,
  TransferRequest,
  TransferResult,
} from '../../../ports/line.ts'
import { Callee, type CalleeListener, type CalleeParts } from './callee.ts'
import { causes } from './causes.ts'
import { LineCodec } from './codec.ts'
import { SandboxConsultation } from './consultation.ts'
import { DigitSender } from './digit-sender.ts'
import { EarlyMedia } from './early-media.ts'
import { type Script, ScriptError } from './script-schema.ts'
import { Transfer } from './transfer.ts'

export interface SandboxLineParts {
  readonly parts: CalleeParts
  readonly can: LineAbilities
  readonly ticker: Pick<Ticker, 'add'>
  readonly callSid: string
  /** Throws a ScriptError. */
  readonly script: () => Script
  readonly scriptOfTarget: (to: string, given: unknown) => Script
}

interface Talking {
  readonly is: 'talking'
  readonly script: Script
  readonly callee: Callee
  /** The target of a transfer; the agent is then out of the conversation. */
  joined: Pick<Callee, 'hear' | 'tick' | 'leave'> | undefined
  /** The second call of a transfer, until it is joined. */
  second: SandboxConsultation | undefined
  heldByThem: boolean
  heldByUs: boolean
}

type State =
  | { readonly is: 'dialling' }
  | {
      readonly is: 'ringing'
      readonly script: Script
      readonly untilMs: number
      readonly early: EarlyMedia | undefined
    }
  | Talking
  | { readonly is: 'over' }

type Ended = Extract<LineEvent, { type: 'ended' }>

export class SandboxLine implements Line {
  readonly rateHz: RateHz
  readonly callSid: string
  readonly can: LineAbilities
  readonly #given: SandboxLineParts
  readonly #listener: LineListener
  readonly #subscription: Subscription
  readonly #codec: LineCodec
  readonly #digits = new DigitSender(
    (digit) => this.#state.is === 'talking' && this.#state.callee.press(digit),
  )
  /** The agent's frame after the codec; the input frame is only lent. */
  readonly #sent: Frame
  readonly #both: Frame
  #transfer: { readonly under: Transfer; readonly reject: (error: Error) => void } | undefined
  #state: State = { is: 'dialling' }

  constructor(given: SandboxLineParts, listener: LineListener) {
    const { rateHz } = given.parts
    this.rateHz = rateHz
    this.callSid = given.callSid
    this.can = given.can
    this.#given = given
    this.#listener = listener
    this.#sent = makeFrame(rateHz)
    this.#both = makeFrame(rateHz)
    this.#codec = new LineCodec('L16', rateHz, this.#sent.samples.length)
    this.#subscription = given.ticker.add((nowMs) => this.#tick(nowMs))
  }

  send({ samples }: Frame): void {
    const state = this.#state
    if (state.is !== 'talking' || state.joined || state.heldByThem || state.heldByUs) return
    this.#sent.samples.set(samples)
    this.#codec.pass(this.#sent.samples)
    state.callee.hear(this.#sent)
  }

  async sendDigits(digits: string): Promise<void> {
    this.#mustTalk()
    if (!isKeys(digits)) throw new RangeError('Only 0-9, *, # and A-D can be sent as digits.')
    await this.#digits.send(digits)
  }

  async hold(on: boolean): Promise<void> {
    this.#mustTalk().heldByUs = on
  }

  async transfer(request: TransferRequest): Promise<TransferResult> {
    const state = this.#mustTalk()
    if (this.#transfer || state.joined) throw new Error('This call is being transferred already.')
    const { refused, target } = state.script.transfer
    const script = refused ? null : this.#given.scriptOfTarget(request.to, target)
    const { promise, resolve, reject } = Promise.withResolvers<TransferResult>()
    const under = new Transfer(request, script, {
      onProgress: (is) => this.#listener.onEvent({ type: 'transfer-progress', is }),
      onJoin: (targetScript, nowMs) => this.#join(state, targetScript, nowMs),
      onResult: (result) => {
        this.#transfer = undefined
        if (result.is === 'completed') state.callee.leave()
        resolve(result)
      },
    })
    this.#transfer = { under, reject }
    return promise
  }

  consult(to: string, listener: LineListener): Consultation {
    const state = this.#mustTalk()
    if (this.#transfer || state.second || state.joined)
      throw new Error('This call is being transferred already.')
    const { refused, target } = state.script.transfer
    if (refused) throw new Error('The second call was refused.')
    const second = new SandboxConsultation({
      ...{ parts: this.#given.parts, script: this.#given.scriptOfTarget(to, target), listener },
      onJoin: () => {
        state.second = undefined
        state.joined = second
      },
      onFrame: (frame) => this.#hearJoined(state, frame),
      onLeft: () => this.#hungUp(),
    })
    state.second = second
    return {
      send: (frame) => second.send(frame),
      join: () => second.join(),
      hangUp() {
        second.hangUp()
        if (state.second === second) state.second = undefined
      },
    }
  }

  hangUp(): void {
    if (this.#state.is !== 'over') this.#stop()
  }

  #mustTalk(): Talking {
    if (this.#state.is !== 'talking') throw new Error('The call is not answered, or over.')
    return this.#state
  }

  /** Must not throw: that would stop every other call of the thread. */
  #tick(nowMs: number): void {
    try {
      const state = this.#state
      if (state.is === 'dialling') this.#ring(nowMs)
      else if (state.is === 'talking') this.#talk(state, nowMs)
      else if (state.is === 'ringing' && nowMs >= state.untilMs) this.#conclude(state.script, nowMs)
      else if (state.is === 'ringing') this.#sendEarly(state.early)
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

  #sendEarly(early: EarlyMedia | undefined): void {
    if (!early) return
    const frame = early.next()
    this.#codec.pass(frame.samples)
    this.#listener.onFrame(frame)
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
      ...{ type: 'ended', cause: end, carrierCause: cause ?? carrierCause },
      ...(outcome === 'failed' && { reason }),
    })
  }

  #answer(script: Script, nowMs: number): void {
    this.#closeEarly()
    const callee = new Callee(
      script,
      this.#given.parts,
      {
        ...this.#calleeListener((frame) => this.#hearCallee(frame)),
        onHold: (held) => this.#heldByThem(held),
        onCodec: (codec) => {
          this.#codec.use(codec)
          this.#listener.onEvent({ type: 'codec-changed', codec: this.#codec.current })
        },
      },
      nowMs,
    )
    const quiet = { joined: undefined, second: undefined, heldByThem: false, heldByUs: false }
    this.#state = { is: 'talking', script, callee, ...quiet }
    this.#listener.onEvent({ type: 'answered', codec: this.#codec.current })
  }

  /** The target of a transfer talks to the callee; only its audio matters to the line. */
  #join(state: Talking, script: Script, nowMs: number): void {
    const listener = {
      ...this.#calleeListener((frame) => this.#hearJoined(state, frame)),
      onHold() {},
      onCodec() {},
    }
    state.joined = new Callee(script, this.#given.parts, listener, nowMs)
  }

  #calleeListener(onFrame: CalleeListener['onFrame']): Omit<CalleeListener, 'onHold' | 'onCodec'> {
    return {
      onFrame,
      onDigit: (digit) => this.#listener.onEvent({ type: 'digit', digit }),
      onHangUp: () => this.#hungUp(),
      onFailure: (reason) => this.#giveUp(reason),
    }
  }

  #hungUp(): void {
    this.#end({ type: 'ended', cause: 'hangup', carrierCause: causes.hangup })
  }

  #heldByThem(held: boolean): void {
    if (this.#state.is === 'talking') this.#state.heldByThem = held
    this.#listener.onEvent({ type: held ? 'held' : 'resumed' })
  }

  #talk(state: Talking, nowMs: number): void {
    this.#digits.tick(nowMs)
    this.#transfer?.under.tick(nowMs)
    state.callee.tick(nowMs)
    state.joined?.tick(nowMs)
    state.second?.tick(nowMs)
  }

  #hearCallee(frame: Frame): void {
    const state = this.#state
    if (state.is !== 'talking' || state.heldByUs) return
    this.#codec.pass(frame.samples)
    if (state.joined) {
      state.joined.hear(frame)
      this.#both.samples.set(frame.samples)
    } else this.#listener.onFrame(frame)
  }

  /** Ticks after the callee, when both sides of these 20 ms are complete. */
  #hearJoined({ callee }: Talking, frame: Frame): void {
    callee.hear(frame)
    mixInto(this.#both.samples, frame.samples)
    this.#listener.onFrame(this.#both)
  }

  #closeEarly(): void {
    if (this.#state.is === 'ringing') this.#state.early?.close()
  }

  #stop(): void {
    const state = this.#state
    this.#closeEarly()
    this.#state = { is: 'over' }
    this.#subscription.end()
    if (state.is === 'talking') {
      state.callee.leave()
      state.joined?.leave()
      state.second?.leave()
    }
    const over = new Error('The call has ended.')
    this.#digits.close(over)
    this.#transfer?.reject(over)
  }

  #giveUp(reason: string): void {
    this.#fail(`The sandbox callee gave up: ${reason}`)
  }

  #fail(reason: string): void {
    this.#end({ type: 'ended', cause: 'failed', reason })
  }

  #end(event: Ended): void {
    if (this.#state.is === 'over') return
    this.#stop()
    this.#listener.onEvent(event)
  }
}
