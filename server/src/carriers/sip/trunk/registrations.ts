// The registrations of all trunks, of which this process keeps those that no other process keeps.
import type { Log } from '../../../platform/log.ts'
import type { LeasedRegistration, Trunk, TrunkLeases } from '../../../ports/trunk.ts'
import type { SipCallParts } from '../call/call-parts.ts'
import { printHost } from '../message/uri.ts'
import type { SipEdge } from '../transport/edge.ts'
import type { TransportName } from '../transport/transport.ts'
import { Registration, type RegistrationState } from './registration.ts'

export interface RegistrationsParts {
  readonly leases: TrunkLeases
  readonly edge: Pick<SipEdge, 'routes'>
  readonly callParts: (transport: TransportName) => SipCallParts
  readonly random: (bytes: number) => string
  readonly after: SipCallParts['after']
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** A trunk with a host that requests are sent to. */
export type HostedTrunk = Trunk & { readonly host: string }
export const hasHost = (trunk: Trunk): trunk is HostedTrunk => trunk.host !== null

/** One binding at a registrar. Several numbers of one account share it, or each call would arrive once for each number. */
interface Account {
  readonly trunk: HostedTrunk
  /** The ids of all numbers of the account. */
  numbers: readonly string[]
  readonly contactUser: string
  readonly registration: Registration
  state: RegistrationState
}

/** How often leases are claimed: another process takes over the registrations of a dead one within about a second. */
const lookEveryMs = 1_000

export class Registrations {
  readonly #parts: RegistrationsParts
  /** The numbers of each account; the first stands for all in the leases. */
  #wanted = new Map<string, [HostedTrunk, ...HostedTrunk[]]>()
  readonly #accounts = new Map<string, Account>()
  /** The registrations that other processes keep, by number. */
  #elsewhere = new Map<string, LeasedRegistration>()
  #stopLooking = () => {}
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: RegistrationsParts) {
    this.#parts = parts
  }

  /** Sets the trunks that there are now. */
  want(trunks: readonly Trunk[]): Promise<void> {
    this.#wanted = new Map()
    for (const trunk of trunks.filter(hasHost)) {
      const key = accountOf(trunk)
      const others = key === null ? undefined : this.#wanted.get(key)
      if (others) others.push(trunk)
      else if (key !== null) this.#wanted.set(key, [trunk])
    }
    return this.#look()
  }

  /** The state of a trunk's registration; null: it needs none. */
  stateOf(trunk: Trunk): RegistrationState | null {
    const key = accountOf(trunk)
    if (key === null) return null
    const own = this.#accounts.get(key)
    if (own) return own.state
    const elsewhere = this.#leaseOf(key)
    return elsewhere ? stateElsewhere(elsewhere) : { is: 'registering' }
  }

