// The servers for an address, in the order to try (RFC 3263): NAPTR, SRV, then the address itself.
import { isIP } from 'node:net'
import { isPublic } from '../../../platform/guard/addresses.ts'
import { parseUri } from '../message/uri.ts'
import type { After } from './timers.ts'
import { type Destination, destinationKey, type TransportName } from './transport.ts'

/** The lookups of node:dns/promises that are used. They reject for missing records, as there. */
export interface NameServer {
  resolveSrv(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>
  resolveNaptr(
    name: string,
  ): Promise<{ service: string; replacement: string; order: number; preference: number }[]>
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
  /** The lookup of the operating system, which knows /etc/hosts. */
  lookup(name: string): Promise<string[]>
}

export interface ResolveParts {
  readonly names: NameServer
  /** A number between 0 and 1, for the weights of SRV records. */
  readonly random: () => number
}

const services: Readonly<Record<string, TransportName>> = {
  'SIP+D2U': 'udp',
  'SIP+D2T': 'tcp',
  'SIPS+D2T': 'tls',
}
const srvPrefix: Readonly<Record<TransportName, string>> = {
  udp: '_sip._udp',
  tcp: '_sip._tcp',
  tls: '_sips._tcp',
}

/** `preferred` comes from the trunk's settings and is used where the address does not say. */
export async function resolveTarget(
  address: string,
  preferred: TransportName | null,
  parts: ResolveParts,
): Promise<Destination[]> {
  const uri = parseUri(address)
  if (!uri || uri.scheme === 'tel') return []
  const named = uri.parameters.get('transport')?.toLowerCase()
  const asked = uri.scheme === 'sips' ? 'tls' : isTransport(named) ? named : preferred
  const host = uri.parameters.get('maddr') ?? uri.host
  const fallback = asked ?? 'udp'
  const port = uri.port ?? (fallback === 'tls' ? 5061 : 5060)
  if (isIP(host)) return [destination(fallback, host, port, uri.host)]
  if (uri.port === null) {
    const servers = await viaSrv(host, asked, parts)
    if (servers.length > 0) return servers
  }
  return (await addressesOf(host, parts.names)).map((one) => destination(fallback, one, port, host))
}

const isTransport = (name: string | null | undefined): name is TransportName =>
  name === 'udp' || name === 'tcp' || name === 'tls'

const destination = (transport: TransportName, address: string, port: number, host: string): Destination => ({
  transport,
  address,
  port,
  ...(transport === 'tls' && { serverName: host }),
})

async function viaSrv(
  host: string,
  asked: TransportName | null,
  parts: ResolveParts,
): Promise<Destination[]> {
  for (const { transport, name } of await srvNames(host, asked, parts.names)) {
    const records = byPriority(await orNone(parts.names.resolveSrv(name)), parts.random)
    const servers: Destination[] = []
    for (const { name: target, port } of records)
      for (const address of await addressesOf(target, parts.names))
        servers.push(destination(transport, address, port, host))
    if (servers.length > 0) return servers
  }
  return []
}

async function srvNames(host: string, asked: TransportName | null, names: NameServer) {
  if (asked) return [{ transport: asked, name: `${srvPrefix[asked]}.${host}` }]
  const pointers = (await orNone(names.resolveNaptr(host)))
    .filter(({ service }) => services[service.toUpperCase()])
    .sort((a, b) => a.order - b.order || a.preference - b.preference)
    .map(({ service, replacement }) => ({
      transport: services[service.toUpperCase()] as TransportName,
      name: replacement,
    }))
  if (pointers.length > 0) return pointers
  return (['udp', 'tcp', 'tls'] as const).map((transport) => ({
    transport,
    name: `${srvPrefix[transport]}.${host}`,
  }))
}

/** Lowest priority first; within one, drawn by weight (RFC 2782). */
function byPriority<Row extends { priority: number; weight: number }>(
  rows: readonly Row[],
  random: () => number,
): Row[] {
  const drawn = rows.map((row) => ({ row, draw: random() ** (1 / Math.max(row.weight, 0.01)) }))
  return drawn.sort((a, b) => a.row.priority - b.row.priority || b.draw - a.draw).map(({ row }) => row)
}

async function addressesOf(host: string, names: NameServer): Promise<string[]> {
  if (isIP(host)) return [host]
  const addresses = (await Promise.all([orNone(names.resolve4(host)), orNone(names.resolve6(host))])).flat()
  return addresses.length > 0 ? addresses : orNone(names.lookup(host))
}

const orNone = <Row>(lookup: Promise<Row[]>): Promise<Row[]> => lookup.catch(() => [])

interface GuardedResolveParts extends ResolveParts {
  /** Whether the operator trusts a host, given as a name or an address, in a private network. */
  readonly isTrusted: (host: string, port: number) => boolean
  /** Addresses of telephones that may call without a trunk. */
  readonly isAllowed: (address: string) => boolean
}

/** `peer` is the far end of a call if it has named the address. */
type Resolve = (
  address: string,
  transport: TransportName | null,
  peer?: Destination | null,
) => Promise<Destination[]>

/**
 * Looks names up at every use and checks the addresses each time: a name that was public when it was stored may point into
 * the operator's own network now (DNS rebinding). Addresses of a private network are left out, unless the operator trusts
 * them, or the sender is in a private network itself.
 */
export const guardedResolve =
  ({ isTrusted, isAllowed, ...parts }: GuardedResolveParts): Resolve =>
  async (address, transport, peer = null) => {
    const uri = parseUri(address)
    const servers = await resolveTarget(address, transport, parts)
    if (!uri || uri.scheme === 'tel' || (peer && !isPublic(peer.address))) return servers
    return servers.filter(
      (one) =>
        isPublic(one.address) ||
        isTrusted(uri.host, one.port) ||
        isTrusted(one.address, one.port) ||
        isAllowed(one.address),
    )
  }

/** How long a server is avoided that does not say how long. */
const defaultSeconds = 30
/** A server that asks for a day is tried again sooner, because that is a mistake in its settings. */
const longestSeconds = 600

/** Servers of a trunk that were silent or full are tried after the others for a while (RFC 3261 §21.5.4, RFC 3263 §4.3). */
export class ServerOrder {
  readonly #after: After
  readonly #avoided = new Map<string, () => void>()

  constructor(after: After) {
    this.#after = after
  }

  avoid(to: Destination, seconds = defaultSeconds): void {
    const key = destinationKey(to)
    this.#avoided.get(key)?.()
    const cancel = this.#after(Math.min(seconds, longestSeconds) * 1_000, () => this.#avoided.delete(key))
    this.#avoided.set(key, cancel)
  }

  /** Puts avoided servers last. None is left out, because all of them may be down. */
  order(destinations: readonly Destination[]): Destination[] {
    const isAvoided = (to: Destination) => this.#avoided.has(destinationKey(to))
    return [...destinations.filter((to) => !isAvoided(to)), ...destinations.filter(isAvoided)]
  }

  close(): void {
    for (const cancel of this.#avoided.values()) cancel()
    this.#avoided.clear()
  }
}
