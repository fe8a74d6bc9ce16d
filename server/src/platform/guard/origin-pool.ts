// The connections to one receiver. An open one that is free is used at once. Whoever finds none waits as long as opening
// one took the last time, and only then has one opened: on a busy machine a burst of requests would otherwise bring a
// burst of handshakes, which delays everybody more than the requests themselves.
import { Client, type Dispatcher } from 'undici'
import type { Connect } from './connector.ts'

interface Waiting {
  readonly request: Dispatcher.DispatchOptions
  readonly handler: Dispatcher.DispatchHandler
  readonly untilMs: number
}

interface Connection {
  readonly client: Client
  isOpen: boolean
  /** Of its latest request; ends the attempt to connect for it. */
  signal: AbortSignal | undefined
}

// Enough for a burst of deliveries to one receiver without taking all our file handles.
const mostConnections = 64
// Long enough for the next event of a busy receiver. Receivers may ask for less, not for more.
const keepAliveMs = 10_000
// However long a handshake takes: nobody waits longer for somebody else's connection.
const mostPatienceMs = 250

export class OriginPool {
  readonly #origin: string
  readonly #connect: Connect
  readonly #onEmpty: () => void
  readonly #all = new Set<Connection>()
  /** Open and without a request. The one that was used last is used first, so that those too many grow old. */
  readonly #free: Connection[] = []
  readonly #waiting: Waiting[] = []
  #patienceMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(origin: string, connect: Connect, onEmpty: () => void) {
    this.#origin = origin
    this.#connect = connect
    this.#onEmpty = onEmpty
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#waiting.push({ request, handler, untilMs: performance.now() + this.#patienceMs })
    const free = this.#free.pop()
    if (free) this.#serve(free)
    else this.#openForThoseWhoWaited()
  }

  /** Ends all of them; whoever waits is told the same as whoever is served. */
  async destroy(): Promise<void> {
    clearTimeout(this.#timer)
    const { client } = this.#open()
    const ended = Promise.all([...this.#all].map((connection) => connection.client.destroy()))
    for (const { request, handler } of this.#waiting.splice(0)) client.dispatch(request, handler)
    this.#all.clear()
    await ended
  }

  #openForThoseWhoWaited(): void {
    clearTimeout(this.#timer)
    for (let [first] = this.#waiting; first && this.#all.size < mostConnections; [first] = this.#waiting) {
      const leftMs = this.#someAreOpen ? first.untilMs - performance.now() : 0
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#openForThoseWhoWaited(), leftMs)
        return
      }
      this.#serve(this.#open())
    }
  }

  get #someAreOpen(): boolean {
    for (const { isOpen } of this.#all) if (isOpen) return true
    return false
  }

  /** Gives it to whoever has waited longest. */
  #serve(connection: Connection): void {
    const first = this.#waiting.shift()
    if (!first) return void this.#free.push(connection)
    const { request, handler } = first
    const { client } = connection
    connection.signal =
      'signal' in request && request.signal instanceof AbortSignal ? request.signal : undefined
    // What has a header that cannot be sent never becomes a request, so it does not end either.
    if (!client.dispatch(request, handler) && client.stats.size === 0) this.#settle(connection)
  }

  /** Its request has ended, one way or another. */
  #settle(connection: Connection): void {
    if (!this.#all.has(connection)) return
    if (connection.isOpen) this.#serve(connection)
    else this.#discard(connection)
  }

  /** A client without a connection would open another when it is used again. */
  #discard(connection: Connection): void {
    this.#all.delete(connection)
    void connection.client.destroy()
    this.#openForThoseWhoWaited()
    if (this.#all.size === 0) this.#onEmpty()
  }

  #open(): Connection {
    let begunMs = 0
    const client = new Client(this.#origin, {
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      connect: (target, done) => {
        begunMs = performance.now()
        this.#connect(target, connection.signal, done)
      },
    })
    const connection: Connection = { client, isOpen: false, signal: undefined }
    this.#all.add(connection)
    client.on('connect', () => {
      connection.isOpen = true
      this.#patienceMs = Math.min(performance.now() - begunMs, mostPatienceMs)
    })
    client.on('disconnect', () => {
      connection.isOpen = false
      const at = this.#free.indexOf(connection)
      if (at < 0) return
      this.#free.splice(at, 1)
      this.#discard(connection)
    })
    client.on('drain', () => this.#settle(connection))
    return connection
  }
}
