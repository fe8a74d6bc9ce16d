// Opens the sockets that transport.ts describes.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect as connectTcp, createServer, isIP, isIPv4, isIPv6, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer, type SecureContextOptions } from 'node:tls'
import { SipConnection } from './connection.ts'
import { localAddressTowards } from './local-address.ts'
import {
  type Destination,
  destinationKey,
  type Flow,
  type TransportName,
  type Transports,
} from './transport.ts'

export interface SocketSettings {
  /** The address to bind: `0.0.0.0`, `::`, or one of this machine. */
  readonly host: string
  /** For UDP and TCP; 0 takes any free one. */
  readonly port: number
  /** null: no TLS. Calls out by TLS need no certificate of our own. */
  readonly tls: (SecureContextOptions & { readonly port: number }) | null
  /** The address that peers of its family are told instead of the bound one, behind NAT. */
  readonly advertisedHost: string | null
  /** Further authorities that may vouch for peers that we connect to, as certificates. */
  readonly trustedAuthorities?: readonly string[]
}

export interface SocketListener {
  onMessage(bytes: Uint8Array, flow: Flow): void
}

/** More connections than these are a flood; one address needs only a few. */
const maxConnections = 2_000
const maxConnectionsPerAddress = 200
/** How long a TLS handshake may take before the connection is closed. */
const handshakeTimeoutMs = 10_000
/** Room for bursts of a few hundred calls a second while one message is processed. */
const udpBufferBytes = 2 * 1_048_576

// How often another port is tried if any port will do.
const mostTries = 20

const keepAlive = Buffer.from('\r\n\r\n')

export async function openSockets(settings: SocketSettings, listener: SocketListener): Promise<OpenSockets> {
  for (let left = mostTries; ; left--) {
    const sockets = new OpenSockets(settings, listener)
    try {
      await sockets.open()
      return sockets
    } catch (error) {
      await sockets.close()
      // The port that the system chose for UDP may be in use for TCP.
      const isChosen = settings.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isChosen || left === 0) throw error
    }
  }
}

export class OpenSockets implements Transports {
  readonly #settings: SocketSettings
  readonly #listener: SocketListener
  readonly #connections = new Map<string, SipConnection>()
  /** Accepted sockets, including those in a handshake. */
  readonly #accepted = new Set<Socket>()
  #udp: UdpSocket | null = null
  #tcp: Server | null = null
  #tls: Server | null = null

  constructor(settings: SocketSettings, listener: SocketListener) {
    this.#settings = settings
    this.#listener = listener
  }

  get port(): number {
    return this.#udp?.address().port ?? this.#settings.port
  }

  get tlsPort(): number | null {
    const address = this.#tls?.address()
    return address && typeof address === 'object' ? address.port : null
  }

