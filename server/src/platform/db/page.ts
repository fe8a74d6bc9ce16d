// One page of a list and the total count, queried concurrently.
import type { Queries, Statement } from './db.ts'

export interface PageStatements {
  /** Parameters: those of the filter, then limit and offset. */
  readonly select: Statement
  /** Parameters: those of the filter. Returns `total`. */
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
  const { reader = db } = db
  const [rows, counted] = await Promise.all([
    reader.rows<Row>(select, [...filter, limit, (page - 1) * limit]),
    reader.row<{ total: number }>(count, filter),
  ])
  return { rows, total: counted?.total ?? 0 }
}
