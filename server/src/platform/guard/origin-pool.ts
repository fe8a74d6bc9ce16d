// The connections to one origin. A free open connection is used immediately. A request that finds none waits as long as
// the last handshake took before another connection is opened: on a busy machine, a burst of requests would otherwise
// cause a burst of handshakes, which delay everything more than the requests themselves.
import { Client, type Dispatcher } from 'undici'
import type { Connect } from './connector.ts'

interface WaitingRequest {
  readonly request: Dispatcher.DispatchOptions
  readonly handler: Dispatcher.DispatchHandler
  readonly untilMs: number
}

interface Connection {
  readonly client: Client
  isOpen: boolean
  /** The latest request; its signal aborts a connection attempt made for it. */
  request: Dispatcher.DispatchOptions | undefined
}

// Enough for a burst of deliveries to one receiver without using up all file descriptors.
const mostConnections = 128
// Long enough for the next event of a busy receiver, unless the receiver tells how long it keeps a connection
// (Keep-Alive).
const keepAliveMs = 10_000
const longestKeepAliveMs = 60_000

export class OriginPool {
  readonly #origin: string
  readonly #connect: Connect
  readonly #onEmpty: () => void
  readonly #mostPatienceMs: number
  readonly #all = new Set<Connection>()
  /** Open, idle connections, the most recently used first, so that surplus ones expire. */
  readonly #free: Connection[] = []
  readonly #waiting: WaitingRequest[] = []
  #patienceMs = 0
  #timer: NodeJS.Timeout | undefined

  /** `mostPatienceMs`: the longest wait for another request's connection, however long a handshake takes. */
  constructor(origin: string, connect: Connect, onEmpty: () => void, mostPatienceMs = 250) {
    this.#origin = origin
    this.#connect = connect
    this.#onEmpty = onEmpty
    this.#mostPatienceMs = mostPatienceMs
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#waiting.push({ request, handler, untilMs: performance.now() + this.#patienceMs })
    const free = this.#free.pop()
    if (free) this.#serve(free)
    else this.#openForWaiting()
  }

  /** Closes all connections; waiting and running requests fail alike. */
  async destroy(): Promise<void> {
    clearTimeout(this.#timer)
    const { client } = this.#open()
    const ended = Promise.all([...this.#all].map((connection) => connection.client.destroy()))
    for (const { request, handler } of this.#waiting.splice(0)) client.dispatch(request, handler)
    this.#all.clear()
    await ended
  }

  #openForWaiting(): void {
    clearTimeout(this.#timer)
    for (let [first] = this.#waiting; first && this.#all.size < mostConnections; [first] = this.#waiting) {
      const leftMs = this.#someAreOpen ? first.untilMs - performance.now() : 0
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#openForWaiting(), leftMs)
        return
      }
      this.#serve(this.#open())
    }
  }

  get #someAreOpen(): boolean {
    for (const { isOpen } of this.#all) if (isOpen) return true
    return false
  }

  /** Gives the connection to the longest waiter. */
  #serve(connection: Connection): void {
    const first = this.#waiting.shift()
    if (!first) {
      connection.request = undefined
      this.#free.push(connection)
      return
    }
    const { request, handler } = first
    const { client } = connection
    connection.request = request
    // A request with an invalid header is never sent, so it does not end either.
    if (!client.dispatch(request, handler) && client.stats.size === 0) this.#settle(connection)
  }

  /** Called when its request has ended, in any way. */
  #settle(connection: Connection): void {
    if (!this.#all.has(connection)) return
    if (connection.isOpen) this.#serve(connection)
    else this.#discard(connection)
  }

  /** A client without a connection would reconnect when used again. */
  #discard(connection: Connection): void {
    this.#all.delete(connection)
    void connection.client.destroy()
    this.#openForWaiting()
    if (this.#all.size === 0) this.#onEmpty()
  }

  #open(): Connection {
    let begunMs = 0
    const client = new Client(this.#origin, {
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: longestKeepAliveMs,
      connect: (target, done) => {
        begunMs = performance.now()
        this.#connect(target, signalOf(connection.request), done)
      },
    })
    const connection: Connection = { client, isOpen: false, request: undefined }
    this.#all.add(connection)
    client.on('connect', () => {
      connection.isOpen = true
      this.#patienceMs = Math.min(performance.now() - begunMs, this.#mostPatienceMs)
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

/** The signal is read only when a connection is opened: most requests find one, and theirs is never made. */
const signalOf = (request: Dispatcher.DispatchOptions | undefined): AbortSignal | undefined =>
  request && 'signal' in request && request.signal instanceof AbortSignal ? request.signal : undefined
