// Connections to the database server: the address, how many there may be, and which errors mean that one is lost.
import pg from 'pg'

export type Connection = pg.ClientConfig

// LISTEN and the claimant's advisory lock each need a session of their own.
const ownSessions = 2
// A transaction may need a second connection while it holds its own.
const fewestPooled = 2
// Each upload holds a connection for as long as its client sends; more at once would only slow down all of them.
const mostUploads = 8

export const fewestConnections = ownSessions + fewestPooled + 1

export interface ConnectionShares {
  /** Connections that all requests and jobs share. */
  readonly pool: number
  /** Connections of transactions that last as long as a client sends. */
  readonly uploads: number
}

/** Divides the connections of a process, so that there are never more than `total`. */
export function shareConnections(total: number): ConnectionShares {
  const uploads = Math.max(1, Math.min(mostUploads, Math.floor(total / 5)))
  return { uploads, pool: total - ownSessions - uploads }
}

// Options of connections that mostly wait: one that is half open is detected after about 15 s instead of hours.
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 }
// A machine that is cut off answers nothing at all; by then another one is usually in its place.
export const sessionTimeout = { connectionTimeoutMillis: 3_000 }

/** A session that ends with its scope. */
export type Session = pg.Client & AsyncDisposable

/** Opens a session. If its connection is lost, the running query fails; an unhandled event would end the process. */
export async function openSession(options: pg.ClientConfig): Promise<Session> {
  const client = new pg.Client(options)
  client.on('error', () => {})
  const close = () => client.end().catch(() => {})
  await client.connect().catch(async (error) => {
    await close()
    throw error
  })
  return Object.assign(client, { [Symbol.asyncDispose]: close })
}

/**
 * An error from the server has an SQLSTATE; any other error of a query means that the connection is lost. So does a
 * server that is shutting down (57P), that reports a connection error itself (08), or that is no longer the primary
 * (25006). Only for errors from `pg`: our own say nothing about the connection.
 */
export const isConnectionFault = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(57P|08|25006)/.test(error.code ?? '')

/** The server refused the statement before it did anything: it is starting, or it is no longer the primary. */
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '57P03' || error.code === '25006')

/** The database is out of reach, or went away during a statement: then nobody knows whether it was executed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database is unavailable: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** What a caller of the database is told of an error from `pg`. */
export const told = (error: unknown): unknown =>
  isConnectionFault(error) ? new DatabaseUnavailable(error) : error
