// Which numbers a workspace may call: a pure decision, for new calls, batches and transfers.
import { isEmergencyDialled, isEmergencyNumber, isShortNumber } from './emergency-numbers.ts'
import { callingCodeOf, countryName, globalServices, isCountry, rangeOf } from './numbering-plan.ts'

/** The country that a number of ours is in, in E.164 form; null: none is known. */
export const countryOf = (number: string): string | null => rangeOf(number).country ?? null

export { isCountry }

export interface DestinationPolicy {
  /** True if nobody is really called, so that everything but emergency numbers may be. */
  readonly simulated: boolean
  /** As ISO 3166 writes them. */
  readonly countries: readonly string[]
  /** Ranges of numbers, such as +8816, besides the countries. */
  readonly prefixes: readonly string[]
  /** Hosts of SIP addresses: those of the workspace's own trunks. */
  readonly hosts: readonly string[]
  /** The users of telephones that log in here; they are called by user, whatever host an address names. */
  readonly users: readonly string[]
}

export interface StoredPolicy {
  /** The countries and prefixes that were set; null: the countries of the workspace's own numbers. */
  readonly allowed: readonly string[] | null
  readonly ownCountries: readonly (string | null)[] | null
  readonly ownHosts: readonly (string | null)[] | null
  readonly ownUsers: readonly string[]
}

export function policyOf(
  { allowed, ownCountries, ownHosts, ownUsers }: StoredPolicy,
  simulated = false,
): DestinationPolicy {
  const listed = allowed ?? known(ownCountries)
  return {
    simulated,
    countries: listed.filter((entry) => !entry.startsWith('+')),
    prefixes: listed.filter((entry) => entry.startsWith('+')),
    hosts: known(ownHosts),
    users: ownUsers,
  }
}

const known = (values: readonly (string | null)[] | null): string[] =>
  (values ?? []).filter((value) => value !== null)

/** Labels of the counter of refusals. */
export type RefusedKind =
  | 'emergency'
  | 'premium'
  | 'shared_cost'
  | 'personal'
  | 'pager'
  | 'satellite'
  | 'unknown'
  | 'country'
  | 'address'

export type DestinationVerdict =
  | { readonly is: 'allowed' }
  /** `message`: in sentences, with what to do about it if anything can be done. */
  | { readonly is: 'refused'; readonly kind: RefusedKind; readonly message: string }

const allowed: DestinationVerdict = { is: 'allowed' }
const refused = (kind: RefusedKind, message: string): DestinationVerdict => ({ is: 'refused', kind, message })

/** `to`: a number in E.164 form, or a SIP address. */
export const mayDial = (to: string, policy: DestinationPolicy): DestinationVerdict =>
  to.startsWith('+') ? mayDialNumber(to, policy) : mayDialAddress(to, policy)

// Kinds of numbers for which the caller pays what the called party asks for.
const costly = {
  PREMIUM_RATE: ['premium', 'a premium-rate number'],
  SHARED_COST: ['shared_cost', 'a shared-cost number'],
  PERSONAL_NUMBER: ['personal', 'a personal number, which is charged like a premium-rate number'],
  PAGER: ['pager', 'the number of a pager'],
} as const satisfies Record<string, readonly [RefusedKind, string]>

const costlyServices: Readonly<Record<string, RefusedKind>> = {
  '808': 'shared_cost',
  '878': 'personal',
  '979': 'premium',
}

function mayDialNumber(to: string, policy: DestinationPolicy): DestinationVerdict {
  const digits = to.slice(1)
  if (isEmergencyNumber(digits)) return emergency(to)
  if (policy.simulated) return allowed
  if (isShortNumber(digits)) return emergency(to)
  const { country, type } = rangeOf(to)
  const code = callingCodeOf(digits)
  const service = code === undefined ? undefined : globalServices.get(code)
  const costs = type !== undefined && type in costly ? costly[type as keyof typeof costly] : undefined
  if (costs) return refused(costs[0], `${to} is ${costs[1]}; agents do not call these.`)
  const costlyService = costlyServices[code ?? '']
  if (costlyService) return refused(costlyService, `${to} belongs to ${service}; agents do not call these.`)
  if (policy.prefixes.some((prefix) => covers(prefix, to, code))) return allowed
  if (service !== undefined)
    return refused(
      'satellite',
      `${to} belongs to ${service}, at prices far above those of telephones. To allow it, add a prefix such as ${to.slice(0, 6)} to allowed_destinations of the workspace.`,
    )
  if (type === undefined)
    return refused(
      'unknown',
      `${to} is in no range of numbers that is assigned. If it is right, add its first digits to allowed_destinations of the workspace.`,
    )
  if (country !== undefined && policy.countries.includes(country)) return allowed
  if (policy.prefixes.some((prefix) => to.startsWith(prefix))) return allowed
  return refused('country', elsewhere(to, country, policy))
}

/** A prefix that is longer than the country code means this very range, whatever is known of it. */
const covers = (prefix: string, to: string, code: string | undefined): boolean =>
  prefix.length > 1 + (code?.length ?? 0) && to.startsWith(prefix)

const mostNamed = 8

function elsewhere(
  to: string,
  country: string | undefined,
  { countries, prefixes }: DestinationPolicy,
): string {
  const where = country === undefined ? 'in a country that cannot be told' : `in ${countryName(country)}`
  const names = [...countries.map(countryName), ...prefixes].slice(0, mostNamed)
  const mays = names.length > 0 ? `It may call ${names.join(', ')}.` : 'It may call no country yet.'
  return `${to} is ${where}, where this workspace may not call. ${mays} To allow it, add ${country ?? 'its country'} to allowed_destinations of the workspace.`
}

const emergency = (to: string): DestinationVerdict =>
  refused('emergency', `${to} is an emergency or service number. Agents never call these: a person has to.`)

const sipAddress = /^sips?:([^@]+)@([^:;?]+)/i
// An extension of a PBX. Longer ones are telephone numbers as that PBX writes them, which no rule here could judge.
const extension = /^\d{1,6}$/

function mayDialAddress(to: string, policy: DestinationPolicy): DestinationVerdict {
  const [, written = '', host = ''] = sipAddress.exec(to) ?? []
  const user = unescaped(written).replaceAll(/[-.()]/g, '')
  const isDigits = /^\+?\d+$/.test(user)
  if (isDigits && isEmergencyDialled(user.replace('+', ''), policy.countries)) return emergency(to)
  if (policy.simulated) return allowed
  const isOwnHost = policy.hosts.some((own) => own.toLowerCase() === host.toLowerCase())
  if (!isOwnHost && policy.users.some((own) => own.toLowerCase() === unescaped(written).toLowerCase()))
    return allowed
  if (!isOwnHost)
    return refused(
      'address',
      `${to} is at ${host || 'no host'}, which is not the host of one of this workspace's own trunks, nor is ${user || 'nobody'} one of its inbound_users. Agents call these only.`,
    )
  if (!isDigits || extension.test(user)) return allowed
  if (user.startsWith('+')) return mayDialNumber(user, policy)
  return refused(
    'address',
    `${to} has a telephone number as its user. Write it in E.164 form, with + and the country.`,
  )
}

function unescaped(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}
