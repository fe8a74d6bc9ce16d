// The rules of telephone numbers; other resources use them only through this module.
import {
  type AnyNumberProvider,
  carriersByTrunk,
  type NewPhoneNumber,
  type NumberCheck,
  type NumberProvider,
  type NumberRegistration,
  type PageQuery,
  type PhoneNumberChange,
  paginate,
  type StoredPhoneNumber,
} from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import type { Work } from '../../http/work.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import { orTrusted } from '../../platform/guard/rules.ts'
import { newId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { CheckTrunk } from '../../ports/trunk.ts'
import { type Agents, idsIn, type ReferenceKind } from '../agents/agents.ts'
import { countryOf } from '../destinations/destinations.ts'
import {
  changedCredentials,
  newCredentials,
  openTrunkCredentials,
  sealTrunkCredentials,
  shownCredentials,
  type TrunkCredentials,
} from './credentials.ts'
import {
  findNumber,
  hasNumber,
  insertNumber,
  lockNumber,
  type NumberFilter,
  type NumberRow,
  type NumberUse,
  pageOfNumbers,
  removeNumber,
  updateNumber,
  useOfNumber,
} from './store.ts'
import { type RegistrationRow, registrationsOf } from './trunk-leases.ts'
import { trunkOf } from './trunks.ts'

export { sealedTrunks } from './credentials.ts'
export { type FirstRecipient, type Outbound, type OutboundLines, outbound } from './outbound.ts'
export { checkElsewhere } from './trunk-checks.ts'

export interface PhoneNumberParts {
  readonly db: Db
  readonly vault: Vault
  readonly agents: Pick<Agents, 'mustExist'>
  /** Checks the hosts of trunks. */
  readonly guard: Pick<Guard, 'inspect'>
  readonly checkTrunk: CheckTrunk
}

export const phoneNumbers = ({ db, vault, agents, guard, checkTrunk }: PhoneNumberParts) => {
  const mustHaveAgents = async (workspaceId: string, change: AgentsOfNumber): Promise<void> => {
    for (const field of ['inbound_agent_id', 'outbound_agent_id'] as const) {
      const agentId = change[field]
      if (agentId != null) await agents.mustExist(workspaceId, agentId, field)
    }
  }
  const opened = ({ phone_number_id, credentials }: NumberRow): TrunkCredentials | null =>
    credentials && openTrunkCredentials(vault, phone_number_id, credentials)
  const views = async (rows: readonly NumberRow[]): Promise<StoredPhoneNumber[]> => {
    const trunks = rows.map((row) => ({ row, credentials: opened(row) }))
    const registering = trunks.filter(({ credentials }) => credentials?.register).map(({ row }) => row)
    const ids = registering.filter(({ status }) => status === 'active').map((row) => row.phone_number_id)
    const registrations = ids.length === 0 ? new Map() : await registrationsOf(db, ids)
    return trunks.map(({ row, credentials }) =>
      viewOf(row, credentials, registrations.get(row.phone_number_id)),
    )
  }
  const view = async (row: NumberRow) => (await views([row]))[0] as StoredPhoneNumber

  return {
    async create(workspaceId: string, wish: NewPhoneNumber, work: Work): Promise<StoredPhoneNumber> {
      const provider = mustWork(wish.provider)
      const credentials = credentialsFor(provider, wish)
      await mustHaveAgents(workspaceId, wish)
      if (credentials) await mustBeReachable(guard, credentials)
      if (await hasNumber(db, workspaceId, wish.phone_number)) exists(wish.phone_number)
      const id = newId()
      const at = new Date()
      const row: NumberRow = {
        phone_number_id: id,
        workspace_id: workspaceId,
        phone_number: wish.phone_number,
        country: countryOf(wish.phone_number),
        provider,
        label: wish.label ?? null,
        inbound_agent_id: wish.inbound_agent_id ?? null,
        outbound_agent_id: wish.outbound_agent_id ?? null,
        status: wish.status ?? 'active',
        max_concurrency: wish.max_concurrency ?? null,
        credentials: credentials && sealTrunkCredentials(vault, { workspaceId, numberId: id }, credentials),
        host: credentials?.host ?? null,
        inbound_users: usersOf(credentials),
        created_at: at,
        updated_at: at,
      }
      work.add(insertNumber(row))
      return viewOf(row, credentials)
    },

    async list(workspaceId: string, filter: NumberFilter, query: PageQuery) {
      const { rows, total } = await pageOfNumbers(db, workspaceId, filter, query)
      return { data: await views(rows), pagination: paginate(query, total) }
    },

    get: async (workspaceId: string, numberId: string): Promise<StoredPhoneNumber> =>
      view(await find(db, workspaceId, numberId)),

    async update(
      workspaceId: string,
      numberId: string,
      change: PhoneNumberChange,
    ): Promise<StoredPhoneNumber> {
      const current = await find(db, workspaceId, numberId)
      await mustHaveAgents(workspaceId, change)
      // The host is looked up before the row is locked: name servers are slow.
      if (change.credentials) await mustBeReachable(guard, changed(current, opened(current), change))
      const after = await db.transaction(async (tx) => {
        const before = (await lockNumber(tx, workspaceId, numberId)) ?? fail('PHONE_NUMBER_NOT_FOUND')
        const { credentials: _, ...fields } = change
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
        const credentials = change.credentials ? changed(before, opened(before), change) : undefined
        const sealed = credentials && {
          credentials: sealTrunkCredentials(
            vault,
            { workspaceId, numberId: before.phone_number_id },
            credentials,
          ),
          host: credentials.host,
          inbound_users: usersOf(credentials),
        }
        return updateNumber(tx, { ...before, ...given, ...sealed })
      })
      return view(after)
    },

    /** Refused while something would go out from another number instead. */
    async remove(workspaceId: string, numberId: string) {
      await db.transaction(async (tx) => {
        const row = (await lockNumber(tx, workspaceId, numberId)) ?? fail('PHONE_NUMBER_NOT_FOUND')
        const message = useIn(await useOfNumber(tx, workspaceId, row.phone_number_id))
        if (message) fail('RESOURCE_IN_USE', { message })
        await removeNumber(tx, row.phone_number_id)
      })
      return { phone_number_id: numberId.toLowerCase(), deleted: true as const }
    },

    /** Asks the far end of its trunk. */
    async check(workspaceId: string, numberId: string): Promise<NumberCheck> {
      const row = await find(db, workspaceId, numberId)
      const credentials = opened(row)
      if (!credentials) return { ok: true, registered: null, options_ms: null, message: noTrunk }
      if (row.status === 'inactive')
        return { ok: false, registered: null, options_ms: null, message: inactive }
      const { ok, registered, optionsMs, message } = await checkTrunk(trunkOf(row, credentials))
      return { ok, registered, options_ms: optionsMs, message }
    },
  }
}

/** The ids of numbers in agents. */
export const phoneNumberReference = (db: Queries): ReferenceKind => ({
  field: 'phone_number_id',
  name: 'phone number',
  existing: idsIn(db, 'phone_numbers', 'phone_number_id'),
})

type AgentsOfNumber = Pick<PhoneNumberChange, 'inbound_agent_id' | 'outbound_agent_id'>

export type PhoneNumbers = ReturnType<typeof phoneNumbers>

const noTrunk = 'This number belongs to the sandbox, which simulates its calls; there is no trunk to check.'
const inactive =
  'This number is inactive, so its trunk is not used. Set its status to active with PATCH /phone-numbers/{id}.'

const find = async (db: Queries, workspaceId: string, numberId: string): Promise<NumberRow> =>
  (await findNumber(db, workspaceId, numberId)) ?? fail('PHONE_NUMBER_NOT_FOUND')

const exists = (phoneNumber: string): never =>
  fail('PHONE_NUMBER_EXISTS', {
    details: [{ path: 'phone_number', message: `${phoneNumber} is stored in this workspace already.` }],
  })

const isCarrierByTrunk = (name: AnyNumberProvider): name is (typeof carriersByTrunk)[number] =>
  (carriersByTrunk as readonly string[]).includes(name)

function mustWork(name: AnyNumberProvider): NumberProvider {
  if (!isCarrierByTrunk(name)) return name
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  const message = `${title} is connected by its SIP trunk: write sip, and the host and the user of the trunk in credentials.`
  return refuseField('provider', message)
}

function credentialsFor(provider: NumberProvider, { credentials }: NewPhoneNumber): TrunkCredentials | null {
  const refuse = (message: string) => refuseField('credentials', message)
  if (provider === 'sandbox')
    return credentials == null ? null : refuse('A number of the sandbox has no trunk; leave it out.')
  return credentials == null
    ? refuse('A number with a SIP trunk needs its credentials, at least the host.')
    : newCredentials(credentials)
}

function changed(
  { provider }: NumberRow,
  before: TrunkCredentials | null,
  { credentials }: PhoneNumberChange,
): TrunkCredentials {
  if (before && credentials) return changedCredentials(before, credentials)
  return refuseField('credentials', `A number of the ${provider} has no trunk; leave it out.`)
}

const usersOf = (credentials: TrunkCredentials | null): string[] =>
  (credentials?.inbound_users ?? []).map(({ username }) => username)

const usualPort = { udp: 5060, tcp: 5060, tls: 5061 } as const

async function mustBeReachable(guard: Pick<Guard, 'inspect'>, credentials: TrunkCredentials): Promise<void> {
  const { host, transport } = credentials
  if (host === null) return
  const port = credentials.port ?? usualPort[transport]
  // The guard reads web addresses; only host and port count here.
  const verdict = await guard.inspect(`https://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (!verdict.ok) refuseField('credentials.host', orTrusted(verdict, 'PBX', host))
}

function useIn({ agents, batches, calls }: NumberUse): string | undefined {
  const many = (count: number, one: string, more: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : more}`]
  const users = [
    ...many(agents, 'agent', 'agents'),
    ...many(batches, 'batch', 'batches'),
    ...many(calls, 'call that has not ended', 'calls that have not ended'),
  ]
  if (users.length === 0) return undefined
  return `This number is used by ${users.join(', ')}. Give them another number or let them end; to stop it at once, set its status to inactive.`
}

/** A registration is kept by no process for a moment, when it changes hands. */
const registrationView = ({ is_held, state, reason, changed_at }: RegistrationRow): NumberRegistration => ({
  state: is_held ? state : 'registering',
  reason: is_held ? reason : null,
  since: changed_at.toISOString(),
})

const viewOf = (
  row: NumberRow,
  credentials: TrunkCredentials | null,
  registration?: RegistrationRow,
): StoredPhoneNumber => ({
  phone_number_id: row.phone_number_id,
  phone_number: row.phone_number,
  provider: row.provider,
  label: row.label,
  inbound_agent_id: row.inbound_agent_id,
  outbound_agent_id: row.outbound_agent_id,
  status: row.status,
  max_concurrency: row.max_concurrency,
  credentials: credentials && shownCredentials(credentials),
  registration: registration ? registrationView(registration) : null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
