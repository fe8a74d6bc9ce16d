// A gRPC call with a stream in both directions, over node:http2.
//
//   message = 1 byte (0: not compressed), 4 bytes length, that many bytes; the status comes in the trailers
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'

export interface GrpcCall {
  /** The vendor's name in error messages. */
  readonly name: string
  /** As in https://speech.googleapis.com; http for servers without TLS. */
  readonly origin: string
  /** As in /google.cloud.speech.v2.Speech/StreamingRecognize. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: as the system does. */
  readonly lookup?: LookupFunction | undefined
  readonly onMessage: (message: Buffer) => void
  /** Once: without an error, the server has ended the call in good order. */
  readonly onEnd: (error: GrpcFailure | undefined) => void
}

/** Its message is one sentence. */
export class GrpcFailure extends Error {
  /** As in 16 UNAUTHENTICATED, 8 RESOURCE_EXHAUSTED; null: there was no answer. */
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

// The caller is waiting.
const connectMs = 5_000
const prefixBytes = 5
// Google's own limit for a message is 4 MB.
const mostMessageBytes = 4 * 1024 * 1024
const mostReasonChars = 200
// RST_STREAM: we do not want the rest.
const cancelCode = 8

export class GrpcStream {
  readonly #call: GrpcCall
  readonly #session: ClientHttp2Session
  readonly #stream: ClientHttp2Stream
  #received: Buffer = Buffer.alloc(0)
  #isOver = false

  constructor(call: GrpcCall) {
    this.#call = call
    const { origin, path, headers, lookup } = call
    this.#session = connect(origin, lookup ? { lookup } : {})
    this.#session.setTimeout(connectMs, () => {
      if (this.#session.connecting) this.#fail('did not answer in time', null)
    })
    this.#session.on('error', (error) => this.#lost(error))
    this.#stream = this.#session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    })
    this.#stream.on('error', (error) => this.#lost(error))
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

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
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

  #lost(error: NodeJS.ErrnoException): void {
    this.#fail(`cannot be reached (${error.code ?? error.name})`, null, error)
  }

  #fail(what: string, status: number | null, cause?: unknown): void {
    this.#finish(new GrpcFailure(`${this.#call.name} ${what.replace(/\.$/, '')}.`, status, cause))
  }

  #finish(error: GrpcFailure | undefined): void {
    if (this.#isOver) return
    this.#leave()
    this.#call.onEnd(error)
  }

  #leave(): void {
    this.#isOver = true
    this.#stream.close(cancelCode)
    this.#session.close()
  }
}

const statusNames: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  4: 'DEADLINE_EXCEEDED',
  5: 'NOT_FOUND',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  11: 'OUT_OF_RANGE',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
}

/** The message is percent-encoded, by most. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
