// Claims calls that are due or arriving, while there is capacity, and runs them. No call is run twice: a claimed call
// belongs to this process until it ends, or until another one goes on with it.
import type { Claimant } from '../../../platform/db/claim.ts'
import type { Db } from '../../../platform/db/db.ts'
import { type Loop, startLoop } from '../../../platform/loop.ts'
import type { Admission, Admit, Arrival, ArrivalKey } from '../../../ports/arrival.ts'
import type { CallResumer } from '../../../ports/call-state.ts'
import type { LiveSound } from '../listening/live-sound.ts'
import { failedEnd } from '../record/event-wire.ts'
import {
  callsToStop,
  claimCalls,
  keepCalls,
  type Limits,
  releaseUnknownCalls,
  untilNextCall,
  workspacesWithCallsDue,
} from './backlog.ts'
import { CallLauncher, type CallLauncherOptions } from './call-launcher.ts'
import { joinCall } from './join-call.ts'
import { LeavingCalls } from './leaving-calls.ts'
import { OrphanedCalls } from './orphaned-calls.ts'
import { receiveCall } from './receive-call.ts'
import { RunningCalls } from './running-calls.ts'
import { WaitingRoom } from './waiting-room.ts'

export interface DispatcherOptions extends Omit<CallLauncherOptions, 'running' | 'onEnd'> {
  readonly db: Db
  readonly claimant: Claimant
  readonly limits: Limits
  /** Reopens a recording that another process is to continue. */
  readonly reopenRecording: (sessionId: string) => Promise<void>
}

