// Lists: the statements that read a page of one and count the whole of it, and the answer that they become.
import { type PageQuery, paginate } from '@parley/contract'
import { statement } from '../platform/db/db.ts'
import type { Page, PageStatements } from '../platform/db/page.ts'

/** `from` has the filter, of so many parameters; those of the page follow. */
export const listStatements = (
  columns: string,
  from: string,
  order: string,
  parameters: number,
): PageStatements => ({
  select: statement(
    `SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT $${parameters + 1} OFFSET $${parameters + 2}`,
  ),
  count: statement(`SELECT count(*)::int AS total FROM ${from}`),
})

export const listOf = <Row, Item>(
  query: PageQuery,
  { rows, total }: Page<Row>,
  view: (row: Row) => Item,
) => ({
  data: rows.map((row) => view(row)),
  pagination: paginate(query, total),
})
