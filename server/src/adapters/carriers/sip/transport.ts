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
  /** Answers go out by the same socket or connection. */
  send(bytes: Uint8Array): void
}

export interface Transports {
  /** Opens a connection if there is none. `onFailure` is called at most once, never during the call. */
  send(bytes: Uint8Array, to: Destination, onFailure: () => void): void
  /** What Via and Contact say to this peer. */
  localAddress(to: Pick<Destination, 'transport' | 'address'>): { readonly host: string; readonly port: number }
  close(): Promise<void>
}
