// A simulated call that was answered: the callee, what the agent asks of the line, and who else is joined to them.
import { isKeys } from '../../media/dtmf.ts'
import { type Frame, makeFrame } from '../../media/frame.ts'
import { mixInto } from '../../media/mix.ts'
import type { Consultation, LineListener, TransferRequest, TransferResult } from '../../ports/line.ts'
import { Callee, type CalleeListener, type CalleeParts } from './callee.ts'
import type { LineCodec } from './codec.ts'
import { SandboxConsultation } from './consultation.ts'
import type { Script } from './script-schema.ts'
import { Transfer } from './transfer.ts'

interface PendingDigits extends PromiseWithResolvers<void> {
  readonly digits: string
  place: number
}

// 100 ms of tone and 100 ms of pause, as media/dtmf.ts plays them.
const digitMs = 200

/** Sends digits to a simulated callee one at a time, at the speed of real DTMF tones. */
class DigitPacer {
  readonly #onDigit: (digit: string) => void
  readonly #waiting: PendingDigits[] = []
  #nextMs = 0

  constructor(onDigit: (digit: string) => void) {
    this.#onDigit = onDigit
  }

  send(digits: string): Promise<void> {
    const pending = { digits, place: 0, ...Promise.withResolvers<void>() }
    this.#waiting.push(pending)
    return pending.promise
  }

  tick(nowMs: number): void {
    const sending = this.#waiting[0]
    if (!sending || nowMs < this.#nextMs) return
    const digit = sending.digits[sending.place++]
    if (digit === undefined) {
      this.#waiting.shift()
      sending.resolve()
      return
    }
    this.#nextMs = nowMs + digitMs
    this.#onDigit(digit)
  }

  close(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

export interface SimulatedConversationParts {
  readonly parts: CalleeParts
  readonly script: Script
  readonly scriptOfTarget: (to: string, given: unknown) => Script
  readonly codec: LineCodec
  readonly listener: LineListener
  readonly onHungUp: () => void
  readonly onFailure: (reason: string) => void
}

export class SimulatedConversation {
  readonly #given: SimulatedConversationParts
  readonly #callee: Callee
  readonly #digits = new DigitPacer((digit) => this.#callee.press(digit))
  /** The agent's frame after the codec; the input frame is only lent. */
  readonly #sent: Frame
  readonly #both: Frame
  #transfer: { readonly under: Transfer; readonly reject: (error: Error) => void } | undefined
  /** The target of a transfer; the agent is then out of the conversation. */
  #joined: Pick<Callee, 'hear' | 'tick' | 'leave'> | undefined
  /** The second call of a transfer, until it is joined. */
  #second: SandboxConsultation | undefined
  #heldByThem = false
  #heldByUs = false
  #isOver = false

  constructor(given: SimulatedConversationParts, nowMs: number) {
    this.#given = given
    const { parts, script, codec, listener } = given
    this.#sent = makeFrame(parts.rateHz)
    this.#both = makeFrame(parts.rateHz)
    this.#callee = new Callee(
      script,
      parts,
      {
        ...this.#calleeListener((frame) => this.#hearCallee(frame)),
        onHold: (held) => {
          this.#heldByThem = held
          listener.onEvent({ type: held ? 'held' : 'resumed' })
        },
        onCodec: (name) => {
          codec.use(name)
          listener.onEvent({ type: 'codec-changed', codec: codec.current })
        },
      },
      nowMs,
    )
  }

  send({ samples }: Frame): void {
    if (this.#joined || this.#heldByThem || this.#heldByUs) return
    this.#sent.samples.set(samples)
    this.#given.codec.pass(this.#sent.samples)
    this.#callee.hear(this.#sent)
  }

  async sendDigits(digits: string): Promise<void> {
    if (!isKeys(digits)) throw new RangeError('Only 0-9, *, # and A-D can be sent as digits.')
    await this.#digits.send(digits)
  }

  hold(on: boolean): void {
    this.#heldByUs = on
  }

  async transfer(request: TransferRequest): Promise<TransferResult> {
    if (this.#transfer || this.#joined) throw new Error('This call is being transferred already.')
    const { script: own, scriptOfTarget, listener } = this.#given
    const { refused, target } = own.transfer
    const script = refused ? null : scriptOfTarget(request.to, target)
    const { promise, resolve, reject } = Promise.withResolvers<TransferResult>()
    const under = new Transfer(request, script, {
      onProgress: (is) => listener.onEvent({ type: 'transfer-progress', is }),
      onJoin: (targetScript, nowMs) => this.#join(targetScript, nowMs),
      onResult: (result) => {
        this.#transfer = undefined
        if (result.is === 'completed') this.#callee.leave()
        resolve(result)
      },
    })
    this.#transfer = { under, reject }
    return promise
  }

  consult(to: string, listener: LineListener): Consultation {
    if (this.#transfer || this.#second || this.#joined)
      throw new Error('This call is being transferred already.')
    const { parts, script, scriptOfTarget, onHungUp } = this.#given
    const { refused, target } = script.transfer
    if (refused) throw new Error('The second call was refused.')
    const second = new SandboxConsultation({
      parts,
      script: scriptOfTarget(to, target),
      listener,
      onJoin: () => {
        this.#second = undefined
        this.#joined = second
      },
      onFrame: (frame) => this.#hearJoined(frame),
      onLeft: onHungUp,
      onHungUp: () => {
        if (this.#second === second) this.#second = undefined
      },
    })
    this.#second = second
    return second
  }

  tick(nowMs: number): void {
    this.#digits.tick(nowMs)
    this.#transfer?.under.tick(nowMs)
    this.#callee.tick(nowMs)
    this.#joined?.tick(nowMs)
    this.#second?.tick(nowMs)
  }

  /** Ends the conversation, and rejects everything that waits for it. */
  close(): void {
    this.#isOver = true
    this.#callee.leave()
    this.#joined?.leave()
    this.#second?.leave()
    const over = new Error('The call has ended.')
    this.#digits.close(over)
    this.#transfer?.reject(over)
  }

  /** The target of a transfer talks to the callee; only its audio matters to the line. */
  #join(script: Script, nowMs: number): void {
    const listener = {
      ...this.#calleeListener((frame) => this.#hearJoined(frame)),
      onHold() {},
      onCodec() {},
    }
    this.#joined = new Callee(script, this.#given.parts, listener, nowMs)
  }

  #calleeListener(onFrame: CalleeListener['onFrame']): Omit<CalleeListener, 'onHold' | 'onCodec'> {
    const { listener, onHungUp, onFailure } = this.#given
    return {
      onFrame,
      onFailure,
      onHangUp: onHungUp,
      onDigit: (digit) => listener.onEvent({ type: 'digit', digit }),
    }
  }

  #hearCallee(frame: Frame): void {
    if (this.#isOver || this.#heldByUs) return
    this.#given.codec.pass(frame.samples)
    if (this.#joined) {
      this.#joined.hear(frame)
      this.#both.samples.set(frame.samples)
    } else this.#given.listener.onFrame(frame)
  }

  /** Hears the joined target, which ticks after the callee, when both sides of these 20 ms are complete. */
  #hearJoined(frame: Frame): void {
    this.#callee.hear(frame)
    mixInto(this.#both.samples, frame.samples)
    this.#given.listener.onFrame(this.#both)
  }
}
