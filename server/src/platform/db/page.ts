// One page of a list and how many there are in all, asked for side by side.
import type { Queries, Statement } from './db.ts'

export interface PageStatements {
  /** Takes the filter's values, then the limit and the offset. */
  readonly select: Statement
  /** Takes the filter's values; answers `total`. */
  readonly count: Statement
}

export interface Page<Row> {
  readonly rows: Row[]
  readonly total: number
}

export async function readPage<Row>(
  db: Queries,
  { select, count }: PageStatements,
  filter: readonly unknown[],
  { page, limit }: { page: number; limit: number },
): Promise<Page<Row>> {
  const [rows, counted] = await Promise.all([
    db.rows<Row>(select, [...filter, limit, (page - 1) * limit]),
    db.row<{ total: number }>(count, filter),
  ])
  return { rows, total: counted?.total ?? 0 }
}
