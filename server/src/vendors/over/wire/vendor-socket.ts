// A WebSocket to a vendor: the one place for connecting, keep-alive, dead peers, strange messages and one-sentence errors.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { type RawData, WebSocket } from 'ws'
import { isPublic } from '../../../platform/guard/addresses.ts'
import { PassedOver, UnknownMessage, type VendorService } from './passed-over.ts'
import { isAboutAccount, redacted, refusalReason, VendorLate, VendorRefused } from './vendor-failure.ts'

/** Text or bytes, as the vendor wants it. */
export type OutgoingMessage = string | Uint8Array

export interface SocketAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The first messages, once the connection is open. */
  readonly hello?: OutgoingMessage | readonly OutgoingMessage[] | undefined
}

export interface VendorSocketOptions {
  /** The vendor's name in error messages. */
  readonly name: string
  /** What the vendor is used for here. */
  readonly service: VendorService
  /** The header in which the vendor says why it refuses a connection; undefined: the body does. */
  readonly refusalHeader?: string | undefined
  /** For vendors that disconnect a silent client: sent after this long without any other message. */
  readonly keepAlive?: { readonly everyMs: number; readonly message: OutgoingMessage } | undefined
  /** Messages that may be queued until the connection opens; beyond that the oldest are dropped. */
  readonly mostWaiting: number
  /** What it must not repeat in a reason for closing. */
  readonly credentials?: Readonly<Record<string, string>> | undefined
  /** Resolves to public addresses only; undefined: as the system does. */
  readonly lookup?: LookupFunction | undefined
  readonly onOpen?: (() => void) | undefined
  /** A message for which it throws `UnknownMessage` is passed over. */
  readonly onMessage: (message: string | Uint8Array) => void
  /** Whether a message that cannot be read may be the one that is waited for; others are passed over. Undefined: it always may. */
  readonly isAwaiting?: (() => boolean) | undefined
  /** Called once, unless we closed it ourselves. The message never contains a key or an address. */
  readonly onEnd: (error: Error) => void
  /** For tests. */
  readonly pace?: Partial<typeof usualPace> | undefined
}

const usualPace = {
  // The caller is waiting; after this, a second attempt begins.
  connectMs: 5_000,
  // A dead connection is detected within two of these.
  pingMs: 5_000,
}

// A timer that is later than this share of its interval shows that the whole process was held up.
const mostHeldUp = 1.5

// Half a minute of audio that the network has not taken: the connection is stuck.
const mostBufferedBytes = 2_000_000
const mostReasonChars = 200
// A refusal is told with what has come of its reason by then.
const refusalWithinMs = 500
const mostRefusalBytes = 16_384

export class VendorSocket {
  readonly #options: VendorSocketOptions
  readonly #waiting: OutgoingMessage[] = []
  readonly #timers: NodeJS.Timeout[] = []
  readonly #passedOver: PassedOver
  #socket: WebSocket | undefined
  #over = false
  #isAlive = true
  #hasSent = false
  #isPaused = false
  #pingedMs = 0

  /** A vendor may have to be asked for the address first. */
  constructor(address: SocketAddress | Promise<SocketAddress>, options: VendorSocketOptions) {
    this.#options = options
    this.#passedOver = new PassedOver(options.name, options.service)
    if (address instanceof Promise) void this.#await(address)
    else this.#connect(address)
  }

