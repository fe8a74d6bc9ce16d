// One TCP or TLS connection to a SIP peer. Messages that are sent before it is open wait.
import type { Socket } from 'node:net'
import { StreamFramer } from './stream-framer.ts'
import { giveUpAfter } from './timers.ts'
import type { Destination, Flow } from './transport.ts'

export interface SipConnectionParts {
  readonly peer: Destination
  readonly socket: Socket
  /** Whether the connection is open already: the peer has opened it. */
  readonly isOpen: boolean
  readonly onMessage: (bytes: Uint8Array, flow: Flow) => void
}

/** A connection without data is closed after this time. */
const idleMs = 600_000
const connectTimeoutMs = 4_000
/** The longest that one message may take to arrive, against peers that send a byte a minute. */
const messageTimeoutMs = 30_000
/** How long a pong is waited for (RFC 5626 §4.4.1). */
const pongTimeoutMs = 10_000
/** The most that waits for a peer that reads nothing. */
const maxUnreadBytes = 1_048_576

const ping = Buffer.from('\r\n\r\n')
const pong = Buffer.from('\r\n')

interface SentMessage {
  readonly atMs: number
  readonly onFailure: () => void
}

export class SipConnection {
  readonly #socket: Socket
  readonly #lost = new Set<() => void>()
  /** Messages whose answers may still come. They have failed when the connection breaks. */
  #sent: SentMessage[] = []
  #closed = false
  /** Whether we have answered the peer before: pings of strangers are not answered. */
  #hasSpoken = false
  #answersPings = false
  #pongTimer: NodeJS.Timeout | null = null
  #messageTimer: NodeJS.Timeout | null = null
  onClosed = () => {}

  constructor({ peer, socket, isOpen, onMessage }: SipConnectionParts) {
    this.#socket = socket
    const flow: Flow = { peer, send: (bytes, onFailure = () => {}) => this.send(bytes, onFailure) }
    const framer = new StreamFramer({
      onMessage: (bytes) => onMessage(bytes, flow),
      onPing: () => void (this.#hasSpoken && socket.write(pong)),
      onPong: () => this.#receivePong(),
      onBroken: () => socket.destroy(),
    })
    socket.on('data', (chunk: Buffer) => {
      framer.push(chunk)
      this.#expectMessage(framer.isWaiting)
    })
    socket.on(peer.transport === 'tls' ? 'secureConnect' : 'connect', () => socket.setTimeout(idleMs))
    socket.setTimeout(isOpen ? idleMs : connectTimeoutMs, () => socket.destroy())
    socket.setKeepAlive(true, 30_000)
    socket.on('error', () => {})
    socket.once('close', () => this.#onClose())
  }

  send(bytes: Uint8Array, onFailure: () => void): void {
    if (this.#closed) {
      queueMicrotask(onFailure)
      return
    }
    this.#hasSpoken = true
    const nowMs = performance.now()
    while (this.#sent[0] && nowMs - this.#sent[0].atMs > giveUpAfter) this.#sent.shift()
    this.#sent.push({ atMs: nowMs, onFailure })
    this.#socket.write(bytes)
    if (this.#socket.writableLength > maxUnreadBytes) this.#socket.destroy()
  }

  /** Pings the peer. One that has ever answered a ping must answer them all; some peers never do. */
  ping(): void {
    if (this.#closed || this.#pongTimer) return
    this.#socket.write(ping)
    this.#pongTimer = setTimeout(() => {
      this.#pongTimer = null
      if (this.#answersPings) this.#socket.destroy()
    }, pongTimeoutMs).unref()
  }

  onLost(act: () => void): () => void {
    this.#lost.add(act)
    return () => void this.#lost.delete(act)
  }

  close(): void {
    this.#lost.clear()
    this.#socket.destroy()
  }

  #receivePong(): void {
    this.#answersPings = true
    if (this.#pongTimer) clearTimeout(this.#pongTimer)
    this.#pongTimer = null
  }

  #expectMessage(isWaiting: boolean): void {
    if (isWaiting) this.#messageTimer ??= setTimeout(() => this.#socket.destroy(), messageTimeoutMs).unref()
    else if (this.#messageTimer) {
      clearTimeout(this.#messageTimer)
      this.#messageTimer = null
    }
  }

  #onClose(): void {
    this.#closed = true
    for (const timer of [this.#pongTimer, this.#messageTimer]) if (timer) clearTimeout(timer)
    this.onClosed()
    for (const { onFailure } of this.#sent.splice(0)) onFailure()
    for (const act of [...this.#lost]) act()
  }
}
