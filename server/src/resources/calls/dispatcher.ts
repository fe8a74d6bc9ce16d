// Claims calls that are due or arriving, while there is capacity, and runs them. No call is run twice: a claimed call
// belongs to this process and ends with it.
import type { Claimant } from '../../platform/db/claim.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import type { Admission, Admit, Arrival, ArrivalKey } from '../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { CallResumer } from '../../ports/call-state.ts'
import {
  type ClaimedCall,
  callsToStop,
  claimCalls,
  firstSeq,
  keepCalls,
  type Limits,
  releaseUnknownCalls,
  untilNextCall,
  workspacesWithCallsDue,
} from './backlog.ts'
import type { CallEventWriter } from './call-event-writer.ts'
import { endOf, failedEnd } from './event-wire.ts'
import type { CallEnd } from './finish-calls.ts'
import { joinCall } from './join-call.ts'
import { type LiveSound, liveSoundOf } from './live-sound.ts'
import { OrphanedCalls } from './orphaned-calls.ts'
import { type OpenStored, planCall } from './plan-call.ts'
import { receiveCall } from './receive-call.ts'
import type { CallRunner, RunningCall } from './runner.ts'
import { WaitingRoom } from './waiting-room.ts'

export interface DispatcherOptions {
  readonly db: Db
  readonly log: Log
  readonly claimant: Claimant
  readonly runner: CallRunner
  readonly eventWriter: CallEventWriter
  readonly limits: Limits
  readonly openStored: OpenStored
  /** The URL of a call's recording. */
  readonly linkTo: (sessionId: string) => CallEnd['recording']
  /** A recording is complete. */
  readonly onRecorded: (sessionId: string) => void
  /** What is left of a call that could not be gone on with. */
  readonly endOfLost: (sessionId: string) => Promise<CallEnd>
  /** Opens the sealed state of a call. */
  readonly openState: (sessionId: string, sealed: Buffer) => string
}

// Poll interval while nothing is known to be due, in case a notification was missed.
const idleMs = 1_000
// Delay after a database failure.
const brokenMs = 250
// How often calls of processes that died are looked for.
const orphansMs = 300

export class Dispatcher {
  private readonly options: DispatcherOptions
  private readonly running = new Map<string, RunningCall>()
  /** Of running calls whose agents may transfer them. */
  private readonly destinations = new Map<string, readonly string[]>()
  /** Running calls, for those who listen in. */
  private readonly heard = new Map<string, LiveSound>()
  private readonly arrivals = new WaitingRoom()
  /** Resolves when every call has ended. */
  private whenIdle = () => {}
  private draining = false
  private claimedAs: number
  private lastReleaseMs = Number.NEGATIVE_INFINITY
  private lastWorkspace = '00000000-0000-0000-0000-000000000000'
  private readonly loop: Loop
  private readonly orphans: OrphanedCalls
  /** Set when the carriers are open: goes on with calls of other processes. */
  resumer: CallResumer | undefined

  constructor(options: DispatcherOptions) {
    this.options = options
    this.orphans = new OrphanedCalls(options.db)
    this.claimedAs = options.claimant.id
    this.loop = startLoop(
      () => this.step(),
      (err) => {
        options.log.warn({ err }, 'calls wait for the database')
        return brokenMs
      },
    )
  }

  /** Call it when there may be a call to claim or to stop. */
  wake = (): void => this.loop.wake()

  /** Claims between two rounds of the loop: `releaseUnknown` would undo a claim in progress. */
  admit: Admit = (key, arrival) => {
    if (this.draining) return Promise.resolve({ is: 'full' })
    this.loop.wake()
    return this.arrivals.enter(key, arrival)
  }

  /** Where the agent of a running call may transfer to. */
  transferTargets = (sessionId: string): readonly string[] => this.destinations.get(sessionId) ?? []

  /** For somebody who listens in; undefined: the call does not run here. */
  live = (sessionId: string): LiveSound | undefined => this.heard.get(sessionId)

