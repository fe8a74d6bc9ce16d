// Credentials as they are stored: JSON, sealed as a whole, bound to the workspace and the vendor.
import type { SealedColumn } from '../../platform/reseal.ts'
import type { Vault } from '../../platform/secrets.ts'

const purpose = 'vendor credentials'
const placeOf = (workspaceId: string, vendor: string) => `${workspaceId}/${vendor}`

export const sealedVendorCredentials: SealedColumn = {
  table: 'vendor_credentials',
  column: 'sealed',
  primaryKey: ['workspace_id', 'vendor'],
  purpose,
  place: "t.workspace_id || '/' || t.vendor",
  workspace: 't.workspace_id',
}

export const sealCredentials = (
  vault: Vault,
  workspaceId: string,
  vendor: string,
  credentials: Readonly<Record<string, string>>,
): Buffer => vault.seal(workspaceId, purpose, placeOf(workspaceId, vendor), JSON.stringify(credentials))

export const openCredentials = (
  vault: Vault,
  workspaceId: string,
  vendor: string,
  sealed: Buffer,
): Record<string, string> => JSON.parse(vault.open(purpose, placeOf(workspaceId, vendor), sealed))
