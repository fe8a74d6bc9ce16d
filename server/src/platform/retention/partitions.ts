// The partitions of a log: made ahead of time, beside the traffic, and dropped.
//
// A change of partitions locks the table for a moment, and writers queue behind us while we wait for the lock. So we
// wait only briefly, all tables of a log change in one transaction, and what did not succeed is tried again by the
// next run.
import pg from 'pg'
import { type Db, type Queries, statement } from '../db/db.ts'
import { timeOfId } from '../ids.ts'
import {
  addDays,
  daysOfPartition,
  type ExpiringLog,
  firstId,
  type LogTable,
  startOfDay,
} from './expiring-log.ts'

export interface Partition {
  readonly name: string
  /** Null: it begins with the first id there can be. */
  readonly from_id: string | null
  /** Null: it has no end, or it is the default partition. */
  readonly to_id: string | null
  readonly is_default: boolean
}

const list = statement('SELECT name, from_id, to_id, is_default FROM partitions_of($1)')

/** In order of time, the default partition last. */
export const partitionsOf = (db: Queries, { table }: LogTable) => db.rows<Partition>(list, [table])

// The limit is below the second after which PostgreSQL checks for deadlocks, so that we are the ones to give up.
const lockTimeoutMs = 300
// The number is arbitrary, but the same in every process.
const partitionLock = 7_270_539_004

const waitBriefly = statement(`SELECT set_config('lock_timeout', '${lockTimeoutMs}', true)`)
const takeTime = statement(`SELECT set_config('statement_timeout', '0', true)`)
const alone = statement(`SELECT pg_try_advisory_xact_lock(${partitionLock}) AS is_ours`)

/** Runs in one transaction, in one process at a time. Returns false if it has to be tried again later. */
export async function changePartitions(db: Db, change: (tx: Queries) => Promise<unknown>): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      await tx.rows(waitBriefly)
      await tx.rows(takeTime)
      const { is_ours } = (await tx.row<{ is_ours: boolean }>(alone)) ?? { is_ours: false }
      if (is_ours) await change(tx)
      return is_ours
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '')) return false
    throw error
  }
}

const add = statement('SELECT add_partition($1, $2, $3, $4)')
const announce = statement('SELECT announce_bound($1, $2, $3)')
const giveFirstBound = statement('SELECT bound_first($1, $2)')

// Processes of an earlier release may still run, which address rows by their place in the one table that they know. For
// that long everything is in one partition.
const fewestDaysAhead = 7

/** Makes sure that there are partitions for the time to come. */
export async function prepareAhead(db: Db, log: ExpiringLog, now = Date.now()): Promise<void> {
  const partitions = await partitionsOf(db, log.tables[0])
  const days = daysOfPartition(log)
  const until = addDays(startOfDay(now), Math.max(days, fewestDaysAhead))
  const last = partitions.findLast(({ is_default }) => !is_default)?.to_id
  if (!last) return giveBound(db, log, until, now)
  for (let since = new Date(timeOfId(last)); since < until; since = addDays(since, days)) {
    const isAdded = await changePartitions(db, async (tx) => {
      for (const { table, id } of log.tables) await tx.rows(add, [table, id, since, addDays(since, days)])
    })
    if (!isAdded) return
  }
}

/**
 * The first partition takes everything until it has rows that are older than a partition should be. A bound takes
 * several transactions; a run that ended between them leaves its check behind, and the next one goes on with the same
 * bound.
 */
async function giveBound(db: Db, log: ExpiringLog, until: Date, now: number): Promise<void> {
  const announced = await announcedBound(db, log)
  if (!announced && !(await isOldEnough(db, log, now))) return
  const isInTime = announced !== undefined && announced >= addDays(new Date(now), fewestDaysToBound)
  const bound = isInTime ? announced : until
  if (await hasRowsBeyond(db, log, bound)) {
    if (announced) await changePartitions(db, (tx) => withdrawChecks(tx, log))
    return
  }
  if (await checkBound(db, log, bound)) await changePartitions(db, (tx) => boundFirst(tx, log, bound))
}

