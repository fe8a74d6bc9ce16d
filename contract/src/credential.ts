// Credentials for vendors of speech and of language models, by workspace.
import { z } from 'zod'
import { voiceAddresses } from './addresses.ts'
import { credentialNames } from './companies.ts'
import { exampleTimes } from './example-values.ts'
import { operation } from './operation.ts'
import { listOf, Text, Timestamp } from './words.ts'

const vendorUses = ['synthesizer', 'transcriber', 'language_model'] as const

const VendorName = z.enum(credentialNames)

// A service account of Google's is a file of two to three thousand characters.
const mostChars = 10_000

const WebAddress = z.url({ protocol: /^https?$/, error: 'Must be a web address.' }).max(2_000)

/** By what a vendor is asked for. */
const addressesOf = (address: z.ZodType<string>) =>
  z
    .strictObject({
      synthesizer: address.optional().describe('Of its voices. Left out: `base_url`.'),
      transcriber: address.optional().describe('Of its recognition in calls. Left out: `base_url`.'),
      language_model: address.optional().describe('Of its models. Left out: `base_url`.'),
      realtime: address.optional().describe('Of its realtime models. Left out: `base_url`.'),
      recordings: address.optional().describe('Of its transcription of recordings. Left out: `base_url`.'),
    })
    .describe('Addresses of single services.')

const CredentialField = z
  .strictObject({
    name: Text.describe('What it is called in `credentials`.'),
    is_required: z.boolean().describe('Whether the vendor cannot work without it.'),
    is_secret: z.boolean().describe('Whether it is shown by its ends only.'),
  })
  .meta({ id: 'CredentialField', description: 'One of the values that a vendor needs.' })

export const CredentialCheck = z
  .strictObject({
    ok: z
      .boolean()
      .nullable()
      .describe('Whether the vendor accepts the credentials. null: it could not be found out.'),
    http_status: z
      .int()
      .nullable()
      .describe('The status code of the vendor’s answer. null: it was not reached, or not asked.'),
    message: Text.describe(
      'The same in a sentence, with the reason that the vendor gave; then the models of the vendor that agents of the workspace use and that end, or have ended.',
    ),
    checked_at: Timestamp.describe('When it was asked.'),
  })
  .meta({ id: 'CredentialCheck', description: 'What a vendor answered to one harmless request.' })
export type CredentialCheck = z.infer<typeof CredentialCheck>

export const VendorCredentials = z
  .strictObject({
    vendor: VendorName.describe('Its name in addresses.'),
    label: Text.describe('Its name, for people.'),
    uses: listOf(z.enum(vendorUses)).describe('What its credentials are used for.'),
    agent_names: listOf(Text).describe('What an agent names as `provider` to use them.'),
    fields: listOf(CredentialField).describe('What it needs.'),
    source: z
      .enum(['workspace', 'installation', 'none'])
      .describe(
        'Whose credentials calls of this workspace use: its own, those of the installation (set by its operator), or none; without any, calls use the offline engines.',
      ),
    credentials: z
      .record(Text, Text)
      .nullable()
      .describe(
        "The workspace's own; secrets are shown by their ends and cannot be read back. null: it has none.",
      ),
    base_url: Text.nullable().describe('Where the vendor is asked instead of at its own host. null: there.'),
    base_urls: addressesOf(Text)
      .nullable()
      .describe('Where single services are asked instead of at `base_url`. null: all of them there.'),
    last_check: CredentialCheck.nullable().describe('The last answer. null: it was never asked.'),
    updated_at: Timestamp.nullable().describe('When they were stored. null: the workspace has none.'),
  })
  .meta({
    id: 'VendorCredentials',
    description: 'A vendor, and the credentials that a workspace has for it.',
  })
export type VendorCredentials = z.infer<typeof VendorCredentials>

