// The messages that set up and ended a telephone call, as they are kept with its record: without secrets.

export interface SignallingMessage {
  readonly at: Date
  readonly direction: 'in' | 'out'
  readonly transport: 'udp' | 'tcp' | 'tls'
  /** Address and port of the other side. */
  readonly peer: string
  /** The whole message as text. */
  readonly text: string
}

export interface Signalling {
  readonly messages: readonly SignallingMessage[]
  /** How many messages were left out. */
  readonly leftOut: number
}

export type KeepSignalling = (sessionId: string, signalling: Signalling) => void
