// A line in memory: the test is the other side.
import { type Frame, makeFrame, type RateHz } from '../../../src/media/frame.ts'
import type {
  Consultation,
  Line,
  LineAbilities,
  LineEvent,
  LineListener,
  TransferRequest,
  TransferResult,
} from '../../../src/ports/line.ts'

export class ScriptedLine implements Line {
  readonly rateHz: RateHz = 8_000
  readonly callSid = 'sid-1'
  /** The first sample of every frame sent: 0 is silence, any other value identifies its text. */
  readonly sent: number[] = []
  hungUp = 0
  /** How often the session reported that the agent can speak. */
  pickedUp = 0
  hangUpReason: string | undefined
  can: LineAbilities = {
    digits: true,
    hold: true,
    transfers: ['blind', 'bridged'],
    earlyMedia: true,
    codecs: [{ name: 'PCMU', rateHz: 8_000 }],
  }
  /** Every command received, in order. */
  readonly commands: string[] = []
  /** The result of the next commands; a test replaces it. */
  onDigits: () => Promise<void> = () => Promise.resolve()
  onHold: () => Promise<void> = () => Promise.resolve()
  onTransfer: () => Promise<TransferResult> = () => Promise.resolve({ is: 'completed' })
  /** The one frame that is reused, as by a real line. */
  readonly #frame = makeFrame(this.rateHz)
  #listener: LineListener | undefined
  /** When the sound of now reached the line; undefined: the line does not say. */
  arrivedMs: (() => number) | undefined

  /** Whether the call was dialled, or has come in. */
  get isConnected(): boolean {
    return this.#listener !== undefined
  }

  connect(listener: LineListener): Line {
    this.#listener = listener
    return this
  }

  pickUp(): void {
    this.pickedUp++
  }

  send(frame: Frame): void {
    this.sent.push(frame.samples[0] ?? 0)
  }

  sendDigits(digits: string): Promise<void> {
    this.commands.push(`digits ${digits}`)
    return this.onDigits()
  }

  hold(on: boolean): Promise<void> {
    this.commands.push(on ? 'hold' : 'resume')
    return this.onHold()
  }

  transfer({ to, mode }: TransferRequest): Promise<TransferResult> {
    this.commands.push(`${mode} transfer to ${to}`)
    return this.onTransfer()
  }

  /** The second calls, in order. A test that needs a line without them sets `consult` to undefined. */
  readonly seconds: ScriptedConsultation[] = []
  consult: Line['consult'] = (to, listener) => {
    const second = new ScriptedConsultation(to, listener)
    this.seconds.push(second)
    return second
  }

  hangUp(reason?: string): void {
    this.hangUpReason = reason
    this.hungUp++
  }

  tell(event: LineEvent): void {
    this.#listener?.onEvent(event)
  }

  bringFrame(frame: Frame): void {
    this.#listener?.onFrame(frame)
  }

  /** One frame from the other side, with all samples equal. */
  bring(sample: number): void {
    this.#frame.samples.fill(sample)
    this.#listener?.onFrame(this.#frame, this.arrivedMs?.())
  }
}

export class ScriptedConsultation implements Consultation {
  readonly to: string
  readonly #listener: LineListener
  readonly #frame = makeFrame(8_000)
  readonly sent: number[] = []
  joined = 0
  hungUp = 0
  /** Why the two cannot be connected. */
  joinFault: Error | undefined

  constructor(to: string, listener: LineListener) {
    this.to = to
    this.#listener = listener
  }

  send(frame: Frame): void {
    this.sent.push(frame.samples[0] ?? 0)
  }

  async join(): Promise<void> {
    if (this.joinFault) throw this.joinFault
    this.joined++
  }

  hangUp(): void {
    this.hungUp++
  }

  tell(event: LineEvent): void {
    this.#listener.onEvent(event)
  }

  answer(): void {
    this.tell({ type: 'answered', codec: { name: 'PCMU', rateHz: 8_000 } })
  }

  bring(sample: number): void {
    this.#frame.samples.fill(sample)
    this.#listener.onFrame(this.#frame)
  }
}
