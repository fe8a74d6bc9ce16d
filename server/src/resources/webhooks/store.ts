// Webhook endpoints in the database.
import type { DeliveryStatus, PageQuery, WebhookStatus } from '@parley/contract'
import { guardedStatement, type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface WebhookRow {
  webhook_id: string
  url: string
  events: string[]
  agent_id: string | null
  description: string | null
  status: WebhookStatus
  secret: Buffer
  secret_rotated_at: Date
  created_at: Date
  updated_at: Date
  last_delivery_id: string | null
  last_status: DeliveryStatus | null
  last_http_status: number | null
  last_created_at: Date | null
}

const columns = `
  w.webhook_id, w.url, w.events, w.agent_id, w.description, w.status, w.secret, w.secret_rotated_at, w.created_at,
  w.updated_at, d.delivery_id AS last_delivery_id, d.status AS last_status, d.created_at AS last_created_at,
  (d.attempts -> -1 ->> 'http_status')::int AS last_http_status`

const withLast = `
  LEFT JOIN LATERAL (
    SELECT delivery_id, status, attempts, created_at FROM deliveries
    WHERE webhook_id = w.webhook_id ORDER BY created_at DESC, delivery_id DESC LIMIT 1) d ON true`

const insert = statement(`
  INSERT INTO webhooks (webhook_id, workspace_id, url, events, agent_id, description, secret, secret_rotated_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`)

const select = statement(`
  SELECT ${columns} FROM webhooks w ${withLast} WHERE w.webhook_id = $1 AND w.workspace_id = $2`)

const filtered = `
  w.workspace_id = $1 AND ($2::uuid IS NULL OR w.agent_id = $2) AND ($3::text IS NULL OR w.status = $3)`

const selectPage = statement(`
  SELECT ${columns} FROM webhooks w ${withLast} WHERE ${filtered}
  ORDER BY w.created_at DESC, w.webhook_id DESC LIMIT $4 OFFSET $5`)

const count = statement(`SELECT count(*)::int AS total FROM webhooks w WHERE ${filtered}`)

const lock = statement('SELECT 1 FROM webhooks WHERE webhook_id = $1 AND workspace_id = $2 FOR UPDATE')

const update = statement(`
  UPDATE webhooks SET url = $2, events = $3, agent_id = $4, description = $5, status = $6, updated_at = now()
  WHERE webhook_id = $1`)

const rotate = guardedStatement(`
  UPDATE webhooks SET secret = $2, secret_rotated_at = now(), updated_at = now() WHERE webhook_id = $1
  RETURNING webhook_id`)

const remove = statement(
  'DELETE FROM webhooks WHERE webhook_id = $1 AND workspace_id = $2 RETURNING webhook_id',
)

export const insertWebhook = (workspaceId: string, row: WebhookRow): Write => ({
  statement: insert,
  values: [
    ...[row.webhook_id, workspaceId, row.url, row.events, row.agent_id, row.description],
    ...[row.secret, row.created_at],
  ],
})

export const findWebhook = (db: Queries, workspaceId: string, webhookId: string) =>
  db.row<WebhookRow>(select, [webhookId, workspaceId])

export interface WebhookFilter {
  agentId: string | undefined
  status: WebhookStatus | undefined
}

export const pageOfWebhooks = (
  db: Queries,
  workspaceId: string,
  { agentId, status }: WebhookFilter,
  query: PageQuery,
) =>
  readPage<WebhookRow>(
    db,
    { select: selectPage, count },
    [workspaceId, agentId ?? null, status ?? null],
    query,
  )

export const lockWebhook = async (tx: Queries, workspaceId: string, webhookId: string): Promise<boolean> =>
  (await tx.row(lock, [webhookId, workspaceId])) !== undefined

export const updateWebhook = (
  tx: Queries,
  { webhook_id, url, events, agent_id, description, status }: Omit<WebhookRow, 'secret'>,
) => tx.rows(update, [webhook_id, url, events, agent_id, description, status])

export const replaceSecret = (webhookId: string, sealedSecret: Buffer): Write => ({
  statement: rotate,
  values: [webhookId, sealedSecret],
})

export const removeWebhook = async (tx: Queries, workspaceId: string, webhookId: string): Promise<boolean> =>
  (await tx.row(remove, [webhookId, workspaceId])) !== undefined
