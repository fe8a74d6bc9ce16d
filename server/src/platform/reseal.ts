// Seals stored values again: each is opened with the secret that sealed it and sealed with the current one, in small
// steps beside everything else that uses the rows. After a kill the next run goes on where this one stopped.
import { type Db, type Queries, type Statement, statement } from './db/db.ts'
import type { Vault } from './secrets.ts'

/** A column of sealed values. Each resource describes its own. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly primaryKey: readonly string[]
  readonly purpose: string
  /** In SQL, for the row `t`: what the value is bound to, and whose it is. */
  readonly place: string
  readonly workspace: string
}

/** A column whose value is bound to the id of its row, in a table that names the workspace. */
export const sealedColumn = (table: string, column: string, id: string, purpose: string): SealedColumn => ({
  table,
  column,
  primaryKey: [id],
  purpose,
  place: `t.${id}`,
  workspace: 't.workspace_id',
})

export interface ResealProgress {
  readonly table: string
  readonly done: number
  /** The number of values at the beginning; more may be added meanwhile. */
  readonly total: number
}

export interface ResealReport {
  readonly done: number
  /** Rows that no known secret opens, as `table key`; they stay as they are. */
  readonly unreadable: readonly string[]
}

// Locks rows for a few milliseconds.
const batchSize = 100

interface Row {
  readonly key: readonly unknown[]
  readonly sealed: Buffer
  readonly place: string
  readonly workspace: string | null
}

interface Statements {
  readonly count: Statement
  readonly first: Statement
  readonly next: Statement
  readonly update: Statement
}

export async function countUnsealed(db: Queries, vault: Vault, columns: readonly SealedColumn[]) {
  const counts: { table: string; values: number }[] = []
  for (const column of columns) {
    const row = await db.row<{ count: string }>(statementsFor(column).count, [vault.head])
    counts.push({ table: column.table, values: Number(row?.count) })
  }
  return counts
}

/** Seals every value again that does not begin as those of the current secret do. */
export async function reseal(
  db: Db,
  vault: Vault,
  columns: readonly SealedColumn[],
  onProgress: (progress: ResealProgress) => void = () => {},
): Promise<ResealReport> {
  const counts = await countUnsealed(db, vault, columns)
  const total = counts.reduce((sum, { values }) => sum + values, 0)
  const unreadable: string[] = []
  let done = 0
  for (const column of columns) {
    const statements = statementsFor(column)
    for (let last: readonly unknown[] | undefined = []; last !== undefined; ) {
      const after: readonly unknown[] = last
      const step = await db.transaction((tx) => resealStep(tx, vault, column, statements, after))
      done += step.done
      unreadable.push(...step.unreadable)
      last = step.last
      onProgress({ table: column.table, done, total: Math.max(total, done) })
    }
  }
  return { done, unreadable }
}

async function resealStep(
  tx: Queries,
  vault: Vault,
  { table, purpose }: SealedColumn,
  { first, next, update }: Statements,
  after: readonly unknown[],
) {
  const found = await tx.rows<Record<string, unknown>>(after.length > 0 ? next : first, [
    vault.head,
    ...after,
  ])
  const rows = found.map(rowOf)
  const unreadable: string[] = []
  let done = 0
  for (const { key, sealed, place, workspace } of rows) {
    const plain = tryOpen(vault, purpose, place, sealed)
    if (plain === undefined) {
      unreadable.push(`${table} ${place}`)
      continue
    }
    // The value is written only if nobody has changed it meanwhile; a changed one is sealed with the current secret
    // already, or comes again.
    await tx.rows(update, [vault.seal(workspace, purpose, place, plain), sealed, ...key])
    done++
  }
  return { done, unreadable, last: rows.length === batchSize ? rows.at(-1)?.key : undefined }
}

function tryOpen(vault: Vault, purpose: string, place: string, sealed: Buffer): string | undefined {
  try {
    return vault.open(purpose, place, sealed)
  } catch {
    return undefined
  }
}

const rowOf = ({ sealed, place, workspace, ...key }: Record<string, unknown>): Row => ({
  key: Object.values(key),
  sealed: sealed as Buffer,
  place: String(place),
  workspace: workspace as string | null,
})

/** The first parameter is the vault's head. */
function statementsFor({ table, column, primaryKey, place, workspace }: SealedColumn): Statements {
  const waiting = `t.${column} IS NOT NULL AND substring(t.${column} FROM 1 FOR octet_length($1::bytea)) <> $1`
  const order = primaryKey.map((name) => `t.${name}`).join(', ')
  const parameters = (from: number) => primaryKey.map((_, at) => `$${at + from}`).join(', ')
  const page = (more: string) =>
    statement(`
      SELECT ${primaryKey.map((name, at) => `t.${name} AS key${at}`).join(', ')}, t.${column} AS sealed,
        ${place} AS place, (${workspace})::text AS workspace
      FROM ${table} t WHERE ${waiting} ${more} ORDER BY ${order} LIMIT ${batchSize}`)
  return {
    count: statement(`SELECT count(*) FROM ${table} t WHERE ${waiting}`),
    first: page(''),
    next: page(`AND (${order}) > (${parameters(2)})`),
    update: statement(`
      UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND (${primaryKey.join(', ')}) = (${parameters(3)})`),
  }
}
