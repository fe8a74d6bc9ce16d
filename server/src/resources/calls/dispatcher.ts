// Claims calls that are due or arriving, while there is capacity, and runs them. No call is run twice: a claimed call
// belongs to this process until it ends, or until another one goes on with it.
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
import { endOf, failedEnd, hungUpEnd } from './event-wire.ts'
import type { CallEnd } from './finish-calls.ts'
import { joinCall } from './join-call.ts'
import { LeavingCalls } from './leaving-calls.ts'
import type { LiveSound } from './live-sound.ts'
import { OrphanedCalls } from './orphaned-calls.ts'
import { type OpenStored, planCall } from './plan-call.ts'
import { receiveCall } from './receive-call.ts'
import type { CallRunner, RunningCall } from './runner.ts'
import { RunningCalls } from './running-calls.ts'
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
  /** A recording is to be continued by another process. */
  readonly reopenRecording: (sessionId: string) => Promise<void>
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
// A stopped call says no farewell; within this time its recording and its record are written.
const stopMs = 5_000

/** How busy this process is. */
export interface CallLoad {
  readonly calls: number
  readonly capacity: number
  /** How many more it should be given now. */
  readonly free: number
  /** False: its engines are being loaded. What comes nevertheless is taken, and waits for them. */
  readonly isWarm: boolean
  readonly isDraining: boolean
  /** False: the database knows nothing of this process at the moment, and it takes no calls. */
  readonly isConnected: boolean
}

export class Dispatcher {
  private readonly options: DispatcherOptions
  private readonly running = new RunningCalls()
  private readonly arrivals = new WaitingRoom()
  private draining = false
  private claimedAs: number
  private lastReleaseMs = Number.NEGATIVE_INFINITY
  private lastWorkspace = '00000000-0000-0000-0000-000000000000'
  private readonly loop: Loop
  private readonly orphans: OrphanedCalls
  private readonly leaving: LeavingCalls
  private takesOrphans = true
  /** Set when the carriers are open: goes on with calls of other processes. */
  resumer: CallResumer | undefined

  constructor(options: DispatcherOptions) {
    this.options = options
    this.orphans = new OrphanedCalls(options.db)
    this.leaving = new LeavingCalls({ ...options, running: this.running })
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

  /** From now on calls of other processes are left to others; its own go on. */
  leaveOrphans(): void {
    this.takesOrphans = false
  }

  /** Claims between two rounds of the loop: `releaseUnknown` would undo a claim in progress. */
  admit: Admit = (key, arrival) => {
    if (this.draining) return Promise.resolve({ is: 'draining' })
    this.loop.wake()
    return this.arrivals.enter(key, arrival)
  }

  /** Where the agent of a running call may transfer to. */
  transferTargets = (sessionId: string): readonly string[] => this.running.transferTargets(sessionId)

  /** For somebody who listens in; undefined: the call does not run here. */
  live = (sessionId: string): LiveSound | undefined => this.running.soundOf(sessionId)

  get load(): CallLoad {
    const { runner } = this.options
    const isWarm = runner.isWarm?.() ?? true
    return {
      calls: this.running.size,
      capacity: runner.capacity,
      free: isWarm ? this.room : 0,
      isWarm,
      isDraining: this.draining,
      isConnected: this.options.claimant.alive,
    }
  }

  /**
   * Nothing is claimed or admitted any more. Running calls have `patienceMs` to end by themselves. Then other processes go on with those that can be gone on with,
   * and the rest are stopped.
   */
  async drain(patienceMs: number): Promise<void> {
    this.draining = true
    const isIdle = await this.running.allEnded(patienceMs)
    // It would take calls that are being handed over for unknown ones.
    await this.loop.stop()
    if (isIdle) return
    if (this.resumer)
      await this.leaving
        .handOver(this.claimedAs, this.resumer)
        .catch((err) => this.options.log.warn({ err }, 'calls could not be handed over'))
    for (const sessionId of this.running.ids) this.running.stop(sessionId, 'draining')
    await this.running.allEnded(stopMs)
    for (const sessionId of this.running.ids) {
      this.options.log.error({ session_id: sessionId }, 'call did not end after being stopped')
      this.options.eventWriter.end({
        ...failedEnd('worker_lost', 'The process that ran this call was stopped.'),
        sessionId,
      })
    }
    await this.leaving.settled()
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
    for (const sessionId of this.running.ids)
      if (!kept.has(sessionId)) void this.leaving.lose(sessionId, this.resumer)
  }

  private async stopRequested(): Promise<void> {
    if (this.running.size === 0) return
    for (const sessionId of await callsToStop(this.options.db, this.claimedAs))
      this.running.stop(sessionId, 'api')
  }

  private async releaseUnknown(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.lastReleaseMs < idleMs) return
    this.lastReleaseMs = nowMs
    await releaseUnknownCalls(this.options.db, this.claimedAs, this.held)
  }

  private async claimArrival(key: ArrivalKey, arrival: Arrival): Promise<Admission> {
    const { db, limits, claimant } = this.options
    if (this.draining) return { is: 'draining' }
    if (!claimant.alive || this.room <= 0) return { is: 'full' }
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
    if (!resumer || this.roomForOrphans <= 0 || !this.options.claimant.mayJudge) return
    for (const adopted of await this.orphans.adopt(this.claimedAs, this.roomForOrphans)) {
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

  /** The far end did not want to go on, or had hung up on the process before. */
  private async endUnresumed(sessionId: string, { hangupReason }: CallOutcome): Promise<void> {
    if (hangupReason !== 'user_hangup') return this.giveUp(sessionId)
    this.options.eventWriter.end({ ...hungUpEnd(await this.options.endOfLost(sessionId)), sessionId })
  }

  private get held(): string[] {
    return [...this.running.ids, ...this.options.eventWriter.unsavedEnds]
  }

  private get room(): number {
    const { runner, claimant } = this.options
    return this.draining || !claimant.alive ? 0 : Math.max(0, runner.capacity - this.running.size)
  }

  /** For calls of other processes. */
  get roomForOrphans(): number {
    return this.takesOrphans ? this.room : 0
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
    this.running.add(plan, call, on)
    void this.follow(plan, call)
  }

  private async follow({ sessionId, resumed }: CallPlan, call: RunningCall): Promise<void> {
    const { eventWriter, log, onRecorded, linkTo } = this.options
    try {
      const outcome = await call.outcome
      if (this.running.isLost(sessionId)) return
      if (resumed && outcome.answeredAfterMs === null) return await this.endUnresumed(sessionId, outcome)
      const recording = outcome.recorded ? linkTo(sessionId) : null
      eventWriter.end({ ...endOf(outcome, recording, new Date()), sessionId })
      if (outcome.recorded) onRecorded(sessionId)
      log.info(wide(sessionId, outcome), 'call ended')
    } catch (err) {
      if (this.running.isLost(sessionId)) return
      log.error({ err, session_id: sessionId }, 'call lost')
      eventWriter.end({ ...failedEnd('worker_lost', 'What ran this call broke down.'), sessionId })
    } finally {
      this.running.remove(sessionId)
      this.loop.wake()
    }
  }
}

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
