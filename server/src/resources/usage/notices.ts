// Notices: limits that stopped calls, for the people of the workspace.
import type { LimitKind, Notice, PageQuery } from '@parley/contract'
import { listOf } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

interface NoticeRow {
  notice_id: string
  kind: LimitKind
  most: string
  used: string
  created_at: Date
  currency: string | null
}

const select = statement(`
  SELECT notice_id, kind, most, used, n.created_at, w.prices ->> 'currency' AS currency
  FROM workspace_notices n JOIN workspaces w USING (workspace_id) WHERE workspace_id = $1
  ORDER BY n.created_at DESC, notice_id DESC LIMIT $2 OFFSET $3`)

const count = statement('SELECT count(*)::int AS total FROM workspace_notices WHERE workspace_id = $1')

const add = statement('SELECT add_notice($1, $2, $3, $4)')

// As long as records of calls are usually kept; nobody looks for older ones.
const prune = statement(`DELETE FROM workspace_notices WHERE created_at < now() - $1 * interval '1 day'`)

export const notices = (db: Queries) => ({
  list: async (workspaceId: string, query: PageQuery) =>
    listOf(query, await readPage<NoticeRow>(db, { select, count }, [workspaceId], query), viewOf),

  /** Once a day for each kind. */
  add: (workspaceId: string, kind: LimitKind, limit: number, used: number) =>
    db.rows(add, [workspaceId, kind, limit, used]),

  prune: (days: number) => db.rows(prune, [days]),
})

const untilTomorrow =
  'New calls are stopped until midnight UTC; running ones go on. An administrator can raise the limit.'

const sentences: Readonly<Record<LimitKind, (limit: string, currency: string) => string>> = {
  minutes_per_day: (limit) =>
    `This workspace may use ${limit} minutes a day and has used them. ${untilTomorrow}`,
  cost_per_day: (limit, currency) =>
    `The calls of this workspace may cost ${limit}${currency} a day, and they have. ${untilTomorrow}`,
  calls_per_day: (limit) =>
    `This workspace may place ${limit} calls a day and has placed them. ${untilTomorrow}`,
  max_concurrency: (limit) =>
    `A call was turned away because ${limit} calls, as many as this workspace may have at once, were under way. An administrator can raise the limit.`,
}

const viewOf = ({ most, used, currency, ...row }: NoticeRow): Notice => ({
  notice_id: row.notice_id,
  kind: row.kind,
  message: sentences[row.kind](String(Number(most)), currency === null ? '' : ` ${currency}`),
  limit: Number(most),
  used: Math.round(Number(used) * 100) / 100,
  created_at: row.created_at.toISOString(),
})
