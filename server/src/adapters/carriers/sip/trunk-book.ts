// The trunks that this process serves: the addresses that their calls come from, and their registrations.
import type { Log } from '../../../platform/log.ts'
import type { Trunk, Trunks } from '../../../ports/trunk.ts'
import { AddressList } from './address-list.ts'
import type { CallParts } from './call-parts.ts'
import { Registration, type RegistrationState } from './registration.ts'
import type { Destination, TransportName } from './transport.ts'
import { printHost } from './uri.ts'

export interface TrunkBookParts {
  readonly trunks: Trunks
  readonly callParts: (transport: TransportName) => CallParts
  readonly resolve: (address: string, transport: TransportName) => Promise<Destination[]>
  readonly random: (bytes: number) => string
  readonly after: CallParts['after']
  readonly log: Pick<Log, 'info' | 'warn'>
}

interface Entry {
  readonly trunk: Trunk
  readonly allow: AddressList
  /** What its host resolves to. */
  addresses: ReadonlySet<string>
}

/** One binding at a registrar; several numbers of one account share it, or each call would come once for each. */
interface Account {
  readonly contactUser: string
  readonly registration: Registration
  state: RegistrationState
}

/** Carriers move their servers rarely, and announce it by DNS. */
const resolveEveryMs = 300_000

export class TrunkBook {
  readonly #parts: TrunkBookParts
  #entries = new Map<string, Entry>()
  readonly #accounts = new Map<string, Account>()
  readonly #stopListening: () => void
  #stopResolving = () => {}
  #reading: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: TrunkBookParts) {
    this.#parts = parts
    this.#stopListening = parts.trunks.onChange(() => void this.read())
  }

  /** Takes over what has changed. One reading follows the other, so that the last one wins. */
  read(): Promise<void> {
    this.#reading = this.#reading
      .then(() => this.#read())
      .catch((err) => {
        this.#parts.log.warn({ err }, 'trunks could not be read')
      })
    return this.#reading
  }

  byId(id: string | null): Trunk | null {
    return (id === null ? undefined : this.#entries.get(id))?.trunk ?? null
  }

  /** The trunks that a request from this address may belong to. */
  at(address: string): Trunk[] {
    return [...this.#entries.values()]
      .filter(({ addresses, allow }) => addresses.has(address) || allow.has(address))
      .map(({ trunk }) => trunk)
  }

  /** The trunks whose registration has this user in its Contact; nobody else knows it. */
  ofContact(user: string): Trunk[] {
    for (const [key, { contactUser }] of this.#accounts)
      if (contactUser === user)
        return [...this.#entries.values()]
          .map(({ trunk }) => trunk)
          .filter((trunk) => accountOf(trunk) === key)
    return []
  }

  /** null: it needs no registration. */
  registrationOf(trunk: Trunk): RegistrationState | null {
    const key = accountOf(trunk)
    return key === null ? null : (this.#accounts.get(key)?.state ?? { is: 'registering' })
  }

  /** Proxies that the registrar wants our calls to go through. */
  routesOf(trunk: Trunk): readonly string[] {
    return this.#accounts.get(accountOf(trunk) ?? '')?.registration.serviceRoutes ?? []
  }

  /** Whether a header of ours comes from the settings of a trunk, and may be a secret. */
  isTrunkHeader(name: string): boolean {
    const lower = name.toLowerCase()
    return [...this.#entries.values()].some(({ trunk }) =>
      Object.keys(trunk.headers).some((header) => header.toLowerCase() === lower),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopListening()
    this.#stopResolving()
    await this.#reading
    await Promise.all([...this.#accounts.values()].map(({ registration }) => leave(registration)))
    this.#accounts.clear()
  }

  async #read(): Promise<void> {
    if (this.#isClosed) return
    const trunks = await this.#parts.trunks.all()
    const before = this.#entries
    this.#entries = new Map(
      trunks.map((trunk) => [
        trunk.id,
        {
          trunk,
          allow: new AddressList(trunk.inboundAllow),
          addresses: before.get(trunk.id)?.addresses ?? new Set<string>(),
        },
      ]),
    )
    this.#register()
    await this.#resolve()
  }

  async #resolve(): Promise<void> {
    this.#stopResolving()
    await Promise.all([...this.#entries.values()].map((entry) => this.#resolveOne(entry)))
    if (!this.#isClosed) this.#stopResolving = this.#parts.after(resolveEveryMs, () => void this.#resolve())
  }

  async #resolveOne(entry: Entry): Promise<void> {
    const found = await this.#parts.resolve(hostUri(entry.trunk), entry.trunk.transport)
    // A name server that does not answer changes nothing.
    if (found.length > 0) entry.addresses = new Set(found.map(({ address }) => address))
  }

  #register(): void {
    const wanted = new Map<string, Trunk>()
    for (const { trunk } of this.#entries.values()) {
      const key = accountOf(trunk)
      if (key !== null && !wanted.has(key)) wanted.set(key, trunk)
    }
    for (const [key, { registration }] of this.#accounts) {
      if (wanted.has(key)) continue
      this.#accounts.delete(key)
      void leave(registration)
    }
    for (const [key, trunk] of wanted)
      if (!this.#accounts.has(key)) this.#accounts.set(key, this.#open(trunk))
  }

  #open(trunk: Trunk): Account {
    const { username, password } = trunk.credentials ?? { username: '', password: '' }
    const contactUser = this.#parts.random(12)
    const registration = new Registration({
      ...this.#parts.callParts(trunk.transport),
      registrar: hostUri(trunk),
      addressOfRecord: `sip:${encodeURIComponent(username)}@${printHost(trunk.host)}`,
      contactUser,
      credentials: { username, password },
      onState: (state) => this.#onState(account, trunk, state),
    })
    const account: Account = { contactUser, registration, state: { is: 'registering' } }
    registration.start()
    return account
  }

  #onState(account: Account, { id, host }: Trunk, state: RegistrationState): void {
    const before = account.state.is
    account.state = state
    if (before === state.is || state.is === 'registering' || state.is === 'stopped') return
    const fields = { phone_number_id: id, host }
    if (state.is === 'registered') this.#parts.log.info(fields, 'trunk registered')
    else this.#parts.log.warn({ ...fields, reason: state.reason }, 'trunk not registered')
  }
}

/** A registrar that is gone does not keep us from stopping. */
const leaveMs = 1_500
const leave = (registration: Registration): Promise<unknown> =>
  Promise.race([
    registration.stop(),
    new Promise((resolve) => {
      setTimeout(resolve, leaveMs).unref()
    }),
  ])

/** `sip:host[:port]`, where the requests of a trunk go. */
export const hostUri = ({ host, port }: Pick<Trunk, 'host' | 'port'>): string =>
  `sip:${printHost(host)}${port === null ? '' : `:${port}`}`

/** null: it registers nowhere. */
function accountOf({ register, credentials, host, port, transport }: Trunk): string | null {
  if (!register || !credentials) return null
  return JSON.stringify([host, port, transport, credentials.username, credentials.password])
}
