// The line of a call, seen from the session: translates its events for the turn logic, carries out the commands that the
// turn logic allows, and keeps what is known about the line at the end.
import type { CallUpdate, LineRecord, TransferRecord } from '../ports/call.ts'
import type { Line, LineAbilities, LineEvent, TransferResult } from '../ports/line.ts'
import type { Clock } from './call-parts.ts'
import { faultSentence, saidBy } from './contain.ts'
import { outcomes } from './transfer/transfers.ts'
import type { LineAct, LineCommand, TurnEvent } from './turn/turn-state.ts'

export interface CallLineParts {
  readonly clock: Clock
  readonly dispatch: (event: TurnEvent) => void
  readonly onUpdate: (update: CallUpdate) => void
  readonly onAnswered: () => void
}

interface TransferWaiter {
  readonly resolve: (result: TransferResult | undefined) => void
  readonly reject: (error: Error) => void
}

type Refusal = Extract<LineAct, { do: 'refuse-command' }>
type Command = Exclude<LineAct, { do: 'refuse-command' | 'transfer-to' }>

const ended = 'The call has ended.'

export class CallLine {
  readonly #parts: CallLineParts
  readonly #asked = new Map<number, TransferWaiter>()
  #line: Line | undefined
  #record: Omit<LineRecord, 'quality'> = { codec: null, carrierCause: null, transfer: null }
  #lastId = 0
  #isOver = false

  constructor(parts: CallLineParts) {
    this.#parts = parts
  }

  use(line: Line): void {
    this.#line = line
  }

  get line(): Line | undefined {
    return this.#line
  }

  get can(): LineAbilities | undefined {
    return this.#line?.can
  }

  /** What is known about the line at its end; undefined if there was no line. */
  get record(): LineRecord | undefined {
    const line = this.#line
    return line && { ...this.#record, quality: saidBy(() => line.quality) ?? null }
  }

  take(event: LineEvent): void {
    const { dispatch, onUpdate, onAnswered } = this.#parts
    switch (event.type) {
      case 'ringing':
        onUpdate({ type: 'status', status: 'ringing' })
        break
      case 'answered':
      case 'codec-changed':
        this.#record = { ...this.#record, codec: event.codec }
        if (event.type === 'answered') onAnswered()
        break
      case 'transfer-progress':
        onUpdate({ type: 'note', note: `The transfer is ${event.is}.` })
        break
      case 'digit':
      case 'text':
      case 'out-of-reach':
      case 'in-reach':
      case 'held':
      case 'resumed':
        dispatch(event)
        break
      case 'ended':
        this.#isOver = true
        this.#record = { ...this.#record, carrierCause: event.carrierCause ?? null }
        dispatch({ type: 'line-ended', cause: event.cause, error: event.reason ?? null })
    }
  }

  /** Resolves with the line's result; rejects when the turn logic or the line refuses. */
  ask(command: LineCommand): Promise<TransferResult | undefined> {
    if (this.#isOver) return Promise.reject(new Error(ended))
    const { promise, resolve, reject } = Promise.withResolvers<TransferResult | undefined>()
    const id = ++this.#lastId
    this.#asked.set(id, { resolve, reject })
    this.#parts.dispatch({ type: 'line-command', id, command })
    return promise
  }

  keepTransfer(transfer: TransferRecord): void {
    this.#record = { ...this.#record, transfer }
  }

  async perform(act: Command | Refusal): Promise<void> {
    if (act.do === 'refuse-command') return this.#settle(act.id)?.reject(new Error(act.why))
    const sinceMs = this.#parts.clock.nowMs
    try {
      const result = await this.#command(act)
      this.#settle(act.id)?.resolve(result)
      this.#tell(act, sinceMs, true, result)
    } catch (error) {
      const reason = faultSentence(error)
      this.#settle(act.id)?.reject(new Error(reason))
      this.#tell(act, sinceMs, false, { is: 'failed', reason })
    }
  }

  /** Hangs up, unless the other side already has. */
  close(reason: string): void {
    const over = this.#isOver
    this.#isOver = true
    for (const id of [...this.#asked.keys()]) this.#settle(id)?.reject(new Error(ended))
    if (!over) this.#line?.hangUp(reason)
  }

  async #command(act: Command): Promise<TransferResult | undefined> {
    const line = this.#line
    if (!line) throw new Error('There is no line yet.')
    switch (act.do) {
      case 'send-digits':
        if (!line.can.digits) throw new Error('This line cannot send digits.')
        await line.sendDigits(act.digits)
        return undefined
      case 'hold':
        if (!line.can.hold) throw new Error('This line cannot be put on hold.')
        await line.hold(act.on)
        return undefined
      case 'transfer':
        if (!line.can.transfers.includes(act.request.mode))
          throw new Error(`This line cannot do a ${act.request.mode} transfer.`)
        return line.transfer(act.request)
    }
  }

  #tell(act: Command, sinceMs: number, done: boolean, result: TransferResult | undefined): void {
    const { dispatch } = this.#parts
    if (act.do === 'hold') dispatch({ type: 'own-hold', on: act.on === done })
    if (act.do !== 'transfer' || !result) return
    const { to, mode: method } = act.request
    const seconds = (this.#parts.clock.nowMs - sinceMs) / 1_000
    this.keepTransfer({ destination: null, to, mode: 'cold', method, ...outcomeOf(result), seconds })
    dispatch({ type: 'transfer-ended', result })
  }

  #settle(id: number): TransferWaiter | undefined {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    return asked
  }
}

const outcomeOf = (result: TransferResult): Pick<TransferRecord, 'outcome' | 'reason'> =>
  result.is === 'failed'
    ? { outcome: outcomes[result.cause ?? 'failed'], reason: result.reason }
    : { outcome: 'completed', reason: null }
