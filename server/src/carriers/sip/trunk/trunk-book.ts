// The trunks that this process serves: the addresses that they call from, who may log in by them, their registrations.
import type { Trunk, Trunks } from '../../../ports/trunk.ts'
import type { Destination, TransportName } from '../transport/transport.ts'
import { AddressList } from './address-list.ts'
import type { RegistrationState } from './registration.ts'
import { hasHost, hostUri, Registrations, type RegistrationsParts } from './registrations.ts'

export interface TrunkBookParts extends RegistrationsParts {
  readonly trunks: Trunks
  readonly resolve: (address: string, transport: TransportName) => Promise<Destination[]>
}

interface Entry {
  readonly trunk: Trunk
  readonly allow: AddressList
  /** The addresses that the trunk's host resolves to. */
  addresses: ReadonlySet<string>
}

/** A user who logs in by a number. */
export interface TrunkUser {
  readonly trunk: Trunk
  readonly username: string
  readonly password: string
}

/** How often hosts are resolved: carriers move their servers rarely, and announce it by DNS. */
const resolveEveryMs = 300_000

export class TrunkBook {
  readonly #parts: TrunkBookParts
  readonly #registrations: Registrations
  #entries = new Map<string, Entry>()
  /** Users by their names in lower case. */
  #users = new Map<string, TrunkUser[]>()
  readonly #stopListening: () => void
  #stopResolving = () => {}
  #reading: Promise<void> = Promise.resolve()
  #isClosed = false
  #closing: Promise<void> | undefined

  constructor(parts: TrunkBookParts) {
    this.#parts = parts
    this.#registrations = new Registrations(parts)
    this.#stopListening = parts.trunks.onChange(() => void this.read())
  }

  /** Reads the trunks anew. One reading follows the other, so that the last one wins. */
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

  /** The trunks whose registration has this user in its Contact. */
  ofContact(user: string): Trunk[] {
    const isOf = this.#registrations.ofContact(user)
    return isOf ? [...this.#entries.values()].map(({ trunk }) => trunk).filter(isOf) : []
  }

  get hasUsers(): boolean {
    return this.#users.size > 0
  }

  /** The users of all workspaces with this name, those of the oldest number first. */
  usersNamed(username: string): readonly TrunkUser[] {
    return this.#users.get(username.toLowerCase()) ?? []
  }

  /** The state of a trunk's registration; null: it needs none. */
  registrationOf(trunk: Trunk): RegistrationState | null {
    return this.#registrations.stateOf(trunk)
  }

  /** The proxies that calls to this trunk go through. */
  routesOf(trunk: Trunk): readonly string[] {
    return this.#registrations.routesOf(trunk)
  }

  /** Whether a header of ours comes from the settings of a trunk, and may be a secret. */
  isTrunkHeader(name: string): boolean {
    const lower = name.toLowerCase()
    return [...this.#entries.values()].some(({ trunk }) =>
      Object.keys(trunk.headers).some((header) => header.toLowerCase() === lower),
    )
  }

  /** Ends all registrations. Calls in progress still find their trunks. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    this.#stopListening()
    this.#stopResolving()
    await this.#reading
    await this.#registrations.close()
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
    this.#users = Map.groupBy(
      trunks.flatMap((trunk) => trunk.inboundUsers.map((user) => ({ trunk, ...user }))),
      ({ username }) => username.toLowerCase(),
    )
    await Promise.all([this.#registrations.want(trunks), this.#resolve()])
  }

  async #resolve(): Promise<void> {
    this.#stopResolving()
    await Promise.all([...this.#entries.values()].map((entry) => this.#resolveOne(entry)))
    if (!this.#isClosed) this.#stopResolving = this.#parts.after(resolveEveryMs, () => void this.#resolve())
  }

  async #resolveOne(entry: Entry): Promise<void> {
    const { trunk } = entry
    if (!hasHost(trunk)) return
    const servers = await this.#parts.resolve(hostUri(trunk), trunk.transport)
    // Without an answer of the name server the last addresses stay.
    if (servers.length > 0) entry.addresses = new Set(servers.map(({ address }) => address))
  }
}
