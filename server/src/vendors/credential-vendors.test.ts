// Whose credentials a vendor of speech uses: what it needs is what its company is asked for, no more and no less.

import { credentialNameOf } from '@parley/contract/companies'
import { expect, it } from 'vitest'
import { readConfig } from '../platform/config.ts'
import type { SttVendor, TtsVendor } from '../ports/vendor.ts'
import { credentialVendors } from './credential-vendors.ts'
import { sttVendors, ttsVendors } from './index.ts'

const speech: readonly [string, TtsVendor | SttVendor][] = [
  ...Object.entries<TtsVendor>(ttsVendors),
  ...Object.entries<SttVendor>(sttVendors),
]

it.each(speech)('%s can be used with what its company has to be given', (name, vendor) => {
  const company = credentialVendors({ vendorAccounts: {} })[credentialNameOf(name)]
  const required = company?.fields.filter(({ isRequired }) => isRequired).map((field) => field.name)
  expect(required?.toSorted()).toEqual(vendor.credentials.toSorted())
  expect(company?.agentNames).toContain(name)
})

// As it may have been stored, or set by an operator.
const stray = { region: 'example.com/?', location: 'user@example.com:1/#' }
const usual = { region: 'westeurope', location: 'eu' }

it.each(speech)('%s is its own host, whatever is written as its region', async (_, { host, check }) => {
  const key = { privateKey: 'none', client_email: 'x', project_id: 'p' }
  const secrets = { apiKey: 'k', accessKeyId: 'k', secretAccessKey: 'k', serviceAccount: JSON.stringify(key) }
  const domainsOf = async (place: Readonly<Record<string, string>>) => {
    const own = typeof host === 'function' ? host(place) : host
    const urls = [`https://${own}`]
    try {
      const asked = await check?.({ credentials: { ...secrets, ...place } })
      if (asked) urls.push(asked.url)
    } catch {
      // Google signs with the key, which is none.
    }
    return urls.map((url) => new URL(url).host.split('.').slice(-2).join('.'))
  }
  expect(await domainsOf(stray)).toEqual(await domainsOf(usual))
})

const settings = {
  PARLEY_AZURE_SPEECH_KEY: 'k',
  PARLEY_AZURE_SPEECH_REGION: 'westeurope',
  PARLEY_GOOGLE_SERVICE_ACCOUNT: '{}',
  PARLEY_POLLY_ACCESS_KEY_ID: 'k',
  PARLEY_POLLY_SECRET_ACCESS_KEY: 'k',
  PARLEY_POLLY_REGION: 'eu-west-1',
  ...Object.fromEntries(
    'deepgram elevenlabs openai cartesia rime smallest sarvam pixa assembly gladia soniox whisper gemini'
      .split(' ')
      .map((name) => [`PARLEY_${name.toUpperCase()}_API_KEY`, 'k']),
  ),
}

it.each(speech)('%s can be used with the settings of the installation', (name, vendor) => {
  const { vendorAccounts } = readConfig(settings)
  const given = vendorAccounts[credentialNameOf(name)]?.credentials ?? {}
  expect(Object.keys(given)).toEqual(expect.arrayContaining([...vendor.credentials]))
})
