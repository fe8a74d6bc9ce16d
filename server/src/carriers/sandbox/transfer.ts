// A transfer of a simulated call: the target is also a simulated number, and rings, answers or is busy as its script says.
import type {
  CarrierCause,
  LineEnd,
  TransferProgress,
  TransferRequest,
  TransferResult,
} from '../../ports/line.ts'
import { causes, type FailedOutcome } from './causes.ts'
import type { Script } from './script-schema.ts'

export interface TransferEvents {
  onProgress(is: TransferProgress): void
  /** The target of a bridged transfer has answered and joins the call. */
  onJoin(script: Script, nowMs: number): void
  onResult(result: TransferResult): void
}

type State =
  | { readonly is: 'asked' }
  | { readonly is: 'ringing'; readonly untilMs: number }
  | { readonly is: 'over' }

export class Transfer {
  readonly #request: TransferRequest
  /** The target's script; null: the callee refuses to be transferred. */
  readonly #script: Script | null
  readonly #events: TransferEvents
  #state: State = { is: 'asked' }

  constructor(request: TransferRequest, script: Script | null, events: TransferEvents) {
    this.#request = request
    this.#script = script
    this.#events = events
  }

  tick(nowMs: number): void {
    if (this.#state.is === 'asked') this.#begin(nowMs)
    else if (this.#state.is === 'ringing' && nowMs >= this.#state.untilMs) this.#conclude(nowMs)
  }

  #begin(nowMs: number): void {
    if (!this.#script) {
      this.#fail('The transfer was refused.', undefined, causes.transferRefused)
      return
    }
    const { outcome, ringMs } = this.#script
    this.#state = { is: 'ringing', untilMs: nowMs + ringMs }
    this.#events.onProgress('trying')
    if (outcome === 'answer' || outcome === 'no_answer') this.#events.onProgress('ringing')
  }

  #conclude(nowMs: number): void {
    const script = this.#script
    if (script?.outcome === 'answer') {
      this.#state = { is: 'over' }
      if (this.#request.mode === 'bridged') this.#events.onJoin(script, nowMs)
      this.#events.onResult({ is: this.#request.mode === 'bridged' ? 'bridged' : 'completed' })
    } else if (script) {
      const { end, carrierCause } = causes[script.outcome]
      this.#fail(targetReasons[script.outcome], end, script.cause ?? carrierCause)
    }
  }

  #fail(reason: string, cause: LineEnd | undefined, carrierCause: CarrierCause): void {
    this.#state = { is: 'over' }
    this.#events.onResult({ is: 'failed', reason, ...(cause && { cause }), carrierCause })
  }
}

const targetReasons: Readonly<Record<FailedOutcome, string>> = {
  busy: 'The target is busy.',
  no_answer: 'The target did not answer.',
  rejected: 'The target rejected the call.',
  unreachable: 'The target cannot be reached.',
  no_trunk: 'The trunk did not answer.',
  failed: 'The target could not be called.',
}
