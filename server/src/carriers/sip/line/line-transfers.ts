// Transfers of one line: by the far end, or joined with a second call of ours. One at a time.
import type {
  Consultation,
  LineEvent,
  LineListener,
  TransferProgress,
  TransferRequest,
  TransferResult,
} from '../../../ports/line.ts'
import { carrierCauseOf, causeOfStatus, lineEndOf, type SipCause } from '../call/causes.ts'
import { bridgedTransfer, type FirstLine, type Joinable, placeConsultation } from './consultation.ts'
import type { RequestResult } from './link.ts'

export interface SecondLine extends Joinable {
  readonly isOver: boolean
}

export interface LineTransfersParts {
  readonly first: FirstLine
  /** Places another call over the same trunk; null: the line has no trunk. */
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
    const result = await blind.outcome.promise
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
    return placeConsultation(first, placed, listener)
  }

  /** Takes a report of the far end on the transfer that it carries out. */
  progress(status: number): void {
    this.#blind?.progress(status)
  }

  /** Ends with the call: a target that is still on the second one is told so. */
  close(): void {
    this.#second?.hangUp('The caller has left.')
    this.#blind?.ended()
  }

  get #isConsulting(): boolean {
    return this.#second !== null && !this.#second.isOver
  }
}

class BlindTransfer {
  readonly outcome = Promise.withResolvers<TransferResult>()
  readonly #onProgress: (is: TransferProgress) => void
  #isAccepted = false

  constructor(onProgress: (is: TransferProgress) => void) {
    this.#onProgress = onProgress
  }

  /** Takes the answer to our REFER, which may accept but is no success yet. */
  asked(answer: RequestResult): void {
    if (answer.is === 'refused') {
      this.outcome.resolve({ ...failure(answer.cause), isRefused: true })
      return
    }
    this.#isAccepted = true
    this.#onProgress('trying')
  }

  /** Takes a report: 1xx is progress, 2xx is success, and after anything else the call goes on with us. */
  progress(status: number): void {
    if (status >= 300) this.outcome.resolve(failure(causeOfStatus(status)))
    else if (status >= 200) this.outcome.resolve({ is: 'completed' })
    else if (status >= 180) this.#onProgress('ringing')
  }

  /** The call has ended, which is a success if the far end had accepted the transfer. */
  ended(): void {
    this.outcome.resolve(
      this.#isAccepted ? { is: 'completed' } : failure(causeOfStatus(487, 'The call ended first')),
    )
  }
}

const failure = (cause: SipCause): Extract<TransferResult, { readonly is: 'failed' }> => ({
  is: 'failed',
  reason: cause.text,
  cause: lineEndOf(cause),
  carrierCause: carrierCauseOf(cause),
})
