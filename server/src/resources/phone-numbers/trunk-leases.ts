// Which process keeps which registration, in the database: a row belongs to the claimant in it while that one lives.
import { type Claimant, liveClaimants } from '../../platform/db/claim.ts'
import { type Db, type Queries, statement } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { LeasedRegistration, TrunkLeases } from '../../ports/trunk.ts'

const select = statement(`
  SELECT phone_number_id, claimed_by, claimed_by IN (${liveClaimants}) AS is_held, state, reason, contact, routes
  FROM trunk_registrations WHERE phone_number_id = ANY($1::uuid[])`)

// Rows are locked in one order, so that two processes do not wait for each other.
const claim = statement(`
  INSERT INTO trunk_registrations (phone_number_id, claimed_by, state)
  SELECT phone_number_id, $1, 'registering' FROM phone_numbers WHERE phone_number_id = ANY($2::uuid[])
  ORDER BY phone_number_id
  ON CONFLICT (phone_number_id) DO UPDATE SET claimed_by = $1, changed_at = now()
  WHERE trunk_registrations.claimed_by NOT IN (${liveClaimants})`)

// The Contact of the process before is kept until there is another one.
const report = statement(`
  INSERT INTO trunk_registrations (phone_number_id, claimed_by, state, reason, contact, routes)
  SELECT phone_number_id, $1, $3, $4, $5, $6 FROM phone_numbers WHERE phone_number_id = ANY($2::uuid[])
  ORDER BY phone_number_id
  ON CONFLICT (phone_number_id) DO UPDATE SET claimed_by = $1, state = $3, reason = $4, routes = $6,
    contact = coalesce($5, trunk_registrations.contact),
    changed_at = CASE WHEN trunk_registrations.state = $3 THEN trunk_registrations.changed_at ELSE now() END
  WHERE trunk_registrations.claimed_by = $1 OR trunk_registrations.claimed_by NOT IN (${liveClaimants})`)

const release = statement(
  'DELETE FROM trunk_registrations WHERE claimed_by = $1 AND phone_number_id = ANY($2::uuid[])',
)

const ofNumbers = statement(`
  SELECT phone_number_id, claimed_by IN (${liveClaimants}) AS is_held, state, reason, changed_at
  FROM trunk_registrations WHERE phone_number_id = ANY($1::uuid[])`)

interface Row {
  phone_number_id: string
  claimed_by: number
  is_held: boolean
  state: LeasedRegistration['state']
  reason: string | null
  contact: string | null
  routes: string[]
}

export function openTrunkLeases(db: Db, claimant: Claimant, log: Pick<Log, 'warn'>): TrunkLeases {
  const warn = (err: unknown) => log.warn({ err }, 'the state of a registration could not be stored')
  const underWay = new Map<string, Promise<unknown>>()
  /** One write after the other: over two connections the state before could be stored last, and would stay. */
  const inTurn = (numberIds: readonly string[], write: () => Promise<unknown>): void => {
    const key = numberIds.join()
    const written = (underWay.get(key) ?? Promise.resolve())
      .then(write)
      .catch(warn)
      .finally(() => underWay.get(key) === written && underWay.delete(key))
    underWay.set(key, written)
  }
  return {
    async claim(numberIds) {
      const ids = [...numberIds].sort()
      let rows = await db.rows<Row>(select, [ids])
      const held = new Set(rows.filter(({ is_held }) => is_held).map((row) => row.phone_number_id))
      if (claimant.alive && ids.some((id) => !held.has(id))) {
        await db.rows(claim, [claimant.id, ids])
        rows = await db.rows<Row>(select, [ids])
      }
      return rows.map(({ phone_number_id, claimed_by, state, reason, contact, routes }) => ({
        numberId: phone_number_id,
        isOurs: claimed_by === claimant.id,
        state,
        reason,
        contact,
        routes,
      }))
    },
    report(numberIds, { state, reason, contact, routes }) {
      inTurn(numberIds, () => db.rows(report, [claimant.id, numberIds, state, reason, contact, routes]))
    },
    async release(numberIds) {
      await Promise.all(underWay.values())
      if (numberIds.length > 0) await db.rows(release, [claimant.id, numberIds]).catch(warn)
    },
  }
}

export interface RegistrationRow {
  readonly phone_number_id: string
  /** False: the process that kept it is gone, and no other has taken it yet. */
  readonly is_held: boolean
  readonly state: LeasedRegistration['state']
  readonly reason: string | null
  readonly changed_at: Date
}

/** The registrations of these numbers that somebody keeps or kept, by number. */
export async function registrationsOf(
  db: Queries,
  numberIds: readonly string[],
): Promise<ReadonlyMap<string, RegistrationRow>> {
  const rows = await db.rows<RegistrationRow>(ofNumbers, [numberIds])
  return new Map(rows.map((row) => [row.phone_number_id, row]))
}
