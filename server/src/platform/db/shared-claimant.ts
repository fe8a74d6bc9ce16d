// One claimant for all workers of a process: each claims rows of its own tables, so they can share an id and the
// connection that keeps it alive.
import { type Claimant, openClaimant } from './claim.ts'
import type { Connection } from './connection.ts'

/** `onChange` is called after every reconnection. The connection is closed with the last claimant handed out. */
export type OpenSharedClaimant = (onChange: () => void) => Promise<Claimant>

export function shareClaimant(connection: Connection): OpenSharedClaimant {
  const listeners = new Set<() => void>()
  let shared: Promise<Claimant> | undefined

  return async (onChange) => {
    // Wrapped, so that the same function given twice counts twice.
    const listener = () => onChange()
    listeners.add(listener)
    shared ??= openClaimant(connection, () => {
      for (const changed of listeners) changed()
    })
    const opened = shared
    try {
      const claimant = await opened
      return {
        get id() {
          return claimant.id
        },
        get alive() {
          return claimant.alive
        },
        get mayJudge() {
          return claimant.mayJudge
        },
        async close() {
          if (!listeners.delete(listener) || listeners.size > 0) return
          shared = undefined
          await claimant.close()
        },
      }
    } catch (error) {
      listeners.delete(listener)
      if (shared === opened) shared = undefined
      throw error
    }
  }
}