  /** Stops claiming. Running calls have `patienceMs` to end by themselves; then they are stopped. */
  async drain(patienceMs: number): Promise<void> {
    this.draining = true
    if (await this.allEnded(patienceMs)) return this.loop.stop()
    for (const call of this.running.values()) call.stop('draining')
    await this.allEnded(stopMs)
    await this.loop.stop()
    for (const sessionId of this.running.keys()) {
      this.options.log.error({ session_id: sessionId }, 'call did not end after being stopped')
      this.options.eventWriter.end({
        ...failedEnd('worker_lost', 'The process that ran this call was stopped.'),
        sessionId,
      })
    }
  }

  private async step(): Promise<number> {
    await this.reclaimAfterReconnect()
    await this.stopRequested()
    await this.releaseUnknown()
    await this.arrivals.admitAll((key, arrival) => this.claimArrival(key, arrival))
    if (this.draining || !this.options.claimant.alive) return idleMs
    await this.adopt()
    await this.take()
    const mostMs = this.resumer ? orphansMs : idleMs
    return Math.min(mostMs, Math.max(1, (await untilNextCall(this.options.db)) ?? mostMs))
  }

  /** After a reconnection: re-claims calls that are still running, and stops those that another process swept. */
  private async reclaimAfterReconnect(): Promise<void> {
    const { claimant, db } = this.options
    const { id } = claimant
    if (!claimant.alive || id === this.claimedAs) return
    const kept = await keepCalls(db, id, this.held)
    // What is left under the old id was claimed when the connection broke, and is not known here.
    await releaseUnknownCalls(db, this.claimedAs, [])
    this.claimedAs = id
    for (const [sessionId, call] of this.running) if (!kept.has(sessionId)) this.lose(sessionId, call)
  }

  /** Another process has ended it, or goes on with it. */
  private lose(sessionId: string, call: RunningCall): void {
    this.resumer?.abandon(sessionId)
    call.stop('lost')
  }

  private async stopRequested(): Promise<void> {
    if (this.running.size === 0) return
    for (const sessionId of await callsToStop(this.options.db, this.claimedAs))
      this.running.get(sessionId)?.stop('api')
  }

