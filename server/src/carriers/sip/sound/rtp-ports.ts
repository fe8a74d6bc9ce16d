// The UDP ports of calls: an even port for RTP and the next for RTCP, from a range that a firewall can be opened for.
import { type DatagramSocket, type Datagrams, openDatagrams } from './datagrams.ts'

export interface PortRange {
  readonly from: number
  readonly to: number
}

export interface RtpPort {
  readonly port: number
  readonly rtp: Datagrams
  readonly rtcp: Datagrams
  close(): void
}

/** How long a port rests after a call, because the far end may not have noticed the end yet. */
const restMs = 5_000

export class RtpPorts {
  readonly #host: string
  readonly #pairs: number
  readonly #first: number
  readonly #now: () => number
  readonly #taken = new Set<number>()
  /** When a pair was closed. */
  readonly #closedMs = new Map<number, number>()
  #next = 0

  /** `now` is a monotonic clock. */
  constructor(host: string, { from, to }: PortRange, now: () => number = () => performance.now()) {
    this.#host = host
    this.#first = from + (from % 2)
    this.#pairs = Math.max(0, Math.floor((to - this.#first + 1) / 2))
    this.#now = now
  }

  get free(): number {
    return this.#pairs - this.#taken.size
  }

  /** Opens a pair of ports. null: all of the range are in use. Rejects if the address cannot be bound. */
  async open(): Promise<RtpPort | null> {
    // A pair that has rested is preferred to one that has not.
    return (await this.#openOne(restMs)) ?? this.#openOne(0)
  }

  async #openOne(leastRestMs: number): Promise<RtpPort | null> {
    for (let tries = this.#pairs; tries > 0; tries--) {
      const port = this.#first + 2 * this.#next
      this.#next = (this.#next + 1) % this.#pairs
      if (this.#taken.has(port) || !this.#hasRested(port, leastRestMs)) continue
      this.#taken.add(port)
      const opened = await this.#bindPair(port).catch((error: unknown) => {
        this.#taken.delete(port)
        throw error
      })
      if (opened) return opened
      this.#taken.delete(port)
    }
    return null
  }

  #hasRested(port: number, leastMs: number): boolean {
    const closedMs = this.#closedMs.get(port)
    return closedMs === undefined || this.#now() - closedMs >= leastMs
  }

  async #bindPair(port: number): Promise<RtpPort | null> {
    const rtp = await openDatagrams(this.#host, port)
    if (!rtp) return null
    let rtcp: DatagramSocket | null = null
    try {
      rtcp = await openDatagrams(this.#host, port + 1)
    } finally {
      if (!rtcp) rtp.close()
    }
    if (!rtcp) return null
    const sockets = [rtp, rtcp]
    return {
      port,
      rtp,
      rtcp,
      close: () => {
        for (const socket of sockets.splice(0)) {
          socket.close()
          this.#taken.delete(port)
          this.#closedMs.set(port, this.#now())
        }
      },
    }
  }
}
