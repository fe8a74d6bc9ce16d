// A network for sound in memory: datagrams arrive when the test's clock says so, some late, twice or never.
import type { Datagrams, OnDatagram } from '../../../src/carriers/sip/sound/datagrams.ts'
import type { RtpPort } from '../../../src/carriers/sip/sound/rtp-ports.ts'
import type { Spoiler } from './spoiler.ts'

interface Flight {
  readonly atMs: number
  readonly order: number
  readonly bytes: Uint8Array
  readonly from: string
  readonly to: string
}

export class MemoryMedia {
  readonly #sockets = new Map<string, OnDatagram | null>()
  readonly #spoilers = new Map<string, Spoiler>()
  readonly #taps = new Set<(bytes: Uint8Array) => void>()
  #flights: Flight[] = []
  #order = 0
  nowMs = 0
  /** One way. */
  delayMs = 0

  /** Everything that is sent from this address is spoiled. */
  spoil(address: string, spoiler: Spoiler): void {
    this.#spoilers.set(address, spoiler)
  }

  port(address: string, port: number): RtpPort {
    const sockets = [this.socket(address, port), this.socket(address, port + 1)] as const
    const close = () => {
      for (const place of [port, port + 1]) this.#sockets.delete(`${address} ${place}`)
    }
    return { port, rtp: sockets[0], rtcp: sockets[1], close }
  }

  socket(address: string, port: number): Datagrams {
    const name = `${address} ${port}`
    this.#sockets.set(name, null)
    return {
      send: (bytes, toAddress, toPort) => this.#send(bytes, address, name, `${toAddress} ${toPort}`),
      listen: (onDatagram) => void this.#sockets.set(name, onDatagram),
    }
  }

  /** Sends in the name of somebody else. */
  as(address: string, port: number): Pick<Datagrams, 'send'> {
    return {
      send: (bytes, toAddress, toPort) =>
        this.#send(bytes, address, `${address} ${port}`, `${toAddress} ${toPort}`),
    }
  }

  /** Shows everything that arrives; returns how to stop. */
  tap(onDatagram: (bytes: Uint8Array) => void): () => void {
    this.#taps.add(onDatagram)
    return () => this.#taps.delete(onDatagram)
  }

  /** Delivers what arrives until then, in the order of arrival. */
  advanceTo(ms: number): void {
    for (;;) {
      const due = this.#flights.filter(({ atMs }) => atMs <= ms)
      if (due.length === 0) break
      this.#flights = this.#flights.filter(({ atMs }) => atMs > ms)
      due.sort((a, b) => a.atMs - b.atMs || a.order - b.order)
      for (const { atMs, bytes, from, to } of due) {
        this.nowMs = Math.max(this.nowMs, atMs)
        for (const tap of this.#taps) tap(bytes)
        const [address, port] = from.split(' ') as [string, string]
        this.#sockets.get(to)?.(bytes, address, Number(port))
      }
    }
    this.nowMs = ms
  }

  #send(bytes: Uint8Array, address: string, from: string, to: string): void {
    for (const ms of this.#spoilers.get(address)?.delaysMs() ?? [0])
      this.#flights.push({
        atMs: this.nowMs + this.delayMs + ms,
        order: this.#order++,
        bytes: bytes.slice(),
        from,
        to,
      })
  }
}
