// The trunks of every workspace, for the SIP line: cached until one of them changes, whichever process changed it.
import type { Db, Subscription } from '../../platform/db/db.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { Trunk, Trunks } from '../../ports/trunk.ts'
import { openTrunkCredentials, type TrunkCredentials } from './credentials.ts'
import { type NumberRow, numbersWithTrunks } from './store.ts'

export interface OpenTrunks extends Trunks {
  close(): Promise<void>
}

export async function openTrunks(db: Db, vault: Vault): Promise<OpenTrunks> {
  const listeners = new Set<() => void>()
  let known: Promise<readonly Trunk[]> | undefined
  let hearing = false
  const forget = () => {
    known = undefined
    for (const listener of listeners) listener()
  }
  const notices: Subscription = await db.listen('phone_numbers', {
    notice: forget,
    lost() {
      // While notices cannot be received, nothing is cached.
      hearing = false
      known = undefined
    },
    resumed() {
      hearing = true
      forget()
    },
  })
  const read = async (): Promise<readonly Trunk[]> =>
    (await numbersWithTrunks(db)).flatMap((row) =>
      row.credentials
        ? [trunkOf(row, openTrunkCredentials(vault, row.phone_number_id, row.credentials))]
        : [],
    )

  return {
    all() {
      if (known) return known
      const reading = read()
      if (hearing) {
        known = reading
        // A failure is not cached.
        reading.catch(() => {
          if (known === reading) known = undefined
        })
      }
      return reading
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => notices.close(),
  }
}

export const trunkOf = (row: NumberRow, credentials: TrunkCredentials): Trunk => ({
  id: row.phone_number_id,
  workspaceId: row.workspace_id,
  number: row.phone_number,
  host: credentials.host,
  port: credentials.port,
  transport: credentials.transport,
  credentials:
    credentials.username !== null && credentials.password !== null
      ? { username: credentials.username, password: credentials.password }
      : null,
  register: credentials.register,
  inboundAllow: credentials.inbound_allow,
  codecs: credentials.codecs,
  headers: credentials.headers,
  srtp: credentials.srtp,
  symmetricRtp: credentials.symmetric_rtp,
  fromUser: credentials.from_user,
  identityHeader: credentials.identity_header,
  numberFormat: credentials.number_format,
  maxConcurrency: row.max_concurrency,
  inboundUsers: credentials.inbound_users,
  callerVerification: credentials.caller_verification,
  fullStatus: credentials.full_status,
  unansweredStatus: credentials.unanswered_status,
})
