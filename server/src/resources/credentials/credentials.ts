// The rules of credentials for vendors; other resources use them only through this module.
import type { CredentialCheck, NewCredentials, VendorCredentials } from '@parley/contract'
import { type CredentialName, credentialNames } from '@parley/contract/companies'
import { modelEndSentence, type ToldEnds } from '@parley/contract/model-ends'
import { fail } from '../../http/failure.ts'
import type { Queries } from '../../platform/db/db.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import type { SealedColumn } from '../../platform/reseal.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { AccountPlan } from '../../ports/call-plan.ts'
import type { CheckAnswer, CredentialVendor } from '../../ports/vendor.ts'
import { modelsOfAgents, shownSecret } from '../agents/agents.ts'
import { addressesIn, askAtEach, mustBeReachable } from './addresses.ts'
import {
  type CredentialsRow,
  credentialsOf,
  rememberCheck,
  removeCredentials,
  storeCredentials,
} from './store.ts'

/** What a workspace has stored, by the names of the vendors. */
export type AccountsOf = (workspaceId: string) => Promise<Readonly<Record<string, AccountPlan>>>

/** Reads accounts for work outside of a call; calls are claimed with theirs. */
export const workspaceAccounts =
  (db: Queries, vault: Vault): AccountsOf =>
  async (workspaceId) =>
    Object.fromEntries(
      [...(await credentialsOf(db, workspaceId))].map(([vendor, row]) => [
        vendor,
        {
          credentials: openCredentials(vault, workspaceId, vendor, row.sealed),
          baseUrl: row.base_url ?? undefined,
          ...(row.base_urls && { baseUrls: row.base_urls }),
        },
      ]),
    )

/** The vendors that a workspace has credentials for. */
export const storedNames = async (db: Queries, workspaceId: string): Promise<ReadonlySet<string>> =>
  new Set((await credentialsOf(db, workspaceId)).keys())

export interface CredentialParts {
  readonly db: Queries
  readonly vault: Vault
  /** Checks addresses that users give instead of a vendor's own. */
  readonly guard: Pick<Guard, 'inspect' | 'lookupFor'>
  readonly vendors: Readonly<Record<string, CredentialVendor>>
  readonly now?: () => Date
}

export const credentials = ({ db, vault, guard, vendors, now = () => new Date() }: CredentialParts) => {
  const vendorNamed = (name: string): CredentialVendor => vendors[name] ?? fail('CREDENTIALS_NOT_FOUND')

  const ask = async (
    workspaceId: string,
    vendor: CredentialVendor,
    account: AccountPlan,
  ): Promise<CredentialCheck> => told(workspaceId, vendor, await askAtEach(vendor, account, guard))

  /** The answer with what it means for the agents of the workspace. */
  const told = async (
    workspaceId: string,
    vendor: CredentialVendor,
    { ok, status, message, ends }: CheckAnswer,
  ): Promise<CredentialCheck> => {
    const ending = ok ? await endsUsed(workspaceId, vendor, ends) : []
    const sentences = ending.length > 0 ? [message, 'Agents here use models that end.', ...ending] : [message]
    return { ok, http_status: status, message: sentences.join(' '), checked_at: now().toISOString() }
  }

  /** A sentence for each model that an agent of the workspace uses and the vendor ends. */
  const endsUsed = async (workspaceId: string, { agentNames }: CredentialVendor, told?: ToldEnds) => {
    const used = (await modelsOfAgents(db, workspaceId)).filter(({ provider }) =>
      agentNames.includes(provider),
    )
    const today = now().toISOString().slice(0, 10)
    const sentences = used.map(({ provider, model }) => modelEndSentence(provider, model, today, told))
    return [...new Set(sentences.filter((sentence) => sentence !== undefined))].toSorted()
  }

  const accountOf = (
    workspaceId: string,
    { vendor, sealed, base_url, base_urls }: CredentialsRow,
  ): AccountPlan => ({
    credentials: openCredentials(vault, workspaceId, vendor, sealed),
    baseUrl: base_url ?? undefined,
    ...(base_urls && { baseUrls: base_urls }),
  })

  return {
    async list(workspaceId: string): Promise<{ vendors: VendorCredentials[] }> {
      const stored = await credentialsOf(db, workspaceId)
      return { vendors: credentialNames.map((name) => viewOf(name, vendorNamed(name), stored.get(name))) }
    },

    async get(workspaceId: string, name: CredentialName): Promise<VendorCredentials> {
      return viewOf(name, vendorNamed(name), (await credentialsOf(db, workspaceId)).get(name))
    },

    async put(workspaceId: string, name: CredentialName, wish: NewCredentials): Promise<VendorCredentials> {
      const vendor = vendorNamed(name)
      const given = readGiven(vendor, wish.credentials)
      const baseUrl = wish.base_url ?? null
      const baseUrls = addressesIn(wish.base_urls)
      await mustBeReachable(guard, [
        ...(baseUrl === null ? [] : [{ path: 'base_url', url: baseUrl }]),
        ...Object.entries(baseUrls ?? {}).map(([name, url]) => ({ path: `base_urls.${name}`, url })),
      ])
      const account = { credentials: given, baseUrl: baseUrl ?? undefined, ...(baseUrls && { baseUrls }) }
      const row = await storeCredentials(db, workspaceId, {
        vendor: name,
        sealed: sealCredentials(vault, workspaceId, name, given),
        shown: shownOf(vendor, given),
        base_url: baseUrl,
        base_urls: baseUrls,
        last_check: await ask(workspaceId, vendor, account),
      })
      return viewOf(name, vendor, row)
    },

    async remove(workspaceId: string, name: CredentialName) {
      if (!(await removeCredentials(db, workspaceId, name))) fail('CREDENTIALS_NOT_FOUND')
      return { vendor: name, deleted: true as const }
    },

    /** Checks the installation's credentials if the workspace has none of its own. */
    async check(workspaceId: string, name: CredentialName): Promise<CredentialCheck> {
      const vendor = vendorNamed(name)
      const row = (await credentialsOf(db, workspaceId)).get(name)
      if (row) {
        const answer = await ask(workspaceId, vendor, accountOf(workspaceId, row))
        await rememberCheck(db, workspaceId, row, answer)
        return answer
      }
      const { installed = fail('CREDENTIALS_NOT_FOUND') } = vendor
      return told(workspaceId, vendor, await vendor.check(installed))
    },
  }
}

