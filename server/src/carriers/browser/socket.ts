// A browser that asked to join, in the thread that holds its socket: messages are validated and forwarded in both
// directions, with a limit on what either direction may buffer.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { FromBrowser, type ToBrowser, webSound } from '@parley/contract'
import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import type { Arrival } from '../../ports/arrival.ts'
import { FrameRing, makeRing } from './frame-ring.ts'
import type { BrowserLink, FromLink, ToLink } from './link.ts'

/** A rate limit: a burst at once, then a number per second. */
class TokenBucket {
  readonly #perMs: number
  readonly #atOnce: number
  #left: number
  #lastMs = Number.NEGATIVE_INFINITY

  constructor({ perSecond, atOnce }: { perSecond: number; atOnce: number }) {
    this.#perMs = perSecond / 1000
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  /** False: the limit is exceeded. */
  take(nowMs: number): boolean {
    this.#left = Math.min(this.#atOnce, this.#left + (nowMs - this.#lastMs) * this.#perMs)
    this.#lastMs = nowMs
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}

// Three unanswered pings: long enough for a train in a tunnel, short enough not to pay for a caller who has left.
const pingMs = 2_000
const mostUnanswered = 3
// Half a second of audio: what the network has not taken by then is dropped.
const mostWaitingBytes = 25 * webSound.frameBytes
// A buffer is reused after this many frames; it could still be in flight only if more than that were queued.
const sentRing = 64
// Our page sends 50 frames a second and a few candidates; ten times that is not our page.
const allowance = { perSecond: 500, atOnce: 500 }

/** Close codes: 1000 the call is over, 1008 protocol violation by the browser, 1011 a fault of ours. */
export class BrowserSocket {
  readonly arrival: Arrival
  readonly #socket: WebSocket
  readonly #port: MessagePort
  readonly #up: FrameRing
  readonly #down: FrameRing
  readonly #samples = new Int16Array(webSound.frameSamples)
  readonly #sent: readonly Buffer[]
  readonly #rateLimit = new TokenBucket(allowance)
  readonly #pinging: NodeJS.Timeout
  #turn = 0
  #unanswered = 0

  constructor(socket: WebSocket) {
    const { port1, port2 } = new MessageChannel()
    const [up, down] = [makeRing(), makeRing()]
    const link: BrowserLink = { port: port2, up, down }
    this.arrival = {
      carrier: 'browser',
      handover: { payload: link, transfer: [port2] },
      refuse: (reason) => this.#refuse(reason),
    }
    this.#socket = socket
    this.#port = port1
    this.#up = new FrameRing(up)
    this.#down = new FrameRing(down)
    this.#sent = Array.from({ length: sentRing }, () => Buffer.alloc(webSound.frameBytes))
    port1.on('message', (message: ToLink) => this.#tell(message))
    // The line has ended, or its thread has.
    port1.on('close', () => this.close(1011))
    // Does not keep the process alive by itself.
    port1.unref()
    socket.on('message', (data, binary) => this.#hear(data, binary))
    socket.on('pong', () => {
      this.#unanswered = 0
    })
    socket.on('close', () => this.#leave())
    this.#pinging = setInterval(() => this.#ping(), pingMs).unref()
  }

  send(message: ToBrowser): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  close(code: number): void {
    this.#socket.close(code)
  }

  #refuse(reason: string): void {
    this.send({ type: 'refused', message: reason })
    this.close(1011)
  }

  #leave(): void {
    clearInterval(this.#pinging)
    this.#pass({ type: 'gone' })
    this.#port.close()
  }

  #pass(message: FromLink): void {
    this.#port.postMessage(message)
  }

  #hear(data: RawData, binary: boolean): void {
    const allowed = this.#rateLimit.take(performance.now()) && Buffer.isBuffer(data)
    if (!allowed || !(binary ? this.#hearSound(data) : this.#hearWords(data))) this.close(1008)
  }

  /** False when it is not a valid message of our page. */
  #hearSound(data: Buffer): boolean {
    if (data.length !== webSound.frameBytes) return false
    for (let i = 0; i < this.#samples.length; i++) this.#samples[i] = data.readInt16LE(2 * i)
    this.#up.write(this.#samples)
    return true
  }

  #hearWords(data: Buffer): boolean {
    const message = readMessage(FromBrowser, data.toString('utf8'))
    if (message) this.#pass(message)
    return message !== undefined
  }

  #tell(message: ToLink): void {
    if (message === 'bell') this.#sendSound()
    else this.send(message)
    if (message !== 'bell' && message.type === 'bye') this.close(1000)
  }

  #sendSound(): void {
    this.#down.hush()
    while (this.#down.read(this.#samples)) {
      if (this.#socket.readyState !== this.#socket.OPEN || this.#socket.bufferedAmount > mostWaitingBytes)
        continue
      const bytes = this.#sent[this.#turn++ % sentRing] as Buffer
      for (let i = 0; i < this.#samples.length; i++) bytes.writeInt16LE(this.#samples[i] as number, 2 * i)
      this.#socket.send(bytes)
    }
  }

  #ping(): void {
    if (this.#unanswered++ >= mostUnanswered) this.#socket.terminate()
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }
}

/** Undefined: the text is not JSON of this form. */
export function readMessage<Message>(schema: z.ZodType<Message>, text: string): Message | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
