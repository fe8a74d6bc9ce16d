// Telephone numbers in the database.
import type { NumberProvider, NumberStatus, PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { guardedStatement, type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface NumberRow {
  phone_number_id: string
  workspace_id: string
  phone_number: string
  country: string | null
  provider: NumberProvider
  label: string | null
  inbound_agent_id: string | null
  outbound_agent_id: string | null
  status: NumberStatus
  max_concurrency: number | null
  /** Sealed; see credentials.ts. */
  credentials: Buffer | null
  /** The trunk's host. */
  host: string | null
  /** Who may log in by it. */
  inbound_users: string[]
  created_at: Date
  updated_at: Date
}

const columns = `phone_number_id, workspace_id, phone_number, country, provider, label, inbound_agent_id, outbound_agent_id,
  status, max_concurrency, credentials, host, inbound_users, created_at, updated_at`

// Nothing is inserted if the number is there already, and the guard refuses what it is combined with.
const insert = guardedStatement(`
  INSERT INTO phone_numbers (${columns})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
  ON CONFLICT (workspace_id, phone_number) DO NOTHING RETURNING phone_number_id`)

const exists = statement('SELECT 1 FROM phone_numbers WHERE workspace_id = $1 AND phone_number = $2')

const select = statement(
  `SELECT ${columns} FROM phone_numbers WHERE phone_number_id = $1 AND workspace_id = $2`,
)

const selectForUpdate = statement(`${select.text} FOR UPDATE`)

const page = listStatements(
  columns,
  `phone_numbers
    WHERE workspace_id = $1 AND ($2::text IS NULL OR provider = $2) AND ($3::text IS NULL OR status = $3)`,
  'created_at DESC, phone_number_id DESC',
  3,
)

const ofWorkspace = statement(`
  SELECT ${columns} FROM phone_numbers WHERE workspace_id = $1 ORDER BY created_at, phone_number_id`)

const trunks = statement(`
  SELECT ${columns} FROM phone_numbers WHERE provider = 'sip' AND status = 'active' ORDER BY created_at, phone_number_id`)

const update = statement(`
  UPDATE phone_numbers SET label = $2, inbound_agent_id = $3, outbound_agent_id = $4, status = $5, max_concurrency = $6,
    credentials = $7, host = $8, inbound_users = $9, updated_at = now()
  WHERE phone_number_id = $1 RETURNING ${columns}`)

const remove = statement('DELETE FROM phone_numbers WHERE phone_number_id = $1')

// Only text is compared: whatever an agent has there.
const users = statement(`
  SELECT
    (SELECT count(*)::int FROM agents
     WHERE workspace_id = $1 AND lower(config ->> 'phone_number_id') = $2::text) AS agents,
    (SELECT count(*)::int FROM batches
     WHERE workspace_id = $1 AND phone_number_id = $2::uuid AND completed_at IS NULL) AS batches,
    (SELECT count(*)::int FROM calls
     WHERE workspace_id = $1 AND phone_number_id = $2::uuid AND due_at IS NOT NULL) + (
     SELECT count(*)::int FROM calls
     WHERE workspace_id = $1 AND phone_number_id = $2::uuid AND claimed_by IS NOT NULL) AS calls`)

// Calls of today are counted only if there is a limit.
const policy = statement(`
  SELECT w.allowed_destinations, w.calls_per_day,
    CASE WHEN d.day = (now() AT TIME ZONE 'UTC')::date THEN d.in_day ELSE 0 END AS calls_today
  FROM workspaces w LEFT JOIN dialled_calls d USING (workspace_id) WHERE w.workspace_id = $1`)

export const insertNumber = (row: Omit<NumberRow, 'updated_at'>): Write => ({
  statement: insert,
  values: [
    row.phone_number_id,
    row.workspace_id,
    row.phone_number,
    row.country,
    row.provider,
    row.label,
    row.inbound_agent_id,
    row.outbound_agent_id,
    row.status,
    row.max_concurrency,
    row.credentials,
    row.host,
    row.inbound_users,
    row.created_at,
  ],
})

export const hasNumber = async (db: Queries, workspaceId: string, phoneNumber: string): Promise<boolean> =>
  (await db.row(exists, [workspaceId, phoneNumber])) !== undefined

export const findNumber = (db: Queries, workspaceId: string, numberId: string) =>
  db.row<NumberRow>(select, [numberId, workspaceId])

export const lockNumber = (tx: Queries, workspaceId: string, numberId: string) =>
  tx.row<NumberRow>(selectForUpdate, [numberId, workspaceId])

export interface NumberFilter {
  readonly provider?: NumberProvider | undefined
  readonly status?: NumberStatus | undefined
}

export const pageOfNumbers = (db: Queries, workspaceId: string, filter: NumberFilter, query: PageQuery) =>
  readPage<NumberRow>(db, page, [workspaceId, filter.provider ?? null, filter.status ?? null], query)

/** Oldest first. */
export const numbersOf = (db: Queries, workspaceId: string) => db.rows<NumberRow>(ofWorkspace, [workspaceId])

/** The active numbers of every workspace that have a trunk. */
export const numbersWithTrunks = (db: Queries) => db.rows<NumberRow>(trunks)

export const updateNumber = async (tx: Queries, row: NumberRow): Promise<NumberRow> =>
  (await tx.row<NumberRow>(update, [
    ...[row.phone_number_id, row.label, row.inbound_agent_id, row.outbound_agent_id, row.status],
    ...[row.max_concurrency, row.credentials, row.host, row.inbound_users],
  ])) as NumberRow

export const removeNumber = (tx: Queries, numberId: string) => tx.rows(remove, [numberId])

export interface NumberUse {
  agents: number
  batches: number
  calls: number
}

/** What still needs the number. */
export const useOfNumber = async (tx: Queries, workspaceId: string, numberId: string): Promise<NumberUse> =>
  (await tx.row<NumberUse>(users, [workspaceId, numberId])) as NumberUse

export interface PolicyRow {
  allowed_destinations: string[] | null
  calls_per_day: number | null
  calls_today: number
}

export const policyOfWorkspace = (db: Queries, workspaceId: string) =>
  db.row<PolicyRow>(policy, [workspaceId])
