// The state of a call that survives its process: kept while the call lasts, so that another process can continue it.
import type { Arrival } from './arrival.ts'

/** Keeps the latest state of a call, opaque to everything but its carrier; null: the call is over. Never throws. */
export type KeepCallState = (sessionId: string, state: string | null) => void

export interface CallResumer {
  /** Returns an arrival that continues the call; null: this process cannot. */
  resume(carrier: string, sessionId: string, state: string): Arrival | null
  /**
   * Forgets the call here, because another process continues it; the far end hears nothing of that. `onHungUp` reports
   * that the far end has hung up here all the same, not knowing of the other process. False: there is nothing here
   * that could be continued.
   */
  abandon(sessionId: string, onHungUp: () => void): boolean
}
