// A call that survives its process: what is kept of it while it lasts, and how another process goes on with it.
import type { Arrival } from './arrival.ts'

/** Keeps the latest state of a call, opaque to everything but its carrier; null: the call is over. Never throws. */
export type KeepCallState = (sessionId: string, state: string | null) => void

export interface CallResumer {
  /** An arrival that goes on with the call; null: this process cannot. */
  resume(carrier: string, sessionId: string, state: string): Arrival | null
  /**
   * Another process goes on with the call: it is forgotten here, and the far end hears nothing of it. `onHungUp`: the far end
   * has hung up here all the same, not knowing of the other. False: there is nothing here that could be gone on with.
   */
  abandon(sessionId: string, onHungUp: () => void): boolean
}