  /** The proxies that our calls go through: the edge, and those that the registrar wants. */
  routesOf(trunk: Trunk): readonly string[] {
    const key = accountOf(trunk) ?? ''
    const own = this.#accounts.get(key)
    const wanted = own?.registration.serviceRoutes ?? this.#leaseOf(key)?.routes ?? []
    return [...this.#parts.edge.routes, ...wanted]
  }

  /**
   * Whether a trunk belongs to the registration that has this user in its Contact, which only the registrar knows. Calls
   * to a registration of another process come here by way of the edge.
   */
  ofContact(user: string): ((trunk: Trunk) => boolean) | null {
    for (const [key, { contactUser }] of this.#accounts)
      if (contactUser === user) return (trunk) => accountOf(trunk) === key
    for (const key of this.#wanted.keys())
      if (this.#leaseOf(key)?.contact?.startsWith(`sip:${user}@`)) return (trunk) => accountOf(trunk) === key
    return null
  }

  #leaseOf(key: string): LeasedRegistration | undefined {
    return this.#elsewhere.get(this.#wanted.get(key)?.[0].id ?? '')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopLooking()
    await this.#looking
    const held = [...this.#accounts.values()]
    this.#accounts.clear()
    await Promise.all(held.map(({ registration }) => leave(registration)))
    await this.#parts.leases.release(held.flatMap(({ numbers }) => numbers))
  }

  /** Runs one look after the other. */
  #look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookOnce())
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    this.#stopLooking()
    if (this.#isClosed) return
    try {
      const numbers = [...this.#wanted.values()].map(([{ id }]) => id)
      const known = numbers.length === 0 ? [] : await this.#parts.leases.claim(numbers)
      this.#follow(known)
    } catch (err) {
      // Registrations stay as they are: the registrar does not need our database.
      this.#parts.log.warn({ err }, 'registrations could not be shared out')
    }
    if (this.#isClosed || (this.#wanted.size === 0 && this.#accounts.size === 0)) return
    this.#stopLooking = this.#parts.after(lookEveryMs, () => void this.#look())
  }

  #follow(known: readonly LeasedRegistration[]): void {
    const byNumber = new Map(known.map((one) => [one.numberId, one]))
    this.#elsewhere = new Map([...byNumber].filter(([, { isOurs }]) => !isOurs))
    for (const [key, account] of this.#accounts) {
      const { trunk, registration } = account
      const wanted = this.#wanted.get(key)
      if (wanted?.[0].id === trunk.id && byNumber.get(trunk.id)?.isOurs) {
        this.#share(account, wanted)
        continue
      }
      this.#accounts.delete(key)
      void leave(registration)
      void this.#parts.leases.release(account.numbers)
    }
    for (const [key, wanted] of this.#wanted) {
      const lease = byNumber.get(wanted[0].id)
      if (lease?.isOurs && !this.#accounts.has(key)) this.#accounts.set(key, this.#open(wanted, lease))
    }
  }

  /** Gives a number that has joined the account the state of its registration. */
  #share(account: Account, wanted: readonly HostedTrunk[]): void {
    const numbers = wanted.map(({ id }) => id)
    if (numbers.join() === account.numbers.join()) return
    account.numbers = numbers
    this.#report(account)
  }

  #open(wanted: readonly [HostedTrunk, ...HostedTrunk[]], { contact }: LeasedRegistration): Account {
    const [trunk] = wanted
    const { username, password } = trunk.credentials ?? { username: '', password: '' }
    const contactUser = this.#parts.random(12)
    const registration = new Registration({
      ...this.#parts.callParts(trunk.transport),
      registrar: requestUri(trunk, this.#parts.edge),
      routes: this.#parts.edge.routes,
      addressOfRecord: `sip:${encodeURIComponent(username)}@${printHost(trunk.host)}`,
      contactUser,
      credentials: { username, password },
      former: contact,
      onState: (state) => this.#onState(account, state),
    })
    const account: Account = {
      trunk,
      numbers: wanted.map(({ id }) => id),
      contactUser,
      registration,
      state: { is: 'registering' },
    }
    registration.start()
    return account
  }

  #onState(account: Account, state: RegistrationState): void {
    const before = account.state.is
    const { trunk } = account
    account.state = state
    this.#report(account)
    if (before === state.is) return
    const fields = { phone_number_id: trunk.id, host: trunk.host }
    if (state.is === 'registered') this.#parts.log.info(fields, 'trunk registered')
    else if (state.is === 'failed')
      this.#parts.log.warn({ ...fields, reason: state.reason }, 'trunk not registered')
  }

  #report({ state, numbers, registration }: Account): void {
    if (state.is === 'stopped') return
    const reason = state.is === 'failed' ? state.reason : null
    const { contact, serviceRoutes: routes } = registration
    this.#parts.leases.report(numbers, { state: state.is, reason, contact, routes })
  }
}

const stateElsewhere = ({ state, reason }: LeasedRegistration): RegistrationState => {
  if (state === 'failed') return { is: 'failed', status: null, reason: reason ?? '' }
  // Only the other process knows how long the registration lasts.
  return state === 'registered' ? { is: 'registered', expiresInSeconds: 0 } : { is: 'registering' }
}

/** The longest that stopping waits for a registrar. */
const leaveMs = 1_500
const leave = (registration: Registration): Promise<unknown> =>
  Promise.race([
    registration.stop(),
    new Promise((resolve) => {
      setTimeout(resolve, leaveMs).unref()
    }),
  ])

/** The address that the requests of a trunk go to: `sip:host[:port]`. */
export const hostUri = ({ host, port }: Pick<HostedTrunk, 'host' | 'port'>): string =>
  `sip:${printHost(host)}${port === null ? '' : `:${port}`}`

/** The request URI of a trunk, with the transport if a proxy has to be told how to reach the trunk. */
export const requestUri = (trunk: HostedTrunk, { routes }: Pick<SipEdge, 'routes'>): string =>
  routes.length === 0 || trunk.transport === 'udp'
    ? hostUri(trunk)
    : `${hostUri(trunk)};transport=${trunk.transport}`

/** A key for the account of a trunk; null: the trunk registers nowhere. */
function accountOf({ register, credentials, host, port, transport }: Trunk): string | null {
  if (!register || !credentials) return null
  return JSON.stringify([host, port, transport, credentials.username, credentials.password])
}
