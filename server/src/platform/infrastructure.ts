// What all parts of a process depend on: its settings, its log, its database, its secret and the guard of its requests.
import type { Config } from './config.ts'
import type { OpenSharedClaimant } from './db/claim.ts'
import type { Connection, Db } from './db/db.ts'
import type { Guard } from './guard/guard.ts'
import type { Log } from './log.ts'
import type { Vault } from './secrets.ts'
import type { Traces } from './telemetry/traces.ts'

export interface Infrastructure {
  readonly config: Config
  readonly log: Log
  /** The server itself, for what needs a session of its own. */
  readonly sessions: Connection
  readonly db: Db
  readonly vault: Vault
  /** Checks every URL given by a user. */
  readonly guard: Guard
  /** Undefined: there is no collector. */
  readonly traces: Traces | undefined
  /** For workers: a claimant id whose holder is known to be alive. */
  readonly openClaimant: OpenSharedClaimant
  close(): Promise<void>
}