  private async releaseUnknown(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.lastReleaseMs < idleMs) return
    this.lastReleaseMs = nowMs
    await releaseUnknownCalls(this.options.db, this.claimedAs, this.held)
  }

  private async claimArrival(key: ArrivalKey, arrival: Arrival): Promise<Admission> {
    const { db, limits, claimant } = this.options
    if (this.draining || !claimant.alive || this.room <= 0) return { is: 'full' }
    const claiming = { ...limits, claimantId: this.claimedAs }
    const joining =
      key.by === 'token' ? await joinCall(db, key.token, claiming) : await receiveCall(db, key, claiming)
    if (joining.is !== 'claimed') return joining
    this.launch(joining.call, arrival)
    return { is: 'in', sessionId: joining.call.session_id }
  }

  /** Workspaces share the capacity round robin, until none is left or nothing is due. */
  private async take(): Promise<void> {
    const { db, limits } = this.options
    for (let took = true; took && this.room > 0; ) {
      took = false
      const workspaces = await workspacesWithCallsDue(db, this.lastWorkspace)
      const most = Math.max(1, Math.floor(this.room / workspaces.length))
      for (const workspaceId of workspaces) {
        if (this.room < most || this.draining) return
        const claimed = await claimCalls(db, { ...limits, claimantId: this.claimedAs, workspaceId, most })
        for (const call of claimed) this.launch(call)
        this.lastWorkspace = workspaceId
        took ||= claimed.length > 0
      }
    }
  }

  /** Goes on with calls whose process died. */
  private async adopt(): Promise<void> {
    const { resumer } = this
    if (!resumer || this.room <= 0 || !this.options.claimant.mayJudge) return
    for (const adopted of await this.orphans.adopt(this.claimedAs, this.room)) {
      const { call, carrier, seq, resumed } = adopted
      const sessionId = call.session_id
      try {
        const state = this.options.openState(sessionId, adopted.state)
        const arrival = resumer.resume(carrier, sessionId, state) ?? undefined
        const plan = arrival && planCall(call, this.options.openStored, new Date(), resumed)
        if (plan) this.start(plan, arrival, seq)
        else await this.giveUp(sessionId, arrival)
      } catch (err) {
        this.options.log.error({ err, session_id: sessionId }, 'call could not be resumed')
        await this.giveUp(sessionId)
      }
    }
  }

  private async giveUp(sessionId: string, arrival?: Arrival): Promise<void> {
    arrival?.refuse('The call was lost.')
    this.options.eventWriter.end({ ...(await this.options.endOfLost(sessionId)), sessionId })
  }

  private get held(): string[] {
    return [...this.running.keys(), ...this.options.eventWriter.unsavedEnds]
  }

  private get room(): number {
    return this.options.runner.capacity - this.running.size
  }

  private launch(claimed: ClaimedCall, arrival?: Arrival): void {
    const sessionId = claimed.session_id
    try {
      const plan = planCall(claimed, this.options.openStored, new Date())
      if (plan) this.start(plan, arrival)
      else this.refuse(sessionId, 'The agent of this call no longer exists.', arrival)
    } catch (err) {
      this.options.log.error({ err, session_id: sessionId }, 'call could not be started')
      this.refuse(sessionId, 'The call could not be started.', arrival)
    }
  }

  private refuse(sessionId: string, why: string, arrival: Arrival | undefined): void {
    arrival?.refuse(why)
    this.options.eventWriter.end({ ...failedEnd('dial_failed', why), sessionId })
  }

  private start(plan: CallPlan, arrival: Arrival | undefined, seqFrom = firstSeq): void {
    const { runner, eventWriter } = this.options
    const { sessionId, notes, resumed } = plan
    let seq = seqFrom
    let status = 'initiated'
    for (const note of notes) eventWriter.add(sessionId, seq++, { type: 'note', note })
    const on = (update: CallUpdate) => {
      // For those who watch, a resumed call was never interrupted.
      if (update.type === 'status' && (resumed || update.status === status)) return
      if (update.type === 'status') status = update.status
      eventWriter.add(sessionId, seq++, update)
    }
    const call = runner.run(plan, on, arrival)
    this.running.set(sessionId, call)
    this.heard.set(sessionId, { ...liveSoundOf(plan, call), note: (note) => on({ type: 'note', note }) })
    if (plan.transfers.length > 0)
      this.destinations.set(
        sessionId,
        plan.transfers.map(({ to }) => to),
      )
    void this.follow(plan, call)
  }

  private async follow({ sessionId, resumed }: CallPlan, call: RunningCall): Promise<void> {
    const { eventWriter, log, onRecorded, linkTo } = this.options
    try {
      const outcome = await call.outcome
      // The far end did not want to go on.
      if (resumed && outcome.answeredAfterMs === null) return await this.giveUp(sessionId)
      const recording = outcome.recorded ? linkTo(sessionId) : null
      eventWriter.end({ ...endOf(outcome, recording, new Date()), sessionId })
      if (outcome.recorded) onRecorded(sessionId)
      log.info(wide(sessionId, outcome), 'call ended')
    } catch (err) {
      log.error({ err, session_id: sessionId }, 'call lost')
      eventWriter.end({ ...failedEnd('worker_lost', 'What ran this call broke down.'), sessionId })
    } finally {
      this.running.delete(sessionId)
      this.destinations.delete(sessionId)
      this.heard.get(sessionId)?.end()
      this.heard.delete(sessionId)
      if (this.running.size === 0) this.whenIdle()
      this.loop.wake()
    }
  }

  /** False if some have not ended in time. */
  private allEnded(patienceMs: number): Promise<boolean> {
    if (this.running.size === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs, false)
      this.whenIdle = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}

// A stopped call says no farewell; within this time its recording and its record are written.
const stopMs = 5_000

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
