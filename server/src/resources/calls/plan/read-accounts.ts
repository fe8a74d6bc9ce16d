// The workspace's credentials for vendors, as the claim of a call has them.
import type { AccountPlan } from '../../../ports/call-plan.ts'

/** JSON, in which bytes are hexadecimal digits after a mark. */
export interface ClaimedCredentials {
  readonly vendor: string
  readonly sealed: string
  readonly base_url: string | null
  readonly base_urls: AccountPlan['baseUrls'] | null
}

export type OpenCredentials = (workspaceId: string, vendor: string, sealed: Buffer) => Record<string, string>

export const readAccounts = (
  workspaceId: string,
  claimed: readonly ClaimedCredentials[],
  open: OpenCredentials,
): Readonly<Record<string, AccountPlan>> =>
  Object.fromEntries(
    claimed.map(({ vendor, sealed, base_url, base_urls }) => [
      vendor,
      {
        credentials: open(workspaceId, vendor, Buffer.from(sealed.replace(/^\\x/, ''), 'hex')),
        baseUrl: base_url ?? undefined,
        ...(base_urls && { baseUrls: base_urls }),
      },
    ]),
  )
