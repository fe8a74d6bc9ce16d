// Which of the known secrets seals: all processes of an installation agree on it by rows of its database, and change
// over while they run when `parley secret rotate` says so.
import type { Db, Queries, Subscription } from './db/db.ts'
import { statement } from './db/db.ts'
import type { SealingForm, Vault } from './secrets.ts'

const current = 'secret fingerprint'
const previous = 'previous secret fingerprint'
const keyForm = 'key form'
const perWorkspace = Buffer.from('one for each workspace')

// The channel on which a switch of secrets is announced to all processes.
const channel = 'secret_rotated'

// A new database has a key for each workspace from its first start. One of release 0.1 is changed over by the first
// rotation: until then processes of that release may run beside ours, and read what we write.
const claim = statement(`
  WITH made AS (
    INSERT INTO installation (name, value) VALUES ('${current}', $1) ON CONFLICT DO NOTHING RETURNING name
  )
  INSERT INTO installation (name, value) SELECT '${keyForm}', $2 FROM made ON CONFLICT DO NOTHING`)

const select = statement(`
  SELECT name, value FROM installation WHERE name IN ('${current}', '${previous}', '${keyForm}')`)

const put = statement(`
  INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`)
const remove = statement('DELETE FROM installation WHERE name = $1')
const tell = statement(`SELECT pg_notify('${channel}', '')`)
// One rotation begins at a time.
const lock = statement('SELECT pg_advisory_xact_lock(7270539003)')

export interface SealingState extends SealingForm {
  /** The fingerprint of the old secret, while a rotation is under way. */
  readonly previous: Buffer | undefined
}

/** Undefined: the database is new. */
export async function readSealing(db: Queries): Promise<SealingState | undefined> {
  const rows = await db.rows<{ name: string; value: Buffer }>(select)
  const value = (name: string) => rows.find((row) => row.name === name)?.value
  const fingerprint = value(current)
  return (
    fingerprint && {
      fingerprint,
      previous: value(previous),
      perWorkspace: value(keyForm)?.equals(perWorkspace) ?? false,
    }
  )
}

/** A new database takes the vault's first secret. */
export async function claimSealing(db: Queries, vault: Vault): Promise<SealingState> {
  const known = await readSealing(db)
  if (known) return known
  await db.rows(claim, [vault.fingerprint, perWorkspace])
  return claimSealing(db, vault)
}

/**
 * All processes seal with the vault's first secret from now on, with a key for each workspace. `prepare` runs before
 * that, unless a rotation is under way already, and may still refuse. Returns whether there is anything to change.
 */
export const beginRotation = (
  db: Db,
  vault: Vault,
  prepare: (state: SealingState) => Promise<Buffer>,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.rows(lock)
    const state = await claimSealing(tx, vault)
    if (state.previous) return true
    const fingerprint = await prepare(state)
    if (state.fingerprint.equals(fingerprint) && state.perWorkspace) return false
    await tx.rows(put, [previous, state.fingerprint])
    await tx.rows(put, [current, fingerprint])
    await tx.rows(put, [keyForm, perWorkspace])
    await tx.rows(tell)
    return true
  })

export const endRotation = (db: Queries) => db.rows(remove, [previous])

/**
 * `onUnknown`: a rotation has begun that leads to a secret that the vault does not have; it may learn it and return
 * true.
 */
export async function followSealing(
  db: Db,
  vault: Vault,
  onUnknown: (fingerprint: Buffer) => Promise<boolean>,
): Promise<Subscription> {
  const look = async () => {
    const state = await readSealing(db)
    if (!state) return
    if (vault.knows(state.fingerprint) || (await onUnknown(state.fingerprint))) vault.sealWith(state)
  }
  // If the database is away, `resumed` comes when it is back.
  const follow = () => void look().catch(() => {})
  return db.listen(channel, { notice: follow, resumed: follow })
}
