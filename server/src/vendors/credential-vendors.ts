// Every company whose credentials can be stored: what it needs, what it is used for, and how to ask whether they are valid.
import { type CredentialName, credentialNames } from '@parley/contract/vendor-names'
import type { Config } from '../platform/config.ts'
import type {
  CredentialField,
  CredentialVendor,
  SttVendor,
  TtsVendor,
  VendorAccount,
  VendorCheck,
  VendorUse,
} from '../ports/vendor.ts'
import { modelVendors } from './models.ts'
import { checkVendor } from './over/check-vendor.ts'
import { vendorUrl } from './over/wire/vendor-address.ts'
import { ttsVendors } from './synthesizers.ts'
import { sttVendors } from './transcribers.ts'

export type CredentialVendors = Readonly<Record<string, CredentialVendor>>

/** Vendors of speech that share the credentials of another name. */
const sharedNames: Readonly<Record<string, CredentialName>> = { azuretts: 'azure' }

/** Whose credentials a vendor of speech uses. */
export const credentialNameOf = (vendor: string): string => sharedNames[vendor] ?? vendor

/** Vendors of language models whose keys can be stored; others are servers of the operator. */
const languageModels = [
  'openai',
  'anthropic',
  'gemini',
  'groq',
  'together',
  'openrouter',
  'mistral',
  'deepseek',
] as const
type ModelName = (typeof languageModels)[number]

const isModel = (name: string): name is ModelName => (languageModels as readonly string[]).includes(name)

// Everything else is shown by its ends.
const plain = new Set(['region', 'location', 'projectId', 'accessKeyId'])

export const credentialVendors = ({ vendorAccounts }: Pick<Config, 'vendorAccounts'>): CredentialVendors =>
  Object.fromEntries(credentialNames.map((name) => [name, companyOf(name, vendorAccounts[name])]))

function companyOf(name: CredentialName, installed: VendorAccount | undefined): CredentialVendor {
  const speaking = speechOf<TtsVendor>(ttsVendors, name)
  const hearing = speechOf<SttVendor>(sttVendors, name)
  const speech = [...speaking, ...hearing].map(([, vendor]) => vendor)
  const model = isModel(name) ? name : undefined
  const label = speech[0]?.label ?? (model ? modelVendors[model].label : name)
  const uses: VendorUse[] = [
    ...(speaking.length > 0 ? (['synthesizer'] as const) : []),
    ...(hearing.length > 0 ? (['transcriber'] as const) : []),
    ...(model ? (['language_model'] as const) : []),
  ]
  const check = (account: VendorAccount): VendorCheck | undefined =>
    speech.find((vendor) => vendor.check)?.check?.(account) ?? (model && modelCheck(model, account))
  return {
    label,
    uses,
    agentNames: [...new Set([...speaking, ...hearing].map(([own]) => own).concat(model ?? []))],
    fields: fieldsOf(speech, model !== undefined),
    installed,
    async check(account) {
      let request: VendorCheck | undefined
      try {
        request = check(account)
      } catch (error) {
        // A service account that cannot sign is no use asking with.
        return { ok: false, status: null, message: (error as Error).message }
      }
      return checkVendor(label, account, request)
    },
  }
}

function speechOf<Vendor>(vendors: Readonly<Record<string, Vendor>>, name: string): [string, Vendor][] {
  return Object.entries(vendors).filter(([own]) => credentialNameOf(own) === name)
}

/** What one of its services cannot do without is required. */
function fieldsOf(
  speech: readonly Pick<TtsVendor, 'credentials' | 'optionalCredentials'>[],
  isModel: boolean,
): readonly CredentialField[] {
  const required = new Set([
    ...speech.flatMap(({ credentials }) => credentials),
    ...(isModel ? ['apiKey'] : []),
  ])
  const optional = speech.flatMap(({ optionalCredentials = [] }) => optionalCredentials)
  return [...new Set([...required, ...optional])].map((name) => ({
    name,
    isRequired: required.has(name),
    isSecret: !plain.has(name),
  }))
}

function modelCheck(name: ModelName, { credentials, baseUrl }: VendorAccount): VendorCheck {
  const key = credentials.apiKey ?? ''
  const own = new URL(modelVendors[name].baseUrl ?? 'https://localhost')
  const place = { scheme: 'https', host: own.host, baseUrl } as const
  const below = (path: string) => vendorUrl(place, `${baseUrl ? '' : own.pathname.replace(/\/$/, '')}${path}`)
  if (name === 'anthropic')
    return {
      method: 'GET',
      url: below('/v1/models'),
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    }
  if (name === 'gemini') return { method: 'GET', url: below('/models'), headers: { 'x-goog-api-key': key } }
  // Its list of models is public.
  const path = name === 'openrouter' ? '/key' : '/models'
  return { method: 'GET', url: below(path), headers: { authorization: `Bearer ${key}` } }
}
