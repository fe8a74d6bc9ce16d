// Credentials as they are stored: JSON, sealed as a whole, bound to the workspace and the vendor.
import type { Vault } from '../../platform/secrets.ts'

const purpose = 'vendor credentials'
const placeOf = (workspaceId: string, vendor: string) => `${workspaceId}/${vendor}`

export const sealCredentials = (
  vault: Vault,
  workspaceId: string,
  vendor: string,
  credentials: Readonly<Record<string, string>>,
): Buffer => vault.seal(purpose, placeOf(workspaceId, vendor), JSON.stringify(credentials))

export const openCredentials = (
  vault: Vault,
  workspaceId: string,
  vendor: string,
  sealed: Buffer,
): Record<string, string> => JSON.parse(vault.open(purpose, placeOf(workspaceId, vendor), sealed))
