// The calls that this process runs: where their agents may transfer to, whom they may call, their sound for those who listen in, and
// which of them another process has by now.
import type { CallUpdate } from '../../../ports/call.ts'
import type { CallPlan } from '../../../ports/call-plan.ts'
import { type LiveSound, liveSoundOf } from '../listening/live-sound.ts'
import type { RefuseDestination } from '../plan/read-transfers.ts'
import type { RunningCall, StopReason } from './runner.ts'

interface CallOfRunner {
  readonly call: RunningCall
  readonly transferTargets: readonly string[]
  readonly mayDial: (to: string) => boolean
  readonly sound: LiveSound
  /** True when another process has ended the call or goes on with it: how it ends here does not count. */
  isLost: boolean
}

export class RunningCalls {
  readonly #held = new Map<string, CallOfRunner>()
  /** Called when the last call has ended. */
  #whenIdle = () => {}

  get size(): number {
    return this.#held.size
  }

  get ids(): string[] {
    return [...this.#held.keys()]
  }

  add(plan: CallPlan, call: RunningCall, refuse: RefuseDestination, on: (update: CallUpdate) => void): void {
    this.#held.set(plan.sessionId, {
      call,
      mayDial: (to) => refuse(to) === null,
      transferTargets: plan.transfers.map(({ to }) => to),
      sound: { ...liveSoundOf(plan, call), note: (note) => on({ type: 'note', note }) },
      isLost: false,
    })
  }

  transferTargets(sessionId: string): readonly string[] {
    return this.#held.get(sessionId)?.transferTargets ?? []
  }

  mayDial(sessionId: string, to: string): boolean {
    return this.#held.get(sessionId)?.mayDial(to) === true
  }

  soundOf(sessionId: string): LiveSound | undefined {
    return this.#held.get(sessionId)?.sound
  }

  stop(sessionId: string, why: Exclude<StopReason, 'lost'>): void {
    this.#held.get(sessionId)?.call.stop(why)
  }

  /** Resolves when it has ended here. */
  async lose(sessionId: string): Promise<void> {
    const held = this.#held.get(sessionId)
    if (!held) return
    held.isLost = true
    held.call.stop('lost')
    await held.call.outcome.catch(() => {})
  }

  isLost(sessionId: string): boolean {
    return this.#held.get(sessionId)?.isLost === true
  }

  remove(sessionId: string): void {
    this.#held.get(sessionId)?.sound.end()
    this.#held.delete(sessionId)
    if (this.#held.size === 0) this.#whenIdle()
  }

  /** False if some have not ended in time. */
  allEnded(patienceMs: number): Promise<boolean> {
    if (this.#held.size === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs, false)
      this.#whenIdle = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}
