// From an address to the servers that serve it, in the order to try (RFC 3263): NAPTR, SRV, then the address itself.
import { isIP } from 'node:net'
import { parseUri } from '../message/uri.ts'
import type { Destination, TransportName } from './transport.ts'

/** The lookups of node:dns/promises that are used; missing records are rejections, as there. */
export interface NameServer {
  resolveSrv(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>
  resolveNaptr(
    name: string,
  ): Promise<{ service: string; replacement: string; order: number; preference: number }[]>
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
  /** The operating system's own, which knows /etc/hosts. */
  lookup(name: string): Promise<string[]>
}

export interface ResolveParts {
  readonly names: NameServer
  /** For weights of SRV; between 0 and 1. */
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
  if (isIP(host))
    return [{ transport: fallback, address: host, port, ...(fallback === 'tls' && { serverName: uri.host }) }]
  if (uri.port === null) {
    const found = await viaSrv(host, asked, parts)
    if (found.length > 0) return found
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
    const found: Destination[] = []
    for (const { name: target, port } of records)
      for (const address of await addressesOf(target, parts.names))
        found.push(destination(transport, address, port, host))
    if (found.length > 0) return found
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
  const found = (await Promise.all([orNone(names.resolve4(host)), orNone(names.resolve6(host))])).flat()
  return found.length > 0 ? found : orNone(names.lookup(host))
}

const orNone = <Found>(lookup: Promise<Found[]>): Promise<Found[]> => lookup.catch(() => [])
