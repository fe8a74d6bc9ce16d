// The protocol between the peer process and the thread that runs calls: small messages on one pipe.
//
//   peer (u32) │ kind (u16) │ length (u16) │ length bytes      all little-endian
import type { Socket } from 'node:net'
import type { FromBrowser, ToBrowser } from '@parley/contract'

/** `sound`: 20 ms at 16 kHz. `word`: JSON, see Word. */
export const kind = { word: 0, sound: 1 } as const

export type ToPeer = Extract<FromBrowser, { type: 'offer' | 'candidate' }>
export type FromPeer = Extract<ToBrowser, { type: 'answer' | 'candidate' }>

/** `reached`: packets make the round trip to the browser. `lost`: nothing more comes from this peer. */
export type Word = ToPeer | FromPeer | { readonly type: 'close' | 'reached' | 'lost' }

const headerBytes = 8
const longest = 65_535
// The largest message fits twice.
const bufferBytes = 2 * (headerBytes + longest)

export class PipeReader {
  readonly #buffer = Buffer.alloc(bufferBytes)
  readonly #onMessage: (peer: number, what: number, body: Buffer) => void
  #filled = 0

  /** The body is lent until `onMessage` returns. */
  constructor(onMessage: (peer: number, what: number, body: Buffer) => void) {
    this.#onMessage = onMessage
  }

  push(chunk: Buffer): void {
    for (let taken = 0; taken < chunk.length; ) {
      const count = Math.min(chunk.length - taken, this.#buffer.length - this.#filled)
      chunk.copy(this.#buffer, this.#filled, taken, taken + count)
      taken += count
      this.#filled += count
      this.#drain()
    }
  }

  #drain(): void {
    let at = 0
    for (;;) {
      const left = this.#filled - at
      const length = left < headerBytes ? 0 : this.#buffer.readUInt16LE(at + 6)
      if (left < headerBytes + length) break
      const body = this.#buffer.subarray(at + headerBytes, at + headerBytes + length)
      this.#onMessage(this.#buffer.readUInt32LE(at), this.#buffer.readUInt16LE(at + 4), body)
      at += headerBytes + length
    }
    this.#buffer.copyWithin(0, at, this.#filled)
    this.#filled -= at
  }
}

// Audio that the other side has not read by now is useless; the pipe's own buffer holds 64 frames.
const mostWaiting = 64
// More than can be in flight, so that a buffer is reused only after it was sent.
const ringSize = 4 * mostWaiting

export class PipeWriter {
  readonly #socket: Socket
  readonly #ring: readonly Buffer[]
  #turn = 0

  constructor(socket: Socket, frameSamples: number) {
    this.#socket = socket
    this.#ring = Array.from({ length: ringSize }, () => {
      const message = Buffer.alloc(headerBytes + 2 * frameSamples)
      message.writeUInt16LE(kind.sound, 4)
      message.writeUInt16LE(2 * frameSamples, 6)
      return message
    })
  }

  word(peer: number, word: Word): void {
    const body = Buffer.from(JSON.stringify(word))
    if (body.length > longest) return
    const header = Buffer.alloc(headerBytes)
    header.writeUInt32LE(peer, 0)
    header.writeUInt16LE(kind.word, 4)
    header.writeUInt16LE(body.length, 6)
    this.#socket.write(Buffer.concat([header, body]))
  }

  /** Copies; drops the frame when the other side does not keep up. */
  sound(peer: number, samples: Int16Array): void {
    const message = this.#ring[this.#turn % ringSize]
    if (!message || this.#socket.writableLength > mostWaiting * message.length) return
    this.#turn++
    message.writeUInt32LE(peer, 0)
    for (let i = 0; i < samples.length; i++) message.writeInt16LE(samples[i] as number, headerBytes + 2 * i)
    this.#socket.write(message)
  }
}

export function readSound(body: Buffer, samples: Int16Array): void {
  for (let i = 0; i < samples.length; i++) samples[i] = body.readInt16LE(2 * i)
}
