// Opens the sockets that transport.ts describes.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, connect as connectTcp, isIPv6, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, connect as connectTls, type SecureContextOptions } from 'node:tls'
import { localAddressTowards } from './local-address.ts'
import { StreamFramer } from './stream-framer.ts'
import type { Destination, Flow, TransportName, Transports } from './transport.ts'

export interface SocketSettings {
  /** The address to bind: `0.0.0.0`, `::`, or one of this machine. */
  readonly host: string
  /** For UDP and TCP; 0 takes any free one. */
  readonly port: number
  /** null: no TLS. Calls out by TLS need no certificate of our own. */
  readonly tls: (SecureContextOptions & { readonly port: number }) | null
  /** What peers are told instead of the bound address: behind NAT. */
  readonly advertisedHost: string | null
  /** Certificates of further authorities for peers that we connect to. */
  readonly trustedAuthorities?: readonly string[]
}

export interface SocketListener {
  onMessage(bytes: Uint8Array, flow: Flow): void
}

/** A peer that opens a connection and says nothing keeps it no longer than this. */
const idleConnectionMs = 600_000
/** More connections than that are a flood. */
const maxConnections = 2_000
const connectTimeoutMs = 4_000

const pong = Buffer.from('\r\n')

export async function openSockets(settings: SocketSettings, listener: SocketListener): Promise<OpenSockets> {
  const sockets = new OpenSockets(settings, listener)
  try {
    await sockets.open()
  } catch (error) {
    await sockets.close()
    throw error
  }
  return sockets
}

export class OpenSockets implements Transports {
  readonly #settings: SocketSettings
  readonly #listener: SocketListener
  readonly #connections = new Map<string, Connection>()
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
    const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', ipv6Only: isIPv6(host) })
    udp.on('message', (bytes, from) => {
      // Two line ends are a keep-alive of RFC 5626.
      if (bytes.length <= 4 && bytes.every((byte) => byte === 13 || byte === 10 || byte === 0)) return
      const peer = { transport: 'udp' as const, address: from.address, port: from.port }
      this.#listener.onMessage(bytes, { peer, send: (answer) => udp.send(answer, from.port, from.address) })
    })
    // ICMP errors of peers that are gone; the transaction's timer finds out.
    udp.on('error', () => {})
    udp.bind(port, host)
    await once(udp, 'listening')
    this.#udp = udp
    this.#tcp = await this.#listen(createServer({ noDelay: true }), 'tcp', udp.address().port)
    if (tls) this.#tls = await this.#listen(createTlsServer({ ...tls, noDelay: true }), 'tls', tls.port)
  }

  send(bytes: Uint8Array, to: Destination, onFailure: () => void): void {
    if (to.transport === 'udp') {
      this.#udp?.send(bytes, to.port, to.address, (error) => error && onFailure())
      return
    }
    const connection = this.#connections.get(keyOf(to)) ?? this.#connect(to)
    connection.send(bytes, onFailure)
  }

  localAddress({ transport, address }: Pick<Destination, 'transport' | 'address'>): { host: string; port: number } {
    const port = transport === 'tls' ? (this.tlsPort ?? this.#settings.tls?.port ?? 5061) : this.port
    const host = this.#settings.advertisedHost ?? this.#settings.host
    if (host !== '0.0.0.0' && host !== '::') return { host, port }
    return { host: localAddressTowards(address), port }
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.close()
    this.#connections.clear()
    const udp = this.#udp
    await Promise.all([
      udp && new Promise<void>((resolve) => udp.close(resolve)),
      ...[this.#tcp, this.#tls].map((server) => server && new Promise((resolve) => server.close(resolve))),
    ])
  }

  async #listen(server: Server, transport: TransportName, port: number): Promise<Server> {
    server.maxConnections = maxConnections
    server.on(transport === 'tls' ? 'secureConnection' : 'connection', (socket: Socket) => {
      const peer = { transport, address: plainAddress(socket.remoteAddress), port: socket.remotePort ?? 0 }
      this.#adopt(peer, new Connection(peer, socket, true, this.#listener))
    })
    // IPv4 has a socket of its own.
    server.listen({ port, host: this.#settings.host, ipv6Only: true })
    await once(server, 'listening')
    return server
  }

  #connect(to: Destination): Connection {
    const { address, port, serverName } = to
    const ca = this.#settings.trustedAuthorities
    const socket =
      to.transport === 'tcp'
        ? connectTcp({ host: address, port, noDelay: true })
        : connectTls({
            host: address,
            port,
            ...(serverName && { servername: serverName }),
            ...(ca && { ca: [...ca] }),
            ...(this.#settings.tls?.cert && { cert: this.#settings.tls.cert, key: this.#settings.tls.key }),
          })
    return this.#adopt(to, new Connection(to, socket, false, this.#listener))
  }

  #adopt(peer: Destination, connection: Connection): Connection {
    const key = keyOf(peer)
    this.#connections.set(key, connection)
    connection.onClosed = () => {
      if (this.#connections.get(key) === connection) this.#connections.delete(key)
    }
    return connection
  }
}

/** One TCP or TLS connection. What is sent before it is open waits. */
class Connection {
  readonly #socket: Socket
  readonly #failures: (() => void)[] = []
  #open: boolean
  #closed = false
  onClosed = () => {}

  constructor(peer: Destination, socket: Socket, isOpen: boolean, listener: SocketListener) {
    this.#socket = socket
    this.#open = isOpen
    const flow: Flow = { peer, send: (bytes) => this.send(bytes, () => {}) }
    const framer = new StreamFramer({
      onMessage: (bytes) => listener.onMessage(bytes, flow),
      onPing: () => this.send(pong, () => {}),
      onBroken: () => socket.destroy(),
    })
    socket.on('data', (chunk: Buffer) => framer.push(chunk))
    socket.on(peer.transport === 'tls' ? 'secureConnect' : 'connect', () => {
      this.#open = true
      socket.setTimeout(idleConnectionMs)
      this.#failures.length = 0
    })
    socket.setTimeout(isOpen ? idleConnectionMs : connectTimeoutMs, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => this.#onClose())
  }

  send(bytes: Uint8Array, onFailure: () => void): void {
    if (this.#closed) {
      queueMicrotask(onFailure)
      return
    }
    if (!this.#open) this.#failures.push(onFailure)
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #onClose(): void {
    this.#closed = true
    this.onClosed()
    for (const fail of this.#failures.splice(0)) fail()
  }
}

const keyOf = ({ transport, address, port, serverName }: Destination): string =>
  `${transport} ${address} ${port} ${serverName ?? ''}`

/** An IPv4 peer of a socket for both families. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
