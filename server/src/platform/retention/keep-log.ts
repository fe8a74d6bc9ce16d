// Deletes what has expired of a log: whole partitions are dropped, and only rows outside of any are deleted one by one.
import { type Db, statement } from '../db/db.ts'
import { timeOfId } from '../ids.ts'
import { addDays, type ExpiringLog, type LogTable } from './expiring-log.ts'
import { dropPartition, type Partition, partitionsOf, prepareAhead } from './partitions.ts'

// Small enough not to block others; the sweep comes back for the rest.
const rowsAtOnce = 500

/** `untilId`: everything below it is archived, or is not to be. True if there may be more to delete. */
export async function keepLog(db: Db, log: ExpiringLog, untilId: string, now = Date.now()): Promise<boolean> {
  await prepareAhead(db, log, now)
  const oldest = addDays(new Date(now), -log.keepDays).getTime()
  const isExpired = ({ to_id }: Partition) => to_id !== null && to_id <= untilId && timeOfId(to_id) <= oldest
  const partitions = await partitionsOf(db, log.tables[0])
  for (const expired of partitions.filter(isExpired)) await dropPartition(db, log, expired)
  let hasMore = false
  for (const table of log.tables)
    if (table.removable && (await removeRows(db, table, log.keepDays, untilId))) hasMore = true
  return hasMore
}

/** From partitions that are not dropped in time: the first, which has rows of any age, and the default partition. */
async function removeRows(db: Db, table: LogTable, keepDays: number, untilId: string): Promise<boolean> {
  const undated = (await partitionsOf(db, table)).filter(({ from_id }) => from_id === null)
  let hasMore = false
  for (const { name } of undated) {
    const removed = await db.row<{ rows: number }>(remove(table, name), [keepDays, untilId, rowsAtOnce])
    hasMore ||= removed?.rows === rowsAtOnce
  }
  return hasMore
}

// Rows are deleted from the table, not from its partition, so that the triggers of the table fire.
const remove = ({ table, id, removable }: LogTable, partition: string) =>
  statement(`
    WITH old AS (
      DELETE FROM ${table} WHERE ${id} = ANY (ARRAY(
        SELECT p.${id} FROM ${partition} p
        WHERE p.created_at < now() - $1 * interval '1 day' AND p.${id} < $2 AND ${removable} LIMIT $3))
      RETURNING 1)
    SELECT count(*)::int AS rows FROM old`)