// Poll interval while nothing is known to be due, in case a notification was missed.
const idleMs = 1_000
// How often a process whose engines are being loaded looks whether they are.
const warmingMs = 100
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
  /** How many more calls the process should be given now. */
  readonly free: number
  /** False: its engines are being loaded. It claims no calls; one that arrives is taken, and rings meanwhile. */
  readonly isWarm: boolean
  readonly isDraining: boolean
  /** False: the machine is overloaded, and new calls are left to others or wait. */
  readonly keepsTime: boolean
  /** False: the database knows nothing of this process at the moment, and it takes no calls. */
  readonly isConnected: boolean
}

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #running = new RunningCalls()
  readonly #arrivals = new WaitingRoom()
  #draining = false
  #claimedAs: number
  /** Our calls may be under any of these: an answer that was lost does not say whether they were claimed again. */
  #formerIds: readonly number[]
  #lastReleaseMs = Number.NEGATIVE_INFINITY
  #lastWorkspace = '00000000-0000-0000-0000-000000000000'
  readonly #loop: Loop
  readonly #orphans: OrphanedCalls
  readonly #leaving: LeavingCalls
  readonly #launcher: CallLauncher
  #takesOrphans = true
  /** Set when the carriers are open: goes on with calls of other processes. */
  resumer: CallResumer | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#orphans = new OrphanedCalls(options.db, options.claimant)
    this.#leaving = new LeavingCalls({ ...options, running: this.#running })
    this.#launcher = new CallLauncher({ ...options, running: this.#running, onEnd: this.wake })
    this.#claimedAs = options.claimant.id
    this.#formerIds = [this.#claimedAs]
    this.#loop = startLoop(
      () => this.#step(),
      (err) => {
        options.log.warn({ err }, 'calls wait for the database')
        return brokenMs
      },
    )
  }

  /** Call it when there may be a call to claim or to stop. */
  wake = (): void => this.#loop.wake()

  /** From now on calls of other processes are left to others; its own go on. */
  leaveOrphans(): void {
    this.#takesOrphans = false
  }

  /** Claims between two rounds of the loop: `releaseUnknown` would undo a claim in progress. */
  admit: Admit = (key, arrival) => {
    if (this.#draining) return Promise.resolve({ is: 'draining' })
    this.#loop.wake()
    return this.#arrivals.enter(key, arrival)
  }

  /** Where the agent of a running call may transfer to. */
  transferTargets = (sessionId: string): readonly string[] => this.#running.transferTargets(sessionId)

  /** Whether the workspace of a running call may call this number or address. */
  mayDial = (sessionId: string, to: string): boolean => this.#running.mayDial(sessionId, to)

  /** For somebody who listens in; undefined: the call does not run here. */
  live = (sessionId: string): LiveSound | undefined => this.#running.soundOf(sessionId)

  get load(): CallLoad {
    const { runner } = this.#options
    const isWarm = this.#isWarm
    return {
      calls: this.#running.size,
      capacity: runner.capacity,
      free: isWarm ? this.#room : 0,
      isWarm,
      isDraining: this.#draining,
      keepsTime: this.#keepsTime,
      isConnected: this.#options.claimant.alive,
    }
  }

  /**
   * Nothing is claimed or admitted any more. Running calls have `patienceMs` to end by themselves. Then other
   * processes go on with those that can be gone on with, and the rest are stopped.
   */
  async drain(patienceMs: number): Promise<void> {
    this.#draining = true
    const isIdle = await this.#running.allEnded(patienceMs)
    // The loop is stopped first: it would take calls that are being handed over for unknown ones.
    await this.#loop.stop()
    if (isIdle) return
    if (this.resumer)
      await this.#leaving
        .handOver(this.#claimedAs, this.resumer)
        .catch((err) => this.#options.log.warn({ err }, 'calls could not be handed over'))
    for (const sessionId of this.#running.ids) this.#running.stop(sessionId, 'draining')
    await this.#running.allEnded(stopMs)
    for (const sessionId of this.#running.ids) {
      this.#options.log.error({ session_id: sessionId }, 'call did not end after being stopped')
      this.#options.eventWriter.end({
        ...failedEnd('worker_lost', 'The process that ran this call was stopped.'),
        sessionId,
      })
    }
    await this.#leaving.settled()
  }

  async #step(): Promise<number> {
    await this.#reclaimAfterReconnect()
    await this.#stopRequested()
    await this.#releaseUnknown()
    await this.#arrivals.admitAll((key, arrival) => this.#claimArrival(key, arrival))
    if (this.#draining || !this.#options.claimant.alive) return idleMs
    await this.#adopt()
    // Calls that are due are left to a process that can dial them at once.
    if (!this.#isWarm) return warmingMs
    await this.#take()
    const mostMs = this.resumer ? orphansMs : idleMs
    return Math.min(mostMs, Math.max(1, (await untilNextCall(this.#options.db)) ?? mostMs))
  }

  /** After a reconnection: re-claims calls that are still running, and stops those that another process swept. */
  async #reclaimAfterReconnect(): Promise<void> {
    const { claimant, db } = this.#options
    const { id } = claimant
    if (!claimant.alive || id === this.#claimedAs) return
    const formerIds = this.#formerIds
    this.#formerIds = [...new Set([...formerIds, id])]
    const kept = await keepCalls(db, id, { sessionIds: this.#held, formerIds: this.#formerIds })
    // What is left under the old ids was claimed when the connection broke, and is not known here.
    for (const former of formerIds) if (former !== id) await releaseUnknownCalls(db, former, [])
    this.#claimedAs = id
    this.#formerIds = [id]
    for (const sessionId of this.#running.ids)
      if (!kept.has(sessionId)) void this.#leaving.lose(sessionId, this.resumer)
  }

  async #stopRequested(): Promise<void> {
    if (this.#running.size === 0) return
    for (const sessionId of await callsToStop(this.#options.db, this.#claimedAs))
      this.#running.stop(sessionId, 'api')
  }

  async #releaseUnknown(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.#lastReleaseMs < idleMs) return
    this.#lastReleaseMs = nowMs
    await releaseUnknownCalls(this.#options.db, this.#claimedAs, this.#held)
  }

  async #claimArrival(key: ArrivalKey, arrival: Arrival): Promise<Admission> {
    const { db, limits, claimant } = this.#options
    if (this.#draining) return { is: 'draining' }
    if (!this.#keepsTime) return { is: 'overloaded' }
    if (!claimant.alive || this.#room <= 0) return { is: 'full' }
    const claiming = { ...limits, claimantId: this.#claimedAs }
    const joining =
      key.by === 'token' ? await joinCall(db, key.token, claiming) : await receiveCall(db, key, claiming)
    if (joining.is !== 'claimed') return joining
    this.#launcher.launch(joining.call, arrival)
    return { is: 'in', sessionId: joining.call.session_id }
  }

  /** Workspaces share the capacity round robin, until none is left or nothing is due. */
  async #take(): Promise<void> {
    const { db, limits } = this.#options
    for (let took = true; took && this.#room > 0; ) {
      took = false
      const workspaces = await workspacesWithCallsDue(db, this.#lastWorkspace)
      const most = Math.max(1, Math.floor(this.#room / workspaces.length))
      for (const workspaceId of workspaces) {
        if (this.#room < most || this.#draining) return
        const claimed = await claimCalls(db, { ...limits, claimantId: this.#claimedAs, workspaceId, most })
        for (const call of claimed) this.#launcher.launch(call)
        this.#lastWorkspace = workspaceId
        took ||= claimed.length > 0
      }
    }
  }

  /** Goes on with calls whose process died. */
  async #adopt(): Promise<void> {
    const { resumer } = this
    if (!resumer || this.roomForOrphans <= 0) return
    for (const adopted of await this.#orphans.adopt(this.#claimedAs, this.roomForOrphans))
      await this.#launcher.resume(adopted, resumer)
  }

  get #isWarm(): boolean {
    return this.#options.runner.isWarm?.() ?? true
  }

  get #held(): string[] {
    return [...this.#running.ids, ...this.#options.eventWriter.unsavedEnds]
  }

  get #keepsTime(): boolean {
    return this.#options.runner.keepsTime?.() ?? true
  }

  /** For new calls. */
  get #room(): number {
    return this.#keepsTime ? this.#unused : 0
  }

  get #unused(): number {
    const { runner, claimant } = this.#options
    return this.#draining || !claimant.alive ? 0 : Math.max(0, runner.capacity - this.#running.size)
  }

  /** For calls of other processes: one that sounds badly for a while is better than one that is lost. */
  get roomForOrphans(): number {
    return this.#takesOrphans ? this.#unused : 0
  }
}
