// Calls that leave this process for another one, and callers who hang up on the way: until the other process has
// spoken to them, they reach this one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { CallResumer } from '../../../ports/call-state.ts'
import type { CallEventWriter } from '../record/call-event-writer.ts'
import { removeCallStates } from '../record/call-state-store.ts'
import { hungUpEnd } from '../record/event-wire.ts'
import type { CallEnd } from '../record/finish-calls.ts'
import { callsNobodyTook, letGoOfCalls, resumableCalls, roomElsewhere } from './handover.ts'
import type { RunningCalls } from './running-calls.ts'

export interface LeavingCallsOptions {
  readonly db: Db
  readonly log: Log
  readonly running: RunningCalls
  readonly eventWriter: CallEventWriter
  /** Reopens a recording that another process is to continue. */
  readonly reopenRecording: (sessionId: string) => Promise<void>
  /** Returns what is stored of a call that no process goes on with. */
  readonly endOfLost: (sessionId: string) => Promise<CallEnd>
}

// The recording and the transcript of a call are stored within this time.
const leaveMs = 5_000
// Processes with room are woken by a notice.
const takenMs = 2_000
const lookMs = 50
// The time from taking a call to the first word to its caller, on a busy machine.
const reachedMs = 1_500

export class LeavingCalls {
  readonly #options: LeavingCallsOptions
  /** Ends of callers who hung up on the way, being stored. */
  readonly #hangUps = new Set<Promise<void>>()

  constructor(options: LeavingCallsOptions) {
    this.#options = options
  }

  /** Lets go of a call that another process has ended or goes on with. */
  async lose(sessionId: string, resumer: CallResumer | undefined): Promise<void> {
    const left = Promise.withResolvers<void>()
    resumer?.abandon(sessionId, () => this.#hungUp(sessionId, left.promise))
    await this.#forget(sessionId)
    left.resolve()
  }

  /** Hands over as many calls as others have room for. Their records have everything that was said so far. */
  async handOver(claimantId: number, resumer: CallResumer): Promise<void> {
    const { db, log, running, eventWriter } = this.#options
    const resumable = await resumableCalls(db, claimantId, running.ids)
    if (resumable.length === 0) return
    const wanted = resumable.slice(0, await roomElsewhere(db, resumable.length))
    const stored = Promise.withResolvers<void>()
    // A call that has just ended by itself is not abandoned: its own end is stored.
    const leaving = wanted.filter((id) => resumer.abandon(id, () => this.#hungUp(id, stored.promise)))
    await within(leaveMs, Promise.all(leaving.map((id) => this.#forget(id))))
    await eventWriter.written().finally(stored.resolve)
    await this.settled()
    await letGoOfCalls(db, claimantId, leaving)
    log.info({ calls: leaving.length }, 'calls handed over')
    const untilMs = performance.now() + takenMs
    while (performance.now() < untilMs && (await callsNobodyTook(db, claimantId)) > 0) await sleep(lookMs)
    if (leaving.length > 0) await sleep(reachedMs)
    await this.settled()
  }

  /** Resolves when every caller who hung up so far has an end. */
  async settled(): Promise<void> {
    await Promise.all(this.#hangUps)
  }

  async #forget(sessionId: string): Promise<void> {
    const { log, running, reopenRecording } = this.#options
    await running.lose(sessionId)
    await reopenRecording(sessionId).catch((err) =>
      log.warn({ err, session_id: sessionId }, 'recording not kept open'),
    )
  }

  #hungUp(sessionId: string, stored: Promise<void>): void {
    const at = new Date()
    const ending = stored
      .then(() => this.#end(sessionId, at))
      .catch((err) => this.#options.log.warn({ err, session_id: sessionId }, 'end of a call not stored'))
      .finally(() => this.#hangUps.delete(ending))
    this.#hangUps.add(ending)
  }

  /** Ends a call that cannot be resumed, whichever process has it by now. */
  async #end(sessionId: string, at: Date): Promise<void> {
    const { db, eventWriter, endOfLost } = this.#options
    eventWriter.end({ ...hungUpEnd(await endOfLost(sessionId), at), sessionId })
    await eventWriter.written()
    await removeCallStates(db, [sessionId])
  }
}

/** Waits for the work, but no longer than this time. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late])
  clearTimeout(timer)
}
