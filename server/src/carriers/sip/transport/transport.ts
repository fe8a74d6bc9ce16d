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
  /** Sends an answer by the same socket or connection; calls `onFailure` if that is closed. */
  send(bytes: Uint8Array, onFailure?: () => void): void
}

export interface Transports {
  /** Sends, and opens a connection if there is none. `onFailure` is called at most once, never before `send` returns. */
  send(bytes: Uint8Array, to: Destination, onFailure: () => void): void
  /** Sends a keep-alive (RFC 5626 §3.5.1), only on a connection that exists. */
  ping(to: Destination): void
  /** Calls back when the connection to this peer is lost; never for UDP. Returns how to stop watching. */
  watch(to: Destination, onLost: () => void): () => void
  /** Our address in Via and Contact for this peer. */
  localAddress(to: Pick<Destination, 'transport' | 'address'>): {
    readonly host: string
    readonly port: number
  }
  close(): Promise<void>
}

/** A string that identifies a peer and the transport to it. */
export const destinationKey = ({ transport, address, port, serverName }: Destination): string =>
  `${transport} ${address} ${port} ${serverName ?? ''}`
