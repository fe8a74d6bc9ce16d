// Whose key pays for the embeddings of a repository: that of its workspace, if it has one for the embedding server.

import { type LlmProvider, llmProviders } from '@parley/contract/companies'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Queries } from '../../platform/db/db.ts'
import { accountFor } from '../../ports/account-address.ts'
import type { AccountPlan } from '../../ports/call-plan.ts'
import type { AccountsOf } from '../credentials/credentials.ts'
import { workspaceOfRepository } from './repository-store.ts'

export interface EmbeddingKeyParts {
  readonly db: Queries
  readonly accountsOf: AccountsOf
  /** The company whose own server is at an address. */
  readonly vendorAt: (baseUrl: string) => LlmProvider | undefined
}

// A caller's question does not wait for the database each time; a key that was replaced is used as soon.
const rememberedMs = 30_000
// Far more repositories than are in use at once.
const mostRemembered = 10_000

export function embeddingKeys(
  { db, accountsOf, vendorAt }: EmbeddingKeyParts,
  baseUrl: string,
): (repositoryId: string) => Promise<string | undefined> {
  const remembered = new BoundedMap<
    string,
    { readonly untilMs: number; readonly key: Promise<string | undefined> }
  >(mostRemembered)
  /** A key goes to the company's own host only, unless the workspace named another one. */
  const isFor = (vendor: LlmProvider, account: AccountPlan | undefined): boolean => {
    if (account === undefined) return false
    const own = accountFor(account, 'language_model').baseUrl
    return own === undefined ? vendorAt(baseUrl) === vendor : new URL(baseUrl).host === new URL(own).host
  }
  const find = async (repositoryId: string) => {
    const workspaceId = await workspaceOfRepository(db, repositoryId)
    const accounts = workspaceId === undefined ? {} : await accountsOf(workspaceId)
    const vendor = llmProviders.find((name) => isFor(name, accounts[name]))
    return vendor && accounts[vendor]?.credentials.apiKey
  }
  return (repositoryId) => {
    const nowMs = performance.now()
    const known = remembered.get(repositoryId)
    if (known && known.untilMs > nowMs) return known.key
    const key = find(repositoryId)
    key.catch(() => remembered.delete(repositoryId))
    remembered.set(repositoryId, { key, untilMs: nowMs + rememberedMs })
    return key
  }
}
