// Transfers of one line: by the far end, or joined with a second call of ours. One at a time.
import type {
  Consultation,
  LineEvent,
  LineListener,
  TransferRequest,
  TransferResult,
} from '../../../ports/line.ts'
import { BlindTransfer } from './blind-transfer.ts'
import type { RequestResult } from './link.ts'
import { bridgedTransfer, type FirstCall, type Joinable, placeSecondCall } from './second-call.ts'

export interface SecondLine extends Joinable {
  readonly isOver: boolean
}

export interface LineTransfersParts {
  readonly first: FirstCall
  /** Places another call over the same trunk; null: it came without one. */
  readonly place: ((to: string, listener: LineListener) => SecondLine) | null
  readonly refer: (to: string) => Promise<RequestResult>
  readonly tell: (event: LineEvent) => void
}

export class LineTransfers {
  readonly #parts: LineTransfersParts
  #second: SecondLine | null = null
  #blind: BlindTransfer | null = null

  constructor(parts: LineTransfersParts) {
    this.#parts = parts
  }

  async transfer({ to, mode }: TransferRequest): Promise<TransferResult> {
    const { refer, tell } = this.#parts
    if (this.#blind || this.#isConsulting) throw new Error('This call is being transferred already.')
    if (mode === 'bridged') return bridgedTransfer((heard) => this.consult(to, heard), tell)
    const blind = new BlindTransfer((is) => tell({ type: 'transfer-progress', is }))
    this.#blind = blind
    blind.asked(await refer(to))
    const result = await blind.result
    this.#blind = null
    return result
  }

  consult(to: string, listener: LineListener): Consultation {
    const { first, place } = this.#parts
    if (!place) throw new Error('This line cannot place a second call: it came without a trunk.')
    if (this.#isConsulting) throw new Error('This call has a second one already.')
    const placed = (heard: LineListener) => {
      this.#second = place(to, heard)
      return this.#second
    }
    return placeSecondCall(first, placed, listener)
  }

  /** The far end reports on the transfer that it carries out. */
  progress(status: number): void {
    this.#blind?.progress(status)
  }

  /** The call is over: who is still on the second one is told so. */
  close(): void {
    this.#second?.hangUp('The caller has left.')
    this.#blind?.ended()
  }

  get #isConsulting(): boolean {
    return this.#second !== null && !this.#second.isOver
  }
}
