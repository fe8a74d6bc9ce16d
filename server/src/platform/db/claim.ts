// Which process holds a claimed row, and whether it is still alive.
//
// A process that claims rows of a backlog writes its claimant id into them and holds an advisory lock on that id on a
// connection of its own. When the process dies or loses its connection, PostgreSQL releases the lock immediately, and
// any other claimant may take the rows back. There are no timeouts.
import { randomInt } from 'node:crypto'
import pg from 'pg'
import { type Connection, isConnectionFault, keepAlive, sessionTimeout } from './connection.ts'

export interface Claimant {
  /** Written to `claimed_by`. It changes with every reconnection: rows claimed before are no longer ours. */
  readonly id: number
  /** False while the connection is lost; claim nothing then. */
  readonly alive: boolean
  /** False for a while after a reconnection: the others have lost their connections too, and are not dead. */
  readonly mayJudge: boolean
  close(): Promise<void>
}

// Advisory locks have two keys; this first one marks ours.
const lockClass = 72_705

/** SQL for the ids of all live claimants, for use in other statements. */
export const liveClaimants = `
  SELECT objid::bigint::integer FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const retryMs = 250
// Every process is back within this time after the database has restarted or changed its primary.
const othersReturnMs = 5_000

export async function openClaimant(connection: Connection, onChange: () => void): Promise<Claimant> {
  let client: pg.Client
  let id = 0
  let alive = false
  let lostBefore = false
  let judgesFromMs = Number.NEGATIVE_INFINITY
  let closed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    client = new pg.Client({
      ...connection,
      ...keepAlive,
      ...sessionTimeout,
      application_name: 'parley claimant',
    })
    client.on('error', () => {})
    client.on('end', () => {
      alive = false
      lostBefore = true
      if (!closed) retryLater()
    })
    await client.connect()
    // A lock that is taken means the number is in use, so another is drawn.
    do id = randomInt(1, 2 ** 31)
    while (!(await lock(client, id)))
    alive = true
    if (lostBefore) judgesFromMs = performance.now() + othersReturnMs
    onChange()
  }
  const retryLater = () => {
    clearTimeout(retry)
    retry = setTimeout(() => connect().catch(() => !closed && retryLater()), retryMs).unref()
  }

  await connect().catch((error) => {
    if (!isConnectionFault(error)) throw error
    // The database became unavailable during startup: nothing is claimed until it is back.
    retryLater()
  })
  return {
    get id() {
      return id
    },
    get alive() {
      return alive
    },
    get mayJudge() {
      return alive && performance.now() >= judgesFromMs
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}

async function lock(client: pg.Client, id: number): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1, $2) AS locked', [lockClass, id])
  return rows[0].locked
}

// One claimant for all workers of a process: each claims rows of its own tables, so they can share an id and the
// connection that keeps it alive.

/** `onChange` is called after every reconnection. The connection is closed with the last claimant handed out. */
export type OpenSharedClaimant = (onChange: () => void) => Promise<Claimant>

export function shareClaimant(connection: Connection): OpenSharedClaimant {
  const listeners = new Set<() => void>()
  let shared: Promise<Claimant> | undefined

  return async (onChange) => {
    // The function is wrapped, so that one given twice counts twice.
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
