// The trunk of a number as it is stored: defaults applied, sealed as a whole, its secrets shown by their ends and never
// sent to a host that they were not given for.
import {
  type Fault,
  type ShownCredentials,
  type SipCredentials,
  type SipCredentialsChange,
  trunkCodecs,
} from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { sealedColumn } from '../../platform/reseal.ts'
import type { Vault } from '../../platform/secrets.ts'
import { looksMasked, shownSecret } from '../agents/agents.ts'

/** Every default is applied; secrets are readable. */
export type TrunkCredentials = ShownCredentials

const purpose = 'trunk credentials'

export const sealedTrunks = sealedColumn('phone_numbers', 'credentials', 'phone_number_id', purpose)

export const sealTrunkCredentials = (
  vault: Vault,
  { workspaceId, numberId }: { workspaceId: string; numberId: string },
  credentials: TrunkCredentials,
): Buffer => vault.seal(workspaceId, purpose, numberId, JSON.stringify(credentials))

/** Fields that a trunk of an earlier release lacks have their defaults. */
export const openTrunkCredentials = (vault: Vault, numberId: string, sealed: Buffer): TrunkCredentials =>
  withDefaults(JSON.parse(vault.open(purpose, numberId, sealed)))

export function newCredentials(written: SipCredentials): TrunkCredentials {
  refuse(maskedValues(written))
  return checked(withDefaults(written))
}

/** A value that is sent back as it was shown stands for the one that is stored. */
export function changedCredentials(
  before: TrunkCredentials,
  { headers, ...change }: SipCredentialsChange,
): TrunkCredentials {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const after = withDefaults({
    ...before,
    ...given,
    ...(headers && { headers: unmasked(headers, before.headers) }),
  })
  const password = after.password === masked(before.password) ? before.password : after.password
  const moved = {
    ...after,
    password,
    inbound_users: unmaskedUsers(after.inbound_users, before.inbound_users),
  }
  refuse([
    ...maskedValues(moved),
    ...(before.host === after.host ? [] : secretsOfAnotherHost(before, change, moved)),
  ])
  return checked(moved)
}

export const shownCredentials = (credentials: TrunkCredentials): ShownCredentials => ({
  ...credentials,
  password: masked(credentials.password),
  headers: mapValues(credentials.headers, (value) => masked(value)),
  inbound_users: credentials.inbound_users.map(({ username, password }) => ({
    username,
    password: masked(password),
  })),
})

const withDefaults = (written: SipCredentials): TrunkCredentials => ({
  host: written.host ?? null,
  port: written.port ?? null,
  transport: written.transport ?? 'udp',
  username: written.username ?? null,
  password: written.password ?? null,
  register: written.register ?? false,
  inbound_allow: written.inbound_allow ?? [],
  codecs: written.codecs ?? [...trunkCodecs],
  headers: written.headers ?? {},
  srtp: written.srtp ?? 'off',
  symmetric_rtp: written.symmetric_rtp ?? true,
  from_user: written.from_user ?? null,
  identity_header: written.identity_header ?? 'P-Asserted-Identity',
  number_format: written.number_format ?? 'e164',
  prefixes: written.prefixes ?? [],
  inbound_users: written.inbound_users ?? [],
  caller_verification: written.caller_verification ?? 'off',
  full_status: written.full_status ?? 503,
  unanswered_status: written.unanswered_status ?? 480,
})

/** What the fields must be together. */
function checked(credentials: TrunkCredentials): TrunkCredentials {
  const { host, username, password, register } = credentials
  const faults: Fault[] = []
  if (host === null && credentials.inbound_users.length === 0)
    faults.push(
      at(
        'host',
        'Needs the host of a trunk or a PBX; a number without one needs inbound_users, the telephones that log in here.',
      ),
    )
  if (host === null && (register || username !== null))
    faults.push(at('host', 'A username is for a trunk: give its host, or leave username and register out.'))
  if (username !== null && password === null)
    faults.push(
      at(
        'password',
        'A username needs its password; for a trunk that knows us by our address leave both out.',
      ),
    )
  if (username === null && password !== null) faults.push(at('username', 'A password needs its username.'))
  if (username === null && register)
    faults.push(
      at(
        'register',
        'Registering needs a username and a password; a trunk that knows us by our address needs none of it.',
      ),
    )
  refuse(faults)
  return credentials
}

/** A user who may change a number may not learn its secrets by having them sent to a host of their own. */
function secretsOfAnotherHost(
  before: TrunkCredentials,
  change: SipCredentialsChange,
  after: TrunkCredentials,
): Fault[] {
  const again = 'Is stored for another host: give it again, or null.'
  const kept = Object.keys(after.headers).filter((name) => after.headers[name] === before.headers[name])
  return [
    ...(after.password !== null && (change.password ?? null) !== after.password
      ? [at('password', again)]
      : []),
    ...kept.map((name) =>
      at(`headers.${name}`, 'Is stored for another host: give it again, or leave it out.'),
    ),
  ]
}

const unmasked = (written: Record<string, string>, stored: Record<string, string>): Record<string, string> =>
  mapValues(written, (value, name) =>
    stored[name] !== undefined && value === masked(stored[name]) ? stored[name] : value,
  )

const unmaskedUsers = (
  written: TrunkCredentials['inbound_users'],
  stored: TrunkCredentials['inbound_users'],
): TrunkCredentials['inbound_users'] =>
  written.map(({ username, password }) => {
    const known = stored.find((one) => one.username === username)?.password
    return { username, password: known !== undefined && password === masked(known) ? known : password }
  })

const maskedValues = ({
  password,
  headers,
  inbound_users: users,
}: Pick<SipCredentials, 'password' | 'headers' | 'inbound_users'>): Fault[] => {
  const notStored = 'Is how a stored secret is shown, and there is no such secret here: give it itself.'
  return [
    ...(password != null && looksMasked(password) ? [at('password', notStored)] : []),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) =>
      value.includes('…') ? [at(`headers.${name}`, notStored)] : [],
    ),
    ...(users ?? []).flatMap((user, place) =>
      looksMasked(user.password) ? [at(`inbound_users.${place}.password`, notStored)] : [],
    ),
  ]
}

const at = (field: string, message: string): Fault => ({ path: `credentials.${field}`, message })

function refuse(details: Fault[]): void {
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

function masked(secret: string): string
function masked(secret: string | null): string | null
function masked(secret: string | null): string | null {
  return secret && shownSecret(secret)
}

const mapValues = <To>(
  values: Record<string, string>,
  map: (value: string, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))
