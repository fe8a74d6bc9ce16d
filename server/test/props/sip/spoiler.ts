// A bad network by seed: loses, delays, reorders and repeats packets. Decides only; the networks below apply it.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface SpoilerOptions {
  /** Of 1. */
  readonly loss: number
  readonly duplicates: number
  /** Each packet is late by up to so much on its own, so they overtake each other. */
  readonly jitterMs: number
}

/** What the figures of issue and table are about. */
export const badLine: SpoilerOptions = { loss: 0.2, duplicates: 0.05, jitterMs: 100 }

export class Spoiler {
  readonly #spoiling: SpoilerOptions
  #state: number
  seen = 0
  lost = 0
  repeated = 0

  constructor(spoiling: SpoilerOptions, seed: number) {
    this.#spoiling = spoiling
    this.#state = seed >>> 0 || 1
  }

  /** After how many ms the packet arrives: never, once or twice. */
  delaysMs(): number[] {
    this.seen++
    const { loss, duplicates, jitterMs } = this.#spoiling
    if (this.#random() < loss) {
      this.lost++
      return []
    }
    const once = [this.#random() * jitterMs]
    if (this.#random() >= duplicates) return once
    this.repeated++
    return [...once, this.#random() * jitterMs]
  }

  /** Xorshift: the same packets are spoiled in every run. */
  #random(): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x >>> 0
    return this.#state / 2 ** 32
  }
}

export interface Relay {
  readonly port: number
  close(): void
}

/** Stands between two real sockets: what comes from `peer` goes to whoever wrote last, everything else to `peer`. */
export async function openRelay(
  peer: { address: string; port: number },
  there: Spoiler,
  back: Spoiler,
): Promise<Relay> {
  const socket: Socket = createSocket('udp4')
  const timers = new Set<NodeJS.Timeout>()
  let other: { address: string; port: number } | null = null
  socket.on('message', (bytes, from) => {
    const isBack = from.port === peer.port && from.address === peer.address
    if (!isBack) other = from
    const to = isBack ? other : peer
    if (!to) return
    for (const ms of (isBack ? back : there).delaysMs()) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        socket.send(bytes, to.port, to.address)
      }, ms)
      timers.add(timer)
    }
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: (socket.address() as AddressInfo).port,
    close() {
      for (const timer of timers) clearTimeout(timer)
      socket.close()
    },
  }
}