  async open(): Promise<void> {
    const { host, port, tls } = this.#settings
    const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: udpBufferBytes })
    udp.on('message', (bytes, from) => {
      if (isKeepAlive(bytes)) return
      const peer = { transport: 'udp' as const, address: plainAddress(from.address), port: from.port }
      const send = (answer: Uint8Array) => udp.send(answer, from.port, from.address, () => {})
      this.#listener.onMessage(bytes, { peer, send })
    })
    // ICMP errors of peers that are gone: the transaction's timer notices.
    udp.on('error', () => {})
    udp.bind(port, host)
    await once(udp, 'listening')
    this.#udp = udp
    this.#tcp = await this.#listen(createServer({ noDelay: true }), 'tcp', udp.address().port)
    const secure = tls && createTlsServer({ ...tls, noDelay: true, handshakeTimeout: handshakeTimeoutMs })
    if (tls && secure) this.#tls = await this.#listen(secure, 'tls', tls.port)
  }

  send(bytes: Uint8Array, to: Destination, onFailure: () => void): void {
    if (to.transport === 'udp') this.#sendDatagram(bytes, to, onFailure)
    else (this.#connections.get(destinationKey(to)) ?? this.#connect(to)).send(bytes, onFailure)
  }

  ping(to: Destination): void {
    if (to.transport === 'udp') this.#sendDatagram(keepAlive, to, () => {})
    else this.#connections.get(destinationKey(to))?.ping()
  }

  watch(to: Destination, onLost: () => void): () => void {
    return this.#connections.get(destinationKey(to))?.onLost(onLost) ?? (() => {})
  }

  localAddress({ transport, address }: Pick<Destination, 'transport' | 'address'>): {
    host: string
    port: number
  } {
    const port = transport === 'tls' ? (this.tlsPort ?? this.#settings.tls?.port ?? 5061) : this.port
    const { host, advertisedHost } = this.#settings
    if (isLoopback(address)) return { host: address, port }
    if (advertisedHost !== null && isIPv6(advertisedHost) === isIPv6(address))
      return { host: advertisedHost, port }
    const isAny = host === '0.0.0.0' || host === '::'
    return { host: isAny ? localAddressTowards(address) : host, port }
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.close()
    this.#connections.clear()
    for (const socket of this.#accepted) socket.destroy()
    const udp = this.#udp
    await Promise.all([
      udp && new Promise<void>((resolve) => udp.close(resolve)),
      ...[this.#tcp, this.#tls].map((server) => server && new Promise((resolve) => server.close(resolve))),
    ])
  }

  #sendDatagram(bytes: Uint8Array, { address, port }: Destination, onFailure: () => void): void {
    const mapped = isIPv6(this.#settings.host) && isIPv4(address) ? `::ffff:${address}` : address
    try {
      this.#udp?.send(bytes, port, mapped, (error) => error && onFailure())
    } catch {
      // send throws for port 0, and on a socket that is closing.
      queueMicrotask(onFailure)
    }
  }

  async #listen(server: Server, transport: TransportName, port: number): Promise<Server> {
    server.maxConnections = maxConnections
    server.on('connection', (socket: Socket) => {
      if (this.#countOf(socket.remoteAddress) >= maxConnectionsPerAddress) return void socket.destroy()
      this.#accepted.add(socket)
      socket.once('close', () => this.#accepted.delete(socket))
    })
    server.on(transport === 'tls' ? 'secureConnection' : 'connection', (socket: Socket) => {
      if (socket.destroyed) return
      const peer = { transport, address: plainAddress(socket.remoteAddress), port: socket.remotePort ?? 0 }
      this.#adopt(peer, socket, true)
    })
    server.on('tlsClientError', () => {})
    server.listen(port, this.#settings.host)
    await once(server, 'listening')
    return server
  }

  #countOf(address: string | undefined): number {
    let count = 0
    for (const socket of this.#accepted) if (socket.remoteAddress === address) count++
    return count
  }

  #connect(to: Destination): SipConnection {
    const { address, port, serverName } = to
    const ca = this.#settings.trustedAuthorities
    const socket =
      to.transport === 'tcp'
        ? connectTcp({ host: address, port, noDelay: true })
        : connectTls({
            host: address,
            port,
            // Only names may be sent as SNI (RFC 6066 §3); an address is checked against those in the certificate.
            ...(serverName && !isIP(serverName) && { servername: serverName }),
            ...(ca && { ca: [...ca] }),
            ...(this.#settings.tls?.cert && { cert: this.#settings.tls.cert, key: this.#settings.tls.key }),
          })
    return this.#adopt(to, socket, false)
  }

  #adopt(peer: Destination, socket: Socket, isOpen: boolean): SipConnection {
    const key = destinationKey(peer)
    const onMessage = (bytes: Uint8Array, flow: Flow) => this.#listener.onMessage(bytes, flow)
    const connection = new SipConnection({ peer, socket, isOpen, onMessage })
    this.#connections.set(key, connection)
    connection.onClosed = () => {
      if (this.#connections.get(key) === connection) this.#connections.delete(key)
    }
    return connection
  }
}

const isLoopback = (address: string): boolean => /^(?:127\.|::1$)/.test(address)

/** Keep-alives are line ends alone (RFC 5626), or the zero bytes that some routers send. */
const isKeepAlive = (bytes: Uint8Array): boolean =>
  bytes.length <= 4 && bytes.every((byte) => byte === 13 || byte === 10 || byte === 0)

/** The plain form of an IPv4 address on a socket for both families. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
