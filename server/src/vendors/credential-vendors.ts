// Every company whose credentials can be stored: what it needs, what it is used for, and how to ask whether they are valid.
import {
  type CredentialName,
  companies,
  credentialNameOf,
  credentialNames,
  credentialsOf,
  isModelCompany,
} from '@parley/contract/companies'
import type { Config } from '../platform/config.ts'
import type { CredentialVendor, SttVendor, TtsVendor, VendorAccount } from '../ports/vendor.ts'
import { modelVendors, sttVendors, ttsVendors } from './index.ts'
import { checkVendor } from './over/check-vendor.ts'
import type { ModelVendor } from './over/thinks/protocol.ts'

export type CredentialVendors = Readonly<Record<string, CredentialVendor>>

export const credentialVendors = ({ vendorAccounts }: Pick<Config, 'vendorAccounts'>): CredentialVendors =>
  Object.fromEntries(credentialNames.map((name) => [name, companyOf(name, vendorAccounts[name])]))

function companyOf(name: CredentialName, installed: VendorAccount | undefined): CredentialVendor {
  const synthesizers = servicesOf<TtsVendor>(ttsVendors, name)
  const transcribers = servicesOf<SttVendor>(sttVendors, name)
  // Models at addresses of the user's own have no stored key.
  const models = isModelCompany(name) ? servicesOf<ModelVendor>(modelVendors, name) : []
  const services = [...synthesizers, ...transcribers, ...models]
  const { label } = companies[name]
  return {
    label,
    uses: [
      ...(synthesizers.length > 0 ? (['synthesizer'] as const) : []),
      ...(transcribers.length > 0 ? (['transcriber'] as const) : []),
      ...(models.length > 0 ? (['language_model'] as const) : []),
    ],
    agentNames: [...new Set(services.map(([own]) => own))],
    fields: credentialsOf(name),
    installed,
    async check(account, service) {
      const own = service === 'synthesizer' ? synthesizers : service === 'transcriber' ? transcribers : []
      const check = [...own, ...services].map(([, { check: one }]) => one).find(Boolean)
      try {
        return await checkVendor(label, account, await check?.(account))
      } catch (error) {
        // A service account that cannot sign is no use asking with.
        return { ok: false, status: null, message: (error as Error).message }
      }
    },
  }
}

const servicesOf = <Service>(
  services: Readonly<Record<string, Service>>,
  name: CredentialName,
): [string, Service][] => Object.entries(services).filter(([own]) => credentialNameOf(own) === name)
