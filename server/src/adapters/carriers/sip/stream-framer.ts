// Cuts a TCP or TLS stream into SIP messages by Content-Length (RFC 3261 §18.3), and finds keep-alives (RFC 5626 §3.5.1).
import { endOfHeaders, maxMessageBytes } from './parse.ts'

export interface StreamListener {
  onMessage(bytes: Uint8Array): void
  /** A double CRLF asks for a single one in return. */
  onPing(): void
  /** The stream cannot be understood any further: close the connection. */
  onBroken(reason: string): void
}

const lengthLine = /\r?\n(?:Content-Length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*(?:\r?\n|$)/i
const decoder = new TextDecoder('latin1')

export class StreamFramer {
  #pending = new Uint8Array(0)
  #broken = false
  readonly #listener: StreamListener

  constructor(listener: StreamListener) {
    this.#listener = listener
  }

  push(chunk: Uint8Array): void {
    if (this.#broken) return
    this.#pending = this.#pending.length === 0 ? chunk.slice() : concat(this.#pending, chunk)
    while (!this.#broken && this.#takeOne());
  }

  #takeOne(): boolean {
    this.#skipKeepAlives()
    if (this.#pending.length === 0) return false
    const end = endOfHeaders(this.#pending)
    if (end < 0) {
      if (this.#pending.length > maxMessageBytes) this.#break('The head of a message is too long.')
      return false
    }
    const length = lengthLine.exec(decoder.decode(this.#pending.subarray(0, end)))
    // Without a length nobody can tell where the next message begins.
    if (!length) return this.#break('A message over a stream has no Content-Length.')
    const total = end + Number(length[1])
    if (total > maxMessageBytes) return this.#break('A message is too long.')
    if (this.#pending.length < total) return false
    const message = this.#pending.subarray(0, total)
    this.#pending = this.#pending.slice(total)
    this.#listener.onMessage(message)
    return true
  }

  #skipKeepAlives(): void {
    let at = 0
    while (this.#pending[at] === 13 && this.#pending[at + 1] === 10) {
      if (this.#pending[at + 2] === 13 && this.#pending[at + 3] === 10) {
        this.#listener.onPing()
        at += 4
      } else at += 2
    }
    if (at > 0) this.#pending = this.#pending.slice(at)
  }

  #break(reason: string): false {
    this.#broken = true
    this.#pending = new Uint8Array(0)
    this.#listener.onBroken(reason)
    return false
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
