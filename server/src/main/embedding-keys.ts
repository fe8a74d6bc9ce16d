// Whose key pays for the embeddings of a repository: that of its workspace, if it has one for the embedding server.

import { type LlmProvider, llmProviders } from '@parley/contract/companies'
import { vendorAt } from '../mind/model/choose-vendor.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import type { Queries } from '../platform/db/db.ts'
import type { AccountPlan } from '../ports/call-plan.ts'
import type { AccountsOf } from '../resources/credentials/credentials.ts'
import { workspaceOfRepository } from '../resources/knowledge-base/knowledge-base.ts'
import type { KeyOf } from '../vendors/openai/embeds.ts'

// A caller's question does not wait for the database each time; a key that was replaced is used as soon.
const rememberedMs = 30_000
// Far more repositories than are in use at once.
const mostRemembered = 10_000

export function embeddingKeys(db: Queries, accountsOf: AccountsOf, baseUrl: string): KeyOf {
  const remembered = new BoundedMap<
    string,
    { readonly untilMs: number; readonly key: Promise<string | undefined> }
  >(mostRemembered)
  const find = async (repositoryId: string) => {
    const workspaceId = await workspaceOfRepository(db, repositoryId)
    const accounts = workspaceId === undefined ? {} : await accountsOf(workspaceId)
    const vendor = llmProviders.find((name) => isFor([name, accounts[name]], baseUrl))
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

/** A key goes to the vendor's own host only, unless the workspace named another one. */
const isFor = (
  [vendor, account]: readonly [LlmProvider, AccountPlan | undefined],
  baseUrl: string,
): boolean =>
  account !== undefined &&
  (account.baseUrl === undefined
    ? vendorAt(baseUrl) === vendor
    : new URL(baseUrl).host === new URL(account.baseUrl).host)
