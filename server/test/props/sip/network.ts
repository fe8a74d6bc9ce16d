// A network in memory for SIP: messages arrive after a delay of the test's own clock, and some do not arrive.
import type { After } from '../../../src/carriers/sip/transport/timers.ts'
import type { Destination, Flow, Transports } from '../../../src/carriers/sip/transport/transport.ts'

/** Time that only moves when the test says so. */
export class ManualClock {
  #now = 0
  #timers: { at: number; order: number; act: () => void }[] = []
  #order = 0

  get now(): number {
    return this.#now
  }

  /** Timers that are still running: nothing may be left when everything is over. */
  get pending(): number {
    return this.#timers.length
  }

  readonly after: After = (ms, act) => {
    const timer = { at: this.#now + ms, order: this.#order++, act }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** Promises that are settled on the way get their turn after every timer. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await settle()
    for (;;) {
      const next = this.#timers
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (!next) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#now = next.at
      next.act()
      await settle()
    }
    this.#now = until
  }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

interface Host {
  receive(bytes: Uint8Array, flow: Flow): void
}

export class MemoryNetwork {
  readonly #clock: ManualClock
  readonly #hosts = new Map<string, Host>()
  readonly delayMs = 10
  /** True: this message is lost. */
  loses: (text: string, count: number) => boolean = () => false
  /** Everything that was sent, start lines only, with the sender. */
  readonly log: string[] = []
  /** The same, with the way it went. */
  readonly carried: {
    readonly start: string
    readonly transport: Destination['transport']
    readonly port: number
  }[] = []
  /** Hosts without TCP. */
  readonly refusesTcp = new Set<string>()
  /** Keep-alives: from whom, by what, to whom. */
  readonly pings: string[] = []
  readonly #watchers = new Set<{ readonly address: string; readonly onLost: () => void }>()
  #count = 0

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  /** Sockets of a host at this address; `receive` is called with what comes for it. */
  join(address: string, receive: Host['receive']): Transports {
    this.#hosts.set(address, { receive })
    return {
      send: (bytes, to, onFailure) => this.#carry(address, to, bytes, onFailure),
      ping: (to) => void this.pings.push(`${address} ${to.transport} ${to.address}`),
      watch: (to, onLost) => {
        const watcher = { address: to.address, onLost }
        this.#watchers.add(watcher)
        return () => void this.#watchers.delete(watcher)
      },
      localAddress: () => ({ host: address, port: 5060 }),
      close: async () => void this.#hosts.delete(address),
    }
  }

  /** Breaks every connection to this host. */
  breakConnectionsTo(address: string): void {
    for (const watcher of [...this.#watchers]) if (watcher.address === address) watcher.onLost()
  }

  #carry(from: string, to: Destination, bytes: Uint8Array, onFailure: () => void): void {
    const text = new TextDecoder().decode(bytes)
    this.log.push(`${from} ${text.slice(0, text.indexOf('\r\n'))}`)
    const start = text.slice(0, text.indexOf('\r\n'))
    this.carried.push({ start, transport: to.transport, port: to.port })
    const isRefused = to.transport !== 'udp' && this.refusesTcp.has(to.address)
    const host = isRefused ? undefined : this.#hosts.get(to.address)
    if (!host && to.transport !== 'udp') return void this.#clock.after(this.delayMs, onFailure)
    if (!host || this.loses(text, this.#count++)) return
    const peer: Destination = { transport: to.transport, address: from, port: 5060 }
    const flow: Flow = { peer, send: (answer) => this.#carry(to.address, peer, answer, () => {}) }
    this.#clock.after(this.delayMs, () => host.receive(bytes.slice(), flow))
  }
}