// A check refuses new rows once its bound is reached. One that is as near as this is replaced by a later one.
const fewestDaysToBound = 1

const latestAnnounced = statement('SELECT max(announced_bound(t)) AS until FROM unnest($1::text[]) AS t')

async function announcedBound(db: Db, { tables }: ExpiringLog): Promise<Date | undefined> {
  const found = await db.row<{ until: Date | null }>(latestAnnounced, [tables.map(({ table }) => table)])
  return found?.until ?? undefined
}

async function isOldEnough(db: Db, log: ExpiringLog, now: number): Promise<boolean> {
  const [{ table, id }] = log.tables
  const oldest = await db.row<{ id: string }>(
    statement(`SELECT ${id} AS id FROM ${table} ORDER BY ${id} LIMIT 1`),
  )
  return (
    oldest !== undefined && timeOfId(oldest.id) <= addDays(new Date(now), -daysOfPartition(log)).getTime()
  )
}

/** A check that PostgreSQL knows to hold spares it from reading the rows again while the table is locked. */
async function checkBound(db: Db, { tables }: ExpiringLog, until: Date): Promise<boolean> {
  const isAnnounced = await changePartitions(db, async (tx) => {
    for (const { table, id } of tables) await tx.rows(announce, [table, id, until])
  })
  if (!isAnnounced) return false
  for (const { table } of tables) {
    const validate = statement(`ALTER TABLE ${table}_first VALIDATE CONSTRAINT ${table}_until`)
    if (!(await changePartitions(db, (tx) => tx.rows(validate)))) return false
  }
  return true
}

async function boundFirst(tx: Queries, { tables }: ExpiringLog, until: Date): Promise<void> {
  // Another process may have been faster.
  if ((await partitionsOf(tx, tables[0])).some(({ is_default }) => is_default)) return
  for (const { table } of tables) await tx.rows(giveFirstBound, [table, until])
}

async function withdrawChecks(tx: Queries, { tables }: ExpiringLog): Promise<void> {
  for (const { table } of tables)
    await tx.rows(statement(`ALTER TABLE ${table}_first DROP CONSTRAINT IF EXISTS ${table}_until`))
}

/** Ids that are not in order of time, of an earlier release on a PostgreSQL before 18: their rows expire first. */
async function hasRowsBeyond(db: Db, log: ExpiringLog, until: Date): Promise<boolean> {
  const some = log.tables.map(({ table, id }) => `EXISTS (SELECT FROM ${table} WHERE ${id} >= id_at($1))`)
  const found = await db.row<{ beyond: boolean }>(statement(`SELECT ${some.join(' OR ')} AS beyond`), [until])
  return found?.beyond ?? false
}

/**
 * Drops the same partition of every table of the log. Returns false if something in it is still needed, or it has to
 * be tried again.
 */
export function dropPartition(db: Db, log: ExpiringLog, { from_id, to_id }: Partition): Promise<boolean> {
  let isDropped = false
  const needed = statement(`SELECT ${log.isNeeded} AS is_needed`)
  return changePartitions(db, async (tx) => {
    const range = [from_id ?? firstId, to_id]
    if ((await tx.row<{ is_needed: boolean }>(needed, range))?.is_needed) return
    const names: string[] = []
    for (const table of log.tables)
      names.push(
        ...(await partitionsOf(tx, table)).filter((it) => it.to_id === to_id).map(({ name }) => name),
      )
    for (const { table, id } of log.alongside)
      await tx.rows(statement(`DELETE FROM ${table} WHERE ${id} >= $1 AND ${id} < $2`), range)
    await tx.rows(statement(`DROP TABLE ${names.join(', ')}`))
    isDropped = true
  }).then((isDone) => isDone && isDropped)
}
