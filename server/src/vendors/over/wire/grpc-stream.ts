// gRPC calls with a stream in both directions, over node:http2.
//
//   message = 1 byte (0: not compressed), 4 bytes length, that many bytes; the status comes in the trailers
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'
import { VendorLate } from './vendor-failure.ts'

export interface GrpcServer {
  /** The vendor's name in error messages. */
  readonly name: string
  /** As in https://speech.googleapis.com; http for servers without TLS. */
  readonly origin: string
  /** Undefined: as the system does. */
  readonly lookup?: LookupFunction | undefined
  /** How long it may take to connect; undefined: five seconds. */
  readonly connectMs?: number | undefined
}

export interface GrpcCall {
  /** As in /google.cloud.speech.v2.Speech/StreamingRecognize. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly onMessage: (message: Buffer) => void
  /** Called once; without an error: the server has ended the call in good order. */
  readonly onEnd: (error: GrpcFailure | undefined) => void
}

/** The failure of a call, whose message is one sentence. */
export class GrpcFailure extends Error {
  /** As in 16 UNAUTHENTICATED, 8 RESOURCE_EXHAUSTED; null: there was no answer. */
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }

  /** The server was closing the connection, and has not looked at the call. */
  get isRefused(): boolean {
    return /NGHTTP2_REFUSED_STREAM/.test(String(this.cause))
  }
}

const usualConnectMs = 5_000
// A connection that routers have dropped is noticed before it is needed for speech.
const pingMs = 20_000
// A timer that is later than this share of its interval shows that the whole process was held up.
const mostHeldUp = 1.5
const prefixBytes = 5
// Google's own limit for a message is 4 MB.
const mostMessageBytes = 4 * 1024 * 1024
const mostReasonChars = 200
// RST_STREAM: we do not want the rest.
const cancelCode = 8

/** One connection, for any number of calls; opened again when it is lost. */
export class GrpcConnection {
  readonly #server: GrpcServer
  #session: ClientHttp2Session | undefined

  constructor(server: GrpcServer) {
    this.#server = server
  }

  call(call: GrpcCall): GrpcStream {
    return new GrpcStream(this.#open(), this.#server.name, call)
  }

  /** Connects ahead. Rejects with one sentence. */
  async ready(): Promise<void> {
    const session = this.#open()
    if (!session.connecting) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    session.once('connect', () => resolve())
    session.once('error', (error) => reject(unreachable(this.#server.name, error)))
    await promise
  }

  /** Calls under way are broken off. */
  close(): void {
    this.#session?.destroy()
  }

  #open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session
    const { origin, lookup, connectMs = usualConnectMs, name } = this.#server
    const session = connect(origin, lookup ? { lookup } : {})
    this.#session = session
    session.on('error', () => session.destroy())
    const late = setTimeout(
      () => session.destroy(new VendorLate(`${name} did not answer in time.`)),
      connectMs,
    )
    session.once('connect', () => {
      clearTimeout(late)
      keepAlive(session)
    })
    session.once('close', () => clearTimeout(late))
    // An idle connection must not keep the process from ending.
    session.unref()
    return session
  }
}

function keepAlive(session: ClientHttp2Session): void {
  let isAlive = true
  let pingedMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    // A process that was held up has read no answer, so its absence proves nothing.
    if (!isAlive && nowMs - pingedMs < mostHeldUp * pingMs) return session.destroy()
    isAlive = false
    pingedMs = nowMs
    session.ping((error) => {
      isAlive = error === null
    })
  }, pingMs).unref()
  session.once('close', () => clearInterval(timer))
}

export class GrpcStream {
  readonly #name: string
  readonly #call: GrpcCall
  readonly #stream: ClientHttp2Stream
  #received: Buffer = Buffer.alloc(0)
  #isOver = false

  constructor(session: ClientHttp2Session, name: string, call: GrpcCall) {
    this.#name = name
    this.#call = call
    this.#stream = session.request({
      ':method': 'POST',
      ':path': call.path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...call.headers,
    })
    this.#stream.on('error', (error) => this.#finish(unreachable(name, error)))
    this.#stream.on('response', (answer) => this.#checkStatus(answer))
    this.#stream.on('trailers', (trailers) => this.#checkStatus(trailers))
    this.#stream.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#stream.on('close', () => this.#fail('broke the connection off', null))
  }

  send(message: Uint8Array): void {
    if (this.#isOver) return
    const prefix = Buffer.alloc(prefixBytes)
    prefix.writeUInt32BE(message.length, 1)
    this.#stream.write(Buffer.concat([prefix, message]))
  }

  /** No more messages from us. */
  end(): void {
    if (!this.#isOver) this.#stream.end()
  }

  /** No message and no end follow. */
  cancel(): void {
    if (!this.#isOver) this.#leave()
  }

  #checkStatus(headers: Readonly<Record<string, string | string[] | number | undefined>>): void {
    const httpStatus = headers[':status']
    const status = headers['grpc-status']
    if (httpStatus !== undefined && httpStatus !== 200) this.#fail(`answered ${httpStatus}`, null)
    else if (status === '0') this.#finish(undefined)
    else if (status !== undefined) this.#refused(Number(status), String(headers['grpc-message'] ?? ''))
  }

  #refused(status: number, message: string): void {
    const reason = percentDecoded(message).slice(0, mostReasonChars)
    const name = statusNames[status] ?? `status ${status}`
    this.#fail(`answered ${name}${reason && `: ${reason}`}`, status)
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    try {
      for (let message = this.#nextMessage(); message && !this.#isOver; message = this.#nextMessage())
        this.#call.onMessage(message)
    } catch (cause) {
      this.#fail('sent what cannot be read', null, cause)
    }
  }

  /** Undefined: it is not complete yet. */
  #nextMessage(): Buffer | undefined {
    if (this.#received.length < prefixBytes) return undefined
    const length = this.#received.readUInt32BE(1)
    if (this.#received[0] !== 0 || length > mostMessageBytes) throw new RangeError('not a message of gRPC')
    const end = prefixBytes + length
    if (this.#received.length < end) return undefined
    const message = this.#received.subarray(prefixBytes, end)
    this.#received = this.#received.subarray(end)
    return message
  }

  #fail(what: string, status: number | null, cause?: unknown): void {
    this.#finish(new GrpcFailure(`${this.#name} ${what.replace(/\.$/, '')}.`, status, cause))
  }

  #finish(error: GrpcFailure | undefined): void {
    if (this.#isOver) return
    this.#leave()
    this.#call.onEnd(error)
  }

  #leave(): void {
    this.#isOver = true
    this.#stream.close(cancelCode)
  }
}

const unreachable = (name: string, error: NodeJS.ErrnoException): GrpcFailure =>
  error instanceof VendorLate || error.cause instanceof VendorLate
    ? new GrpcFailure(`${name} did not answer in time.`, null, error)
    : new GrpcFailure(`${name} cannot be reached (${error.code ?? error.message}).`, null, error)

/** The names of statuses, each after the HTTP status of the same meaning. */
const statusNames: Readonly<Record<number, string>> = {
  3: '400 INVALID_ARGUMENT',
  4: '504 DEADLINE_EXCEEDED',
  5: '404 NOT_FOUND',
  7: '403 PERMISSION_DENIED',
  8: '429 RESOURCE_EXHAUSTED',
  9: '400 FAILED_PRECONDITION',
  10: '409 ABORTED',
  11: '400 OUT_OF_RANGE',
  13: '500 INTERNAL',
  14: '503 UNAVAILABLE',
  16: '401 UNAUTHENTICATED',
}

/** The message is percent-encoded, by most. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
