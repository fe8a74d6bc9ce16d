// What runs calls: the media thread, or in tests something simpler.
import type { BrowserLink } from '../../ports/browser-link.ts'
import type { CallOutcome, CallUpdate } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'

/** `api`: somebody asked for it. `draining`: this process is leaving. `lost`: the call was given up elsewhere. */
export type StopReason = 'api' | 'draining' | 'lost'

export interface RunningCall {
  /** The outcome follows soon after. Asking again changes nothing. */
  stop(why: StopReason): void
  readonly outcome: Promise<CallOutcome>
}

export interface CallRunner {
  /** Calls at a time. */
  readonly capacity: number
  /** The updates come before the outcome. With a browser on the line, nobody is dialled. */
  run(plan: CallPlan, on: (update: CallUpdate) => void, browser?: BrowserLink): RunningCall
  close(): Promise<void>
}