export type Credentials = ReturnType<typeof credentials>

/** Reads credentials by the names that vendors use inside; outside they are written in snake case. */
function readGiven(
  vendor: CredentialVendor,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = new Map(vendor.fields.map((field) => [wireName(field.name), field]))
  const names = [...known.keys()].join(', ') || 'none'
  const faults = [
    ...Object.keys(given)
      .filter((name) => !known.has(name))
      .map((name) => ({ path: `credentials.${name}`, message: `${vendor.label} takes ${names}.` })),
    ...[...known]
      .filter(([name, { isRequired }]) => isRequired && !given[name])
      .map(([name]) => ({ path: `credentials.${name}`, message: `${vendor.label} needs it.` })),
    ...Object.entries(given)
      .filter(([name, value]) => known.get(name)?.isSecret && value.includes('…'))
      .map(([name]) => ({
        path: `credentials.${name}`,
        message: 'Is how a stored secret is shown: give it itself.',
      })),
    // These values become a part of the vendor's host.
    ...Object.entries(given)
      .filter(([name, value]) => /^(region|location)$/.test(name) && /[^a-z\d-]/i.test(value.trim()))
      .map(([name]) => ({ path: `credentials.${name}`, message: 'Has letters, figures and hyphens only.' })),
  ]
  if (faults.length > 0) fail('VALIDATION_ERROR', { details: faults })
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [known.get(name)?.name ?? name, value.trim()]),
  )
}

const shownOf = (
  { fields }: CredentialVendor,
  given: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, isSecret }) => {
      const value = given[name]
      return value === undefined ? [] : [[wireName(name), isSecret ? shownSecret(value) : value]]
    }),
  )

function viewOf(
  name: CredentialName,
  { label, uses, agentNames, fields, installed }: CredentialVendor,
  row: CredentialsRow | undefined,
): VendorCredentials {
  return {
    vendor: name,
    label,
    uses: [...uses],
    agent_names: [...agentNames],
    fields: fields.map(({ name: field, isRequired, isSecret }) => ({
      name: wireName(field),
      is_required: isRequired,
      is_secret: isSecret,
    })),
    source: row ? 'workspace' : installed ? 'installation' : 'none',
    credentials: row?.shown ?? null,
    base_url: row?.base_url ?? null,
    base_urls: row?.base_urls ?? null,
    last_check: row?.last_check ?? null,
    updated_at: row?.updated_at.toISOString() ?? null,
  }
}

/** "secretAccessKey" → "secret_access_key". */
const wireName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const purpose = 'vendor credentials'
const placeOf = (workspaceId: string, vendor: string) => `${workspaceId}/${vendor}`

export const sealedVendorCredentials: SealedColumn = {
  table: 'vendor_credentials',
  column: 'sealed',
  primaryKey: ['workspace_id', 'vendor'],
  purpose,
  place: "t.workspace_id || '/' || t.vendor",
  workspace: 't.workspace_id',
}

const sealCredentials = (
  vault: Vault,
  workspaceId: string,
  vendor: string,
  credentials: Readonly<Record<string, string>>,
): Buffer => vault.seal(workspaceId, purpose, placeOf(workspaceId, vendor), JSON.stringify(credentials))

export const openCredentials = (
  vault: Vault,
  workspaceId: string,
  vendor: string,
  sealed: Buffer,
): Record<string, string> => JSON.parse(vault.open(purpose, placeOf(workspaceId, vendor), sealed))