  /** Queues messages until the connection is open. */
  send(message: OutgoingMessage): void {
    if (this.#over) return
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      this.#waiting.push(message)
      if (this.#waiting.length > this.#options.mostWaiting) this.#waiting.shift()
      return
    }
    this.#hasSent = true
    this.#socket.send(message)
    if (this.#socket.bufferedAmount > mostBufferedBytes) this.#fail('does not take what it is sent')
  }

  /** A caller waits from now on: the socket must be open within this time. */
  openWithin(ms: number): void {
    const dueMs = performance.now() + ms
    const check = () => {
      if (this.#over || this.#socket?.readyState === WebSocket.OPEN) return
      // The process was held up, so the vendor's silence proves nothing.
      if (performance.now() - dueMs > (mostHeldUp - 1) * ms) this.openWithin(ms)
      else this.#failLate()
    }
    this.#timers.push(setTimeout(check, ms).unref())
  }

  /** Backpressure: nothing is received until `resume`. */
  pause(): void {
    this.#isPaused = true
    this.#socket?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#socket?.resume()
  }

  /** No message or error follows. */
  close(): void {
    if (this.#over) return
    this.#leave()
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.close(1000)
    else this.#socket?.terminate()
  }

  async #await(address: Promise<SocketAddress>): Promise<void> {
    const { connectMs } = { ...usualPace, ...this.#options.pace }
    const late = setTimeout(() => this.#failLate(), connectMs)
    late.unref()
    try {
      const known = await address
      if (!this.#over) this.#connect(known)
    } catch (error) {
      this.#failWith(error instanceof Error ? error : new Error(String(error)))
    } finally {
      clearTimeout(late)
    }
  }

  #connect({ url, headers, hello = [] }: SocketAddress): void {
    const { connectMs, pingMs } = { ...usualPace, ...this.#options.pace }
    const { lookup } = this.#options
    let socket: WebSocket
    try {
      if (lookup) refusePrivate(new URL(url))
      socket = new WebSocket(url, {
        headers: { ...headers },
        handshakeTimeout: connectMs,
        // Sound does not get smaller, and each message would wait for a thread.
        perMessageDeflate: false,
        ...(lookup && { lookup }),
      })
    } catch (error) {
      // A key with characters that no header may have, or an invalid address. `onEnd` is called once the constructor has returned.
      queueMicrotask(() => this.#fail(`cannot be reached (${codeOf(error as NodeJS.ErrnoException)})`))
      return
    }
    this.#socket = socket
    socket.on('open', () => this.#begin(socket, [hello].flat(), pingMs))
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('pong', () => this.#markAlive())
    socket.on('unexpected-response', (request, response) => void this.#refused(request, response))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (/timed out/.test(error.message)) this.#failLate()
      else this.#fail(`cannot be reached (${codeOf(error)})`)
    })
    socket.on('close', (code, reason) =>
      this.#fail(`closed the connection (${code}${this.#reasonOf(reason)})`),
    )
  }

  async #refused(request: ClientRequest, response: IncomingMessage): Promise<void> {
    const { refusalHeader = '', credentials = {} } = this.#options
    const late = setTimeout(() => response.destroy(), refusalWithinMs)
    const told = response.headers[refusalHeader]?.toString() ?? (await beginningOf(response))
    clearTimeout(late)
    request.destroy()
    const { statusCode } = response
    const reason = refusalReason(told, credentials).replace(/\.$/, '')
    const sentence = `${this.#options.name} refused the connection (${statusCode})${reason}.`
    this.#failWith(new (isAboutAccount(statusCode) ? VendorRefused : Error)(sentence))
  }

  #begin(socket: WebSocket, hello: readonly OutgoingMessage[], pingMs: number): void {
    if (this.#isPaused) socket.pause()
    for (const message of hello) socket.send(message)
    for (const message of this.#waiting.splice(0)) this.send(message)
    this.#pingedMs = performance.now()
    this.#timers.push(setInterval(() => this.#ping(socket, pingMs), pingMs).unref())
    this.#keepAlive(socket)
    this.#options.onOpen?.()
  }

  #keepAlive(socket: WebSocket): void {
    const { keepAlive } = this.#options
    if (!keepAlive) return
    const stayAlive = () => {
      if (!this.#hasSent) socket.send(keepAlive.message)
      this.#hasSent = false
    }
    this.#timers.push(setInterval(stayAlive, keepAlive.everyMs).unref())
  }

  #ping(socket: WebSocket, pingMs: number): void {
    const nowMs = performance.now()
    // A socket that is paused, or a process that was held up, reads no pong: its absence proves nothing.
    const hasRead = !socket.isPaused && nowMs - this.#pingedMs < mostHeldUp * pingMs
    if (!this.#isAlive && hasRead) this.#fail('fell silent')
    this.#isAlive = false
    this.#pingedMs = nowMs
    if (!this.#over) socket.ping()
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
      if (cause instanceof UnknownMessage) this.#passedOver.unknown(cause.messageType)
      else if (this.#options.isAwaiting?.() ?? true) this.#fail('sent what cannot be read', cause)
      else this.#passedOver.unreadable()
    }
  }

  /** The vendor's own reason, short and on one line. */
  #reasonOf(reason: Buffer): string {
    const told = redacted(reason.toString(), this.#options.credentials ?? {})
    const text = told.replaceAll(/\s+/g, ' ').trim().slice(0, mostReasonChars)
    return text && `: ${text}`
  }

  #fail(what: string, cause?: unknown): void {
    this.#failWith(new Error(`${this.#options.name} ${what.replace(/\.$/, '')}.`, { cause }))
  }

  #failLate(): void {
    this.#failWith(new VendorLate(`${this.#options.name} did not answer in time.`))
  }

  #failWith(error: Error): void {
    if (this.#over) return
    this.#leave()
    this.#socket?.terminate()
    this.#options.onEnd(error)
  }

  #leave(): void {
    this.#over = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#waiting.length = 0
  }
}

/** As much of a body as there is before it ends, breaks off or becomes too long. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      if (Buffer.concat(chunks).length > mostRefusalBytes) break
    }
  } catch {
    // What came before is reason enough.
  }
  return Buffer.concat(chunks).toString()
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name

/** Names are looked up; an address that a vendor's answer gives is not. */
function refusePrivate({ hostname }: URL): void {
  const host = hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) !== 0 && !isPublic(host)) throw Object.assign(new Error(), { code: 'not a public address' })
}
