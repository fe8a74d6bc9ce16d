// A WebSocket to a vendor: the one place for connecting, keep-alive, dead peers and one-sentence errors.
import { type RawData, WebSocket } from 'ws'

export interface SocketAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The first message, once the connection is open. */
  readonly hello?: string | undefined
}

export interface VendorSocketOptions {
  /** The vendor's name in error messages. */
  readonly name: string
  /** For vendors that disconnect a silent client: sent after this long without any other message. */
  readonly keepAlive?: { readonly everyMs: number; readonly message: string } | undefined
  /** Messages that may be queued until the connection opens; beyond that the oldest are dropped. */
  readonly mostWaiting: number
  readonly onMessage: (message: string | Uint8Array) => void
  /** Called once, unless we closed it ourselves. The message never contains a key or an address. */
  readonly onEnd: (error: Error) => void
  /** For tests. */
  readonly pace?: Partial<typeof usualPace>
}

const usualPace = {
  // The caller is waiting; after this, a second attempt begins.
  connectMs: 5_000,
  // A dead connection is detected within two of these.
  pingMs: 5_000,
}

// A few seconds of audio that the network has not taken: the connection is stuck.
const mostBufferedBytes = 1_000_000
const mostReasonChars = 200

export class VendorSocket {
  readonly #options: VendorSocketOptions
  readonly #socket: WebSocket
  readonly #waiting: (string | Uint8Array)[] = []
  readonly #timers: NodeJS.Timeout[] = []
  #over = false
  #isAlive = true
  #hasSent = false

  constructor({ url, headers, hello }: SocketAddress, options: VendorSocketOptions) {
    const { connectMs, pingMs } = { ...usualPace, ...options.pace }
    this.#options = options
    this.#socket = new WebSocket(url, { headers: { ...headers }, handshakeTimeout: connectMs })
    this.#socket.on('open', () => this.#begin(hello, pingMs))
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    this.#socket.on('pong', () => this.#markAlive())
    this.#socket.on('unexpected-response', (request, response) => {
      request.destroy()
      this.#fail(`refused the connection (${response.statusCode})`)
    })
    this.#socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#fail(
        /timed out/.test(error.message) ? 'did not answer in time' : `cannot be reached (${codeOf(error)})`,
      ),
    )
    this.#socket.on('close', (code, reason) =>
      this.#fail(`closed the connection (${code}${reasonOf(reason)})`),
    )
  }

  /** Queues messages until the connection is open. */
  send(message: string | Uint8Array): void {
    if (this.#over) return
    if (this.#socket.readyState !== WebSocket.OPEN) {
      this.#waiting.push(message)
      if (this.#waiting.length > this.#options.mostWaiting) this.#waiting.shift()
      return
    }
    this.#hasSent = true
    this.#socket.send(message)
    if (this.#socket.bufferedAmount > mostBufferedBytes) this.#fail('does not take what it is sent')
  }

  /** Backpressure: nothing is received until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** No message or error follows. `bye` is sent first. */
  close(bye?: string): void {
    if (this.#over) return
    if (bye !== undefined) this.send(bye)
    this.#leave()
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000)
    else this.#socket.terminate()
  }

  #begin(hello: string | undefined, pingMs: number): void {
    if (hello !== undefined) this.#socket.send(hello)
    for (const message of this.#waiting.splice(0)) this.send(message)
    this.#timers.push(setInterval(() => this.#ping(), pingMs).unref())
    const { keepAlive } = this.#options
    if (!keepAlive) return
    const stayAlive = () => {
      if (!this.#hasSent) this.#socket.send(keepAlive.message)
      this.#hasSent = false
    }
    this.#timers.push(setInterval(stayAlive, keepAlive.everyMs).unref())
  }

  #ping(): void {
    // While paused we read no pong, so its absence proves nothing.
    if (!this.#isAlive && !this.#socket.isPaused) this.#fail('fell silent')
    this.#isAlive = false
    if (!this.#over) this.#socket.ping()
  }

  #markAlive(): void {
    this.#isAlive = true
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#markAlive()
    if (this.#over) return
    try {
      this.#options.onMessage(isBinary ? (data as Buffer) : data.toString())
    } catch (cause) {
      this.#fail('sent what cannot be read', cause)
    }
  }

  #fail(what: string, cause?: unknown): void {
    if (this.#over) return
    this.#leave()
    this.#socket.terminate()
    this.#options.onEnd(new Error(`${this.#options.name} ${what}.`, { cause }))
  }

  #leave(): void {
    this.#over = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#waiting.length = 0
  }
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name

/** The vendor's own reason, short and on one line. */
const reasonOf = (reason: Buffer): string => {
  const text = reason.toString().replaceAll(/\s+/g, ' ').trim().slice(0, mostReasonChars)
  return text && `: ${text}`
}
