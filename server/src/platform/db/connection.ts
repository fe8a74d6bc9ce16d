// Connections to the server: what leads to it, how many there may be, and which errors mean that one is lost.
import pg from 'pg'

export type Connection = pg.ClientConfig

// LISTEN and the claimant's advisory lock each need a session that nothing else shares.
const ownSessions = 2
// One transaction may ask for a second connection while it holds its own.
const fewestPooled = 2
// Each upload holds a connection for as long as its sender takes; more at once would only make every one slower.
const mostUploads = 8

export const fewestConnections = ownSessions + fewestPooled + 1

export interface ConnectionShares {
  /** Shared by all requests and jobs. */
  readonly pool: number
  /** Transactions that last as long as somebody sends. */
  readonly uploads: number
}

/** How the connections of a process are shared out, so that there are never more than `total`. */
export function shareConnections(total: number): ConnectionShares {
  const uploads = Math.max(1, Math.min(mostUploads, Math.floor(total / 5)))
  return { uploads, pool: total - ownSessions - uploads }
}

/**
 * An answer of the server carries an SQLSTATE; any other error of a query means that the connection is gone. So does
 * a server that is shutting down (57P) or that speaks of the connection itself (08). Only for errors that come from
 * `pg`: an error of ours says nothing about the connection.
 */
export const isConnectionFault = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(57P|08)/.test(error.code ?? '')
