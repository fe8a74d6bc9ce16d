// How the vendors of a call are reached: with the workspace's own credentials, or else with those of the installation.

import { credentialNameOf } from '@parley/contract/companies'
import type { Guard } from '../platform/guard/guard.ts'
import type { AccountPlan, CallPlan, ModelAddress, ModelPlan } from '../ports/call-plan.ts'
import type { VendorAccount } from '../ports/vendor.ts'
import type { SpeechParts } from './speech-parts.ts'

type Accounts = Readonly<Record<string, VendorAccount>>

/** The accounts by the names that agents use for vendors. */
export function vendorAccounts(
  { accounts: own }: Pick<CallPlan, 'accounts'>,
  { accounts: installed, guard }: Pick<SpeechParts, 'accounts' | 'guard'>,
  vendors: Readonly<Record<string, unknown>>,
): Accounts {
  return Object.fromEntries(
    Object.keys(vendors).flatMap((vendor) => {
      const name = credentialNameOf(vendor)
      const account = own[name] ? guarded(own[name], guard) : installed[name]
      return account ? [[vendor, account]] : []
    }),
  )
}

/** An address that a user chose is checked again: the guard's rules may have changed since. */
function guarded({ credentials, baseUrl }: AccountPlan, guard: Guard): VendorAccount | undefined {
  if (baseUrl === undefined) return { credentials }
  return guard.check(baseUrl).ok ? { credentials, baseUrl, lookup: guard.lookupFor(baseUrl) } : undefined
}

/** Adds the workspace's key for the vendor of a model, unless the agent brings its own. */
export function withWorkspaceKey<Address extends ModelAddress>(
  address: Address,
  accounts: CallPlan['accounts'],
): Address {
  const { provider, family, apiKey, baseUrl } = address
  const account = accounts[provider ?? family ?? '']
  const key = account?.credentials.apiKey
  if (!key || apiKey || baseUrl) return address
  return { ...address, apiKey: key, baseUrl: account?.baseUrl }
}

/** Does the same for the model and its fallbacks. */
export const withWorkspaceKeys = (plan: ModelPlan, accounts: CallPlan['accounts']): ModelPlan => ({
  ...withWorkspaceKey(plan, accounts),
  fallback: plan.fallback.map((one) => withWorkspaceKey(one, accounts)),
})
