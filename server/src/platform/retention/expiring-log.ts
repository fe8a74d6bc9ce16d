// The description of what expires together. The rest of this folder partitions it, archives it and deletes it.

/** Tables that are partitioned by the same ids, so that one moment bounds the partitions of all of them. */
export interface ExpiringLog {
  readonly name: string
  /** The first is the one that the others belong to. */
  readonly tables: readonly [LogTable, ...LogTable[]]
  readonly keepDays: number
  /** SQL that is true if something with an id from $1 to below $2 is still needed: its partition is not dropped. */
  readonly isNeeded: string
  /** Small tables without partitions, whose rows with such ids are deleted when the partition is dropped. */
  readonly alongside: readonly LogTable[]
  /** SQL for a record of the archive as JSON: everything that belongs to `l`, a row of the first table. */
  readonly record: string
}

export interface LogTable {
  readonly table: string
  /** The column with an id in order of time, by which it is partitioned. */
  readonly id: string
  /**
   * Which rows may be deleted one by one once they are old enough, by SQL over a row `p`. They have a `created_at`. Absent:
   * they are deleted with the row that they belong to.
   */
  readonly removable?: string
}

export const firstId = '00000000-0000-0000-0000-000000000000'
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const partsOfRetention = 6
const dayMs = 24 * 60 * 60 * 1000

/**
 * How many days a partition holds: a sixth of the retention. So there are about eight of them, however long the retention
 * is: a statement that looks into all of them must not take noticeably longer, and what is kept too long should be little.
 */
export const daysOfPartition = ({ keepDays }: Pick<ExpiringLog, 'keepDays'>): number =>
  Math.ceil(keepDays / partsOfRetention)

export const startOfDay = (ms: number): Date => new Date(Math.floor(ms / dayMs) * dayMs)
export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs)