export const NewCredentials = z
  .strictObject({
    credentials: z
      .record(Text.min(1).max(64), Text.min(1).max(mostChars))
      .describe('By the names in `fields` of the vendor. Everything that was stored before is replaced.'),
    base_url: WebAddress.nullish().describe(
      'An address of your own for this vendor: a region, a proxy, a server of your own. It gets the credentials. Left out: the vendor’s own host.',
    ),
    base_urls: addressesOf(WebAddress)
      .nullish()
      .describe(
        'The same for single services, as for voices of a server of your own and recognition at the vendor. Left out or null: none.',
      ),
  })
  .meta({ id: 'NewCredentials', description: 'The credentials for a vendor.' })
export type NewCredentials = z.infer<typeof NewCredentials>

const ByVendor = z.strictObject({
  vendor: VendorName.describe('A vendor that `listCredentials` lists.'),
})
const tag = 'Credentials'
const byVendor = { params: { vendor: 'deepgram' } }
const check = {
  ok: true,
  http_status: 200,
  message: 'The key is valid.',
  checked_at: exampleTimes.created,
}
const deepgram = {
  vendor: 'deepgram',
  label: 'Deepgram',
  uses: ['synthesizer', 'transcriber'],
  agent_names: ['deepgram'],
  fields: [{ name: 'api_key', is_required: true, is_secret: true }],
  source: 'workspace',
  credentials: { api_key: 'f3a…91bc' },
  base_url: null,
  base_urls: null,
  last_check: check,
  updated_at: exampleTimes.created,
}

export const listCredentials = operation({
  ...voiceAddresses.listCredentials,
  tag,
  summary: 'List the vendors, and which of them can be used',
  description:
    'Every vendor of speech and of language models that agents can name, with what it needs and whose credentials calls of this workspace use. The [guide](/docs/guide/vendors) has each of them.',
  data: z.strictObject({
    vendors: listOf(VendorCredentials).describe('Every vendor, always in the same order.'),
  }),
  example: { data: { vendors: [deepgram] } },
})

export const getCredentials = operation({
  ...voiceAddresses.getCredentials,
  tag,
  summary: 'Get one vendor, and whether it can be used',
  description:
    'The same as in the list: what the vendor needs, whose credentials calls of this workspace use, and what it last said to them. Secrets are shown by their ends and cannot be read back. A vendor without credentials is answered too: its `source` says so.',
  params: ByVendor,
  data: VendorCredentials,
  example: { ...byVendor, data: deepgram },
})

export const putCredentials = operation({
  ...voiceAddresses.putCredentials,
  tag,
  summary: 'Store the credentials for a vendor',
  description:
    'They are kept encrypted, never shown again, and sent to the vendor’s own host only, or to the addresses that are given with them, each of which must be public https or a host in PARLEY_TRUSTED_HOSTS (URL_NOT_PUBLIC). The vendor is asked at once whether they are valid: `last_check` of the answer says what it said. Calls that begin from now on use them.',
  params: ByVendor,
  body: NewCredentials,
  data: VendorCredentials,
  example: { ...byVendor, body: { credentials: { api_key: 'f3a0c55e7d2b4891bc' } }, data: deepgram },
})

export const deleteCredentials = operation({
  ...voiceAddresses.deleteCredentials,
  tag,
  summary: 'Delete the credentials for a vendor',
  description:
    'Calls that begin from now on use those of the installation, if there are any, or the offline engines. Calls under way go on.',
  params: ByVendor,
  data: z.strictObject({
    vendor: VendorName.describe('The vendor whose credentials were deleted.'),
    deleted: z.literal(true).describe('They are deleted.'),
  }),
  example: { ...byVendor, data: { vendor: 'deepgram', deleted: true } },
})

export const checkCredentials = operation({
  ...voiceAddresses.checkCredentials,
  tag,
  summary: 'Ask a vendor whether the credentials are valid',
  description:
    'Sends one harmless request with the credentials that calls of this workspace would use. The 200 of this operation does not prove that they work: `ok` of the answer says that.',
  params: ByVendor,
  data: CredentialCheck,
  example: { ...byVendor, data: check },
})
