// Takes a claimed call to its end: the call is planned, the engine runs it, and its updates are written down.
import type { Log } from '../../../platform/log.ts'
import type { Arrival } from '../../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../../ports/call.ts'
import type { CallPlan } from '../../../ports/call-plan.ts'
import type { CallResumer } from '../../../ports/call-state.ts'
import { type OpenStored, planCall, refusalOf } from '../plan/plan-call.ts'
import type { CallEventWriter } from '../record/call-event-writer.ts'
import { endOf, failedEnd, hungUpEnd } from '../record/event-wire.ts'
import type { CallEnd } from '../record/finish-calls.ts'
import { type ClaimedCall, firstSeq } from './backlog.ts'
import type { AdoptedCall } from './orphaned-calls.ts'
import type { CallRunner, RunningCall } from './runner.ts'
import type { RunningCalls } from './running-calls.ts'

export interface CallLauncherOptions {
  readonly log: Log
  readonly runner: CallRunner
  readonly running: RunningCalls
  readonly eventWriter: CallEventWriter
  readonly openStored: OpenStored
  /** The URL of a call's recording. */
  readonly linkTo: (sessionId: string) => CallEnd['recording']
  /** Called when a recording is complete. */
  readonly onRecorded: (sessionId: string) => void
  /** The end of a call that could not be continued. */
  readonly endOfLost: (sessionId: string) => Promise<CallEnd>
  /** Opens the sealed state of a call. */
  readonly openState: (sessionId: string, sealed: Buffer) => string
  /** Called when there is room for another call. */
  readonly onEnd: () => void
}

interface StartingCall {
  readonly plan: CallPlan
  readonly claimed: ClaimedCall
  readonly arrival: Arrival | undefined
}

export class CallLauncher {
  readonly #options: CallLauncherOptions

  constructor(options: CallLauncherOptions) {
    this.#options = options
  }

  launch(claimed: ClaimedCall, arrival?: Arrival): void {
    const sessionId = claimed.session_id
    try {
      const plan = planCall(claimed, this.#options.openStored, new Date())
      if (!plan) this.#refuse(sessionId, 'The agent of this call no longer exists.', arrival)
      else if (isSwitchedOff(claimed)) this.#refuse(sessionId, 'The agent of this call is inactive.', arrival)
      else this.#start({ plan, claimed, arrival })
    } catch (err) {
      this.#options.log.error({ err, session_id: sessionId }, 'call could not be started')
      this.#refuse(sessionId, 'The call could not be started.', arrival)
    }
  }

  /** Goes on with a call whose process died, where its carrier can. */
  async resume({ call, carrier, seq, resumed, state }: AdoptedCall, resumer: CallResumer): Promise<void> {
    const { openState, openStored, log } = this.#options
    const sessionId = call.session_id
    try {
      const arrival = resumer.resume(carrier, sessionId, openState(sessionId, state)) ?? undefined
      const plan = arrival && planCall(call, openStored, new Date(), resumed)
      if (plan) this.#start({ plan, claimed: call, arrival }, seq)
      else await this.#giveUp(sessionId, arrival)
    } catch (err) {
      log.error({ err, session_id: sessionId }, 'call could not be resumed')
      await this.#giveUp(sessionId)
    }
  }

  #refuse(sessionId: string, why: string, arrival: Arrival | undefined): void {
    arrival?.refuse(why)
    this.#options.eventWriter.end({ ...failedEnd('dial_failed', why), sessionId })
  }

  #start({ plan, claimed, arrival }: StartingCall, seqFrom = firstSeq): void {
    const { runner, running, eventWriter } = this.#options
    const { sessionId, notes, resumed } = plan
    let seq = seqFrom
    let status = 'initiated'
    for (const note of notes) eventWriter.add(sessionId, seq++, { type: 'note', note })
    const on = (update: CallUpdate) => {
      if (update.type === 'late-sound') return
      // For those who watch, a resumed call was never interrupted.
      if (update.type === 'status' && (resumed || update.status === status)) return
      if (update.type === 'status') status = update.status
      eventWriter.add(sessionId, seq++, update)
    }
    const call = runner.run(plan, on, arrival)
    running.add(plan, call, refusalOf(claimed), on)
    void this.#follow(plan, call)
  }

  async #follow({ sessionId, resumed }: CallPlan, call: RunningCall): Promise<void> {
    const { running, eventWriter, log, onRecorded, linkTo, onEnd } = this.#options
    try {
      const outcome = await call.outcome
      if (running.isLost(sessionId)) return
      if (resumed && outcome.answeredAfterMs === null) return await this.#endUnresumed(sessionId, outcome)
      const recording = outcome.recorded ? linkTo(sessionId) : null
      eventWriter.end({ ...endOf(outcome, recording, new Date()), sessionId })
      if (outcome.recorded) onRecorded(sessionId)
      log.info(wide(sessionId, outcome), 'call ended')
    } catch (err) {
      if (running.isLost(sessionId)) return
      log.error({ err, session_id: sessionId }, 'call lost')
      eventWriter.end({ ...failedEnd('worker_lost', 'What ran this call broke down.'), sessionId })
    } finally {
      running.remove(sessionId)
      onEnd()
    }
  }

  async #giveUp(sessionId: string, arrival?: Arrival): Promise<void> {
    arrival?.refuse('The call was lost.')
    this.#options.eventWriter.end({ ...(await this.#options.endOfLost(sessionId)), sessionId })
  }

  /** Ends a call whose far end did not want to go on, or had hung up on the process before. */
  async #endUnresumed(sessionId: string, { hangupReason }: CallOutcome): Promise<void> {
    if (hangupReason !== 'user_hangup') return this.#giveUp(sessionId)
    this.#options.eventWriter.end({ ...hungUpEnd(await this.#options.endOfLost(sessionId)), sessionId })
  }
}

/**
 * Whether a call must not start because its agent was switched off: recipients of a batch wait in the batch, and a
 * trial or an arrival goes on.
 */
const isSwitchedOff = ({ agent_inactive, call_type, batch_id, draft }: ClaimedCall): boolean =>
  agent_inactive === true && call_type === 'outbound' && batch_id === null && !draft

/** One wide log line per call, without transcripts or phone numbers. */
const wide = (sessionId: string, outcome: CallOutcome) => ({
  session_id: sessionId,
  status: outcome.status,
  terminated_by: outcome.terminatedBy,
  hangup_reason: outcome.hangupReason,
  duration_s: outcome.durationSeconds,
  turns: outcome.latency.length,
  recorded: outcome.recorded,
  error: outcome.errorMessage,
})
