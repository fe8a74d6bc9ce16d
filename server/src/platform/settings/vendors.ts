// For all workspaces that have stored none of their own.
import {
  type CompanySetting,
  credentialNames,
  credentialsOf,
  isModelCompany,
  keyOwnerOf,
} from '@parley/contract/companies'
import { z } from 'zod'
import { free, set, vendorKey, wordList } from './kinds.ts'

type CredentialSetting = ReturnType<typeof keyFor>

const [forModels, forSpeech] = [
  'agents that name the provider and bring no key of their own',
  'calls of workspaces that have stored none of their own',
]
const keyFor = (vendor: string, purpose: string) =>
  free(vendorKey(), `The key for ${vendor}, for ${purpose}. It is sent to no other host.`)

/** Those that hold something else than a key. */
const ownSettings: Partial<Record<CompanySetting, CredentialSetting>> = {
  PARLEY_AZURE_SPEECH_REGION: free(
    z.string().regex(/^[a-z0-9-]+$/, 'a region, as in westeurope'),
    'The region of that key, as in `westeurope`.',
  ),
  PARLEY_GOOGLE_SERVICE_ACCOUNT: free(
    z.string(),
    'The key file of a service account of Google Cloud, as JSON, for the voices and the recognition of Google.',
  ),
  PARLEY_POLLY_ACCESS_KEY_ID: keyFor('Amazon Polly, its id', forSpeech),
  PARLEY_POLLY_REGION: free(
    z.string().regex(/^[a-z0-9-]+$/, 'a region, as in eu-central-1'),
    'The region of Amazon Polly, as in `eu-central-1`.',
  ),
}

const settingsFor = (isModels: boolean) =>
  credentialNames
    .filter((name) => isModelCompany(name) === isModels)
    .flatMap((name) => {
      const key = keyFor(keyOwnerOf(name), isModels ? forModels : forSpeech)
      return credentialsOf(name).flatMap(({ setting }) =>
        setting ? [[setting, ownSettings[setting] ?? key] as const] : [],
      )
    })

export const vendorSettings = {
  ...(Object.fromEntries([...settingsFor(true), ...settingsFor(false)]) as Readonly<
    Record<CompanySetting, CredentialSetting>
  >),
  PARLEY_VENDOR_BASE_URLS: set(
    wordList(),
    '',
    'Where vendors of speech are instead of at their own hosts: `name=address`, comma-separated, as in `whisper=http://localhost:8000,deepgram=https://api.eu.deepgram.com`. The keys above are sent there.',
  ),
}
