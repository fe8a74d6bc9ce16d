// Who holds a claimed row, and whether they are still alive.
//
// A process that takes rows out of a backlog writes its claimant id into them and holds an advisory lock of that id on
// a connection of its own. When the process dies, or loses its connection, PostgreSQL lets go of the lock at once, and
// any other claimant may take the rows back. Nothing has to time out.
import { randomInt } from 'node:crypto'
import pg from 'pg'
import { type Connection, isConnectionFault } from './connection.ts'

export interface Claimant {
  /** Goes into `claimed_by`. Another one after every reconnection: what was claimed before is no longer ours. */
  readonly id: number
  /** False while the connection is lost; claim nothing then. */
  readonly alive: boolean
  close(): Promise<void>
}

// Advisory locks have two numbers: whose they are, and which. This is ours.
const lockClass = 72_705

/** The ids of every claimant that is alive, for use inside other statements. */
export const liveClaimants = `
  SELECT objid::bigint::integer FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const retryMs = 250
// A half-open connection is noticed after about 15 s; whatever it claimed is then taken back by others.
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 }

export async function openClaimant(connection: Connection, onChange: () => void): Promise<Claimant> {
  let client: pg.Client
  let id = 0
  let alive = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    client = new pg.Client({ ...connection, ...keepAlive, application_name: 'parley claimant' })
    client.on('error', () => {})
    client.on('end', () => {
      alive = false
      if (!closed) retryLater()
    })
    await client.connect()
    // Nobody else can have the number while we hold it; a clash makes us draw again.
    do id = randomInt(1, 2 ** 31)
    while (!(await lock(client, id)))
    alive = true
    onChange()
  }
  const retryLater = () => {
    clearTimeout(retry)
    retry = setTimeout(() => connect().catch(() => !closed && retryLater()), retryMs).unref()
  }

  await connect().catch((error) => {
    if (!isConnectionFault(error)) throw error
    // The database went away in the middle of our start: we claim nothing until it is back.
    retryLater()
  })
  return {
    get id() {
      return id
    },
    get alive() {
      return alive
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
