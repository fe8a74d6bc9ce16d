// The sockets of the SIP user agent: UDP, TCP and TLS, over IPv4 and IPv6.

export type TransportName = 'udp' | 'tcp' | 'tls'

export interface Destination {
  readonly transport: TransportName
  /** An IP address. */
  readonly address: string
  readonly port: number
  /** The name that a certificate must carry. */
  readonly serverName?: string
}

/** Where a message came from, and the way back. */
export interface Flow {
  readonly peer: Destination
  /** Answers go out by the same socket or connection; `onFailure` if that is not there any more. */
  send(bytes: Uint8Array, onFailure?: () => void): void
}

export interface Transports {
  /** Opens a connection if there is none. `onFailure` is called at most once, never during the call. */
  send(bytes: Uint8Array, to: Destination, onFailure: () => void): void
  /** A keep-alive (RFC 5626 §3.5.1), on the connection that is there. */
  ping(to: Destination): void
  /** Calls back when the connection to this peer is lost; never for UDP. Returns how to stop watching. */
  watch(to: Destination, onLost: () => void): () => void
  /** What Via and Contact say to this peer. */
  localAddress(to: Pick<Destination, 'transport' | 'address'>): {
    readonly host: string
    readonly port: number
  }
  close(): Promise<void>
}

/** One string per peer and way to it. */
export const destinationKey = ({ transport, address, port, serverName }: Destination): string =>
  `${transport} ${address} ${port} ${serverName ?? ''}`
