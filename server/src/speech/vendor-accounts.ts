// How the vendors of a call are reached: with the workspace's own credentials, or else with those of the installation.

import { credentialNameOf } from '@parley/contract/companies'
import type { Guard } from '../platform/guard/guard.ts'
import { type AccountService, accountFor } from '../ports/account-address.ts'
import type { AccountPlan, CallPlan, ModelAddress, ModelPlan } from '../ports/call-plan.ts'
import type { VendorAccount } from '../ports/vendor.ts'
import type { SpeechParts } from './speech-parts.ts'

type ModelService = Extract<AccountService, 'language_model' | 'realtime'>
type Accounts = Readonly<Record<string, VendorAccount>>

/** The accounts by the names that agents use for vendors. */
export function vendorAccounts(
  { accounts: own }: Pick<CallPlan, 'accounts'>,
  { accounts: installed, guard }: Pick<SpeechParts, 'accounts' | 'guard'>,
  vendors: Readonly<Record<string, unknown>>,
  service: AccountService,
): Accounts {
  return Object.fromEntries(
    Object.keys(vendors).flatMap((vendor) => {
      const name = credentialNameOf(vendor)
      const account = own[name] ? guarded(accountFor(own[name], service), guard) : installed[name]
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
  service: ModelService,
): Address {
  const { provider, family, apiKey, baseUrl } = address
  const account = accounts[provider ?? family ?? '']
  const key = account?.credentials.apiKey
  if (!account || !key || apiKey || baseUrl) return address
  return { ...address, apiKey: key, baseUrl: accountFor(account, service).baseUrl }
}

/** Does the same for the model and its fallbacks. */
export const withWorkspaceKeys = (
  plan: ModelPlan,
  accounts: CallPlan['accounts'],
  service: ModelService,
): ModelPlan => ({
  ...withWorkspaceKey(plan, accounts, service),
  fallback: plan.fallback.map((one) => withWorkspaceKey(one, accounts, service)),
})
