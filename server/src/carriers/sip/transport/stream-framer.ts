// Cuts a TCP or TLS stream into SIP messages by Content-Length (RFC 3261 §18.3), and finds keep-alives (RFC 5626 §3.5.1).
import { endOfHeaders, maxMessageBytes } from '../message/parse.ts'

export interface StreamListener {
  onMessage(bytes: Uint8Array): void
  /** A double CRLF asks for a single one in return. */
  onPing(): void
  /** A single CRLF between messages: the answer to a ping of ours. */
  onPong(): void
  /** The rest of the stream cannot be understood: close the connection. */
  onBroken(reason: string): void
}

const lengthLine = /\r?\n(?:Content-Length|l)[ \t]*:(?:\r?\n[ \t]|[ \t])*(\d{1,9})[ \t]*(?:\r?\n|$)/i
const decoder = new TextDecoder('latin1')
const [cr, lf] = [13, 10]

export class StreamFramer {
  /** The buffer grows by doubling, so that a stream of single bytes is seldom copied. */
  #buffer = new Uint8Array(2_048)
  #filled = 0
  /** The headers do not end before this position. */
  #searched = 0
  #broken = false
  readonly #listener: StreamListener

  constructor(listener: StreamListener) {
    this.#listener = listener
  }

  /** Whether a message has begun and is incomplete. */
  get isWaiting(): boolean {
    return this.#filled > 0
  }

  push(chunk: Uint8Array): void {
    if (this.#broken) return
    this.#append(chunk)
    while (!this.#broken && this.#takeOne());
  }

  #append(chunk: Uint8Array): void {
    const needed = this.#filled + chunk.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2))
      larger.set(this.#buffer.subarray(0, this.#filled))
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#filled)
    this.#filled = needed
  }

  #takeOne(): boolean {
    this.#skipKeepAlives()
    if (this.#filled === 0) return false
    const pending = this.#buffer.subarray(0, this.#filled)
    const end = endOfHeaders(pending, this.#searched)
    if (end < 0) {
      this.#searched = Math.max(0, this.#filled - 2)
      if (this.#filled > maxMessageBytes) this.#break('The head of a message is too long.')
      return false
    }
    const length = lengthLine.exec(decoder.decode(pending.subarray(0, end)))
    // Without a length it cannot be known where the next message begins.
    if (!length) return this.#break('A message over a stream has no Content-Length.')
    const total = end + Number(length[1])
    if (total > maxMessageBytes) return this.#break('A message is too long.')
    if (this.#filled < total) return false
    const message = pending.slice(0, total)
    this.#drop(total)
    this.#listener.onMessage(message)
    return true
  }

  #skipKeepAlives(): void {
    let at = 0
    while (at + 1 < this.#filled && this.#isLineEnd(at)) {
      if (at + 3 < this.#filled && this.#isLineEnd(at + 2)) {
        this.#listener.onPing()
        at += 4
      } else if (at + 2 < this.#filled && this.#buffer[at + 2] === cr && at + 3 >= this.#filled) break
      else {
        this.#listener.onPong()
        at += 2
      }
    }
    if (at > 0) this.#drop(at)
  }

  #isLineEnd(at: number): boolean {
    return this.#buffer[at] === cr && this.#buffer[at + 1] === lf
  }

  #drop(bytes: number): void {
    this.#buffer.copyWithin(0, bytes, this.#filled)
    this.#filled -= bytes
    this.#searched = 0
    if (this.#filled === 0 && this.#buffer.length > 8_192) this.#buffer = new Uint8Array(2_048)
  }

  #break(reason: string): false {
    this.#broken = true
    this.#buffer = new Uint8Array(0)
    this.#filled = 0
    this.#listener.onBroken(reason)
    return false
  }
}
