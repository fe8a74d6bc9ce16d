// A network for sound in memory: datagrams arrive when the test's clock says so, some late, twice or never.
import type { Datagrams, OnDatagram } from '../../../src/adapters/carriers/sip/datagrams.ts'
import type { RtpPort } from '../../../src/adapters/carriers/sip/rtp-ports.ts'
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

  /** Delivers what arrives until then, in the order of arrival. */
  advanceTo(ms: number): void {
    for (;;) {
      const due = this.#flights.filter(({ atMs }) => atMs <= ms)
      const next = due.sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0]
      if (!next) break
      this.#flights.splice(this.#flights.indexOf(next), 1)
      this.nowMs = Math.max(this.nowMs, next.atMs)
      const [address, port] = next.from.split(' ') as [string, string]
      this.#sockets.get(next.to)?.(next.bytes, address, Number(port))
    }
    this.nowMs = ms
  }

  #send(bytes: Uint8Array, address: string, from: string, to: string): void {
    for (const ms of this.#spoilers.get(address)?.delaysMs() ?? [0])
      this.#flights.push({ atMs: this.nowMs + this.delayMs + ms, order: this.#order++, bytes: bytes.slice(), from, to })
  }
}
