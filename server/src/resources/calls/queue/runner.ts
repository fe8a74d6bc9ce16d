// Runs calls: the media thread, or a simpler one in tests.
import type { Arrival } from '../../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../../ports/call.ts'
import type { CallPlan } from '../../../ports/call-plan.ts'
import type { ExpectedSpeech } from '../plan/expected-speech.ts'

/**
 * `api`: a client asked for it. `draining`: this process is shutting down. `lost`: another process has swept the
 * call.
 */
export type StopReason = 'api' | 'draining' | 'lost'

/** 16-bit samples of both sides, mixed. */
export type OnLiveSound = (samples: Int16Array, rateHz: number) => void

export interface RunningCall {
  /** The outcome follows soon after. Calling it again has no effect. */
  stop(why: StopReason): void
  /** For somebody who listens in, until they stop. Absent: this runner has no sound. */
  listen?(onSound: OnLiveSound): { stop(): void }
  readonly outcome: Promise<CallOutcome>
}

export interface CallRunner {
  /** False: calls would wait for engines that are being loaded. Absent: they never do. */
  isWarm?(): boolean
  /** Loads ahead what calls with these agents would have to wait for; `isWarm` is false meanwhile. */
  expect?(speech: readonly ExpectedSpeech[]): void
  /** False: the sound of calls leaves late, because the machine is overloaded. Absent: it never does. */
  keepsTime?(): boolean
  /** Concurrent calls. */
  readonly capacity: number
  /**
   * Updates come before the outcome. An arrival is answered; without one the number is dialled. If it throws, it did
   * neither.
   */
  run(plan: CallPlan, on: (update: CallUpdate) => void, arrival?: Arrival): RunningCall
  close(): Promise<void>
}
