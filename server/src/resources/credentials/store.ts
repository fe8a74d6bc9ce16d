// Credentials for vendors in the database.
import type { CredentialCheck } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { AccountPlan } from '../../ports/call-plan.ts'

export interface CredentialsRow {
  vendor: string
  sealed: Buffer
  shown: Record<string, string>
  base_url: string | null
  base_urls: AccountPlan['baseUrls'] | null
  last_check: CredentialCheck | null
  updated_at: Date
}

const columns = 'vendor, sealed, shown, base_url, base_urls, last_check, updated_at'

const selectAll = statement(`SELECT ${columns} FROM vendor_credentials WHERE workspace_id = $1`)

const upsert = statement(`
  INSERT INTO vendor_credentials (workspace_id, vendor, sealed, shown, base_url, base_urls, last_check, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now())
  ON CONFLICT (workspace_id, vendor) DO UPDATE
  SET sealed = EXCLUDED.sealed, shown = EXCLUDED.shown, base_url = EXCLUDED.base_url,
    base_urls = EXCLUDED.base_urls, last_check = EXCLUDED.last_check, updated_at = now()
  RETURNING ${columns}`)

const remember = statement(`
  UPDATE vendor_credentials SET last_check = $3 WHERE workspace_id = $1 AND vendor = $2 AND sealed = $4`)

const remove = statement(
  'DELETE FROM vendor_credentials WHERE workspace_id = $1 AND vendor = $2 RETURNING vendor',
)

/** By vendor. */
export async function credentialsOf(
  db: Queries,
  workspaceId: string,
): Promise<ReadonlyMap<string, CredentialsRow>> {
  const rows = await db.rows<CredentialsRow>(selectAll, [workspaceId])
  return new Map(rows.map((row) => [row.vendor, row]))
}

export const storeCredentials = async (
  db: Queries,
  workspaceId: string,
  { vendor, sealed, shown, base_url, base_urls, last_check }: Omit<CredentialsRow, 'updated_at'>,
): Promise<CredentialsRow> => {
  const addresses = base_urls && JSON.stringify(base_urls)
  const values = [vendor, sealed, JSON.stringify(shown), base_url, addresses, JSON.stringify(last_check)]
  return (await db.row<CredentialsRow>(upsert, [workspaceId, ...values])) as CredentialsRow
}

/** Stores the outcome of a check, unless the credentials were replaced while the vendor was asked. */
export const rememberCheck = (
  db: Queries,
  workspaceId: string,
  { vendor, sealed }: Pick<CredentialsRow, 'vendor' | 'sealed'>,
  check: CredentialCheck,
) => db.rows(remember, [workspaceId, vendor, JSON.stringify(check), sealed])

export const removeCredentials = async (db: Queries, workspaceId: string, vendor: string): Promise<boolean> =>
  (await db.row(remove, [workspaceId, vendor])) !== undefined
