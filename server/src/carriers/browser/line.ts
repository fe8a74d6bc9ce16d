// The line to a browser, in the thread that runs calls: audio over WebRTC, or over the socket where WebRTC is blocked.
import { webSound } from '@parley/contract/web-sound'
import { type Frame, makeFrame } from '../../media/frame.ts'
import { JitterBuffer } from '../../media/jitter.ts'
import type { Ticker } from '../../platform/clock/ticker.ts'
import type { Codec, Line, LineAbilities, LineEvent, LineListener } from '../../ports/line.ts'
import { soundOnly } from '../over-sound-only.ts'
import { FrameRing } from './frame-ring.ts'
import type { BrowserLink, FromLink, ToLink } from './link.ts'
import type { Peer, Peers } from './peers.ts'
import type { FromPeer } from './pipe.ts'
import { beginTransport, decideTransport, type TransportAct, type TransportEvent } from './transport.ts'

const leftBy = {
  bye: 'The person hung up on the page.',
  gone: 'The connection of the page closed.',
} as const

export interface BrowserLineParts {
  readonly peers: Peers
  readonly ticker: Pick<Ticker, 'add'>
}

const { rateHz, frameSamples } = webSound

// RFC 7587: the clock rate of Opus is always 48 kHz.
const opus: Codec = { name: 'opus', rateHz: 48_000 }
const pcm: Codec = { name: 'L16', rateHz }

/** A page has no keypad, no transfer target and no hold of its own. */
export const browserAbilities: LineAbilities = { ...soundOnly.can, codecs: [opus, pcm] }

export function openBrowserLine(
  link: BrowserLink,
  sessionId: string,
  listener: LineListener,
  parts: BrowserLineParts,
): Line {
  const line = new BrowserLine(link, listener, parts)
  return {
    ...soundOnly,
    can: browserAbilities,
    rateHz,
    callSid: `browser-${sessionId}`,
    pickUp: () => line.pickUp(),
    send: (frame) => line.send(frame),
    hangUp: () => line.close(),
  }
}

class BrowserLine {
  readonly #link: BrowserLink
  readonly #listener: LineListener
  readonly #peers: Peers
  readonly #up: FrameRing
  readonly #down: FrameRing
  // The socket loses nothing, but delivers in bursts.
  readonly #jitter = new JitterBuffer(rateHz)
  readonly #frame: Frame = makeFrame(rateHz)
  readonly #ticking: { end(): void }
  #transport = beginTransport(performance.now())
  #peer: Peer | undefined
  /** The call is answered when its sound travels and the agent can speak. */
  #isReached = false
  #isPickedUp = false
  #answered = false
  #over = false
  #arrived = 0

  constructor(link: BrowserLink, listener: LineListener, { peers, ticker }: BrowserLineParts) {
    this.#link = link
    this.#listener = listener
    this.#peers = peers
    this.#up = new FrameRing(link.up)
    this.#down = new FrameRing(link.down)
    link.port.on('message', (message: FromLink) => this.#hear(message))
    // The socket's thread has ended, or has closed the port.
    link.port.on('close', () => this.#hear({ type: 'gone' }))
    this.#ticking = ticker.add((nowMs) => this.#tick(nowMs))
  }

  pickUp(): void {
    this.#isPickedUp = true
    this.#answer()
  }

  send({ samples }: Frame): void {
    if (this.#transport.is === 'webrtc') this.#peer?.send(samples)
    else if (this.#transport.is === 'pcm' && this.#down.write(samples) && this.#down.ring())
      this.#tell('bell')
  }

  close(): void {
    if (this.#over) return
    this.#over = true
    this.#ticking.end()
    this.#peer?.close()
    this.#tell({ type: 'bye' })
    this.#link.port.close()
  }

  #end(event: Extract<LineEvent, { type: 'ended' }>): void {
    if (this.#over) return
    this.close()
    this.#listener.onEvent(event)
  }

  #tell(message: ToLink): void {
    this.#link.port.postMessage(message)
  }

  #hear(message: FromLink): void {
    if (this.#over) return
    switch (message.type) {
      case 'gone':
      case 'bye':
        this.#end({
          type: 'ended',
          cause: this.#answered ? 'hangup' : 'no-answer',
          carrierCause: { protocol: 'browser', code: message.type, text: leftBy[message.type] },
        })
        break
      case 'pcm':
        this.#handle('pcm-wanted')
        break
      case 'offer':
        this.#offer(message.sdp)
        break
      case 'text':
        if (this.#answered) this.#listener.onEvent({ type: 'text', text: message.text })
        break
      case 'candidate':
        this.#peer?.signal(message)
        break
    }
  }

  /** Only the first offer counts; there is nothing to renegotiate. */
  #offer(sdp: string): void {
    if (this.#peer || this.#transport.is !== 'trying') return
    this.#peer = this.#peers.open({
      onSignal: (signal) => this.#pass(signal),
      onReached: () => this.#over || this.#handle('peer-reached'),
      onFrame: (frame) => this.#hearPeer(frame),
      onLost: () => this.#over || this.#handle('peer-lost'),
    })
    this.#peer.signal({ type: 'offer', sdp })
  }

  #pass(signal: FromPeer): void {
    if (this.#over) return
    if (signal.type === 'answer') this.#handle('peer-ready')
    this.#tell(signal)
  }

  #hearPeer(frame: Frame): void {
    if (this.#over || this.#transport.is === 'pcm') return
    this.#handle('peer-sound')
    this.#listener.onFrame(frame)
  }

  /** Must not throw: that would stop every other call of the thread. */
  #tick(nowMs: number): void {
    this.#handle('tick', nowMs)
    while (!this.#over && this.#up.read(this.#frame.samples)) {
      this.#handle('pcm-sound', nowMs)
      // What was said while the page waited for the agent is not heard later.
      if (!this.#answered) continue
      this.#jitter.put(this.#arrived & 0xffff, (this.#arrived * frameSamples) | 0, this.#frame.samples, nowMs)
      this.#arrived++
    }
    if (this.#over || this.#transport.is !== 'pcm' || !this.#answered) return
    this.#jitter.take(this.#frame.samples, nowMs)
    this.#listener.onFrame(this.#frame)
  }

  #handle(event: TransportEvent, nowMs = performance.now()): void {
    const { next, act } = decideTransport(this.#transport, event, nowMs)
    this.#transport = next
    if (act) this.#do(act)
  }

  #answer(): void {
    if (!this.#isReached || !this.#isPickedUp || this.#answered || this.#over) return
    this.#answered = true
    this.#listener.onEvent({ type: 'answered', codec: this.#transport.is === 'webrtc' ? opus : pcm })
  }

  #do(act: TransportAct): void {
    switch (act) {
      case 'answer':
        this.#isReached = true
        this.#answer()
        break
      case 'use-pcm':
        this.#peer?.close()
        this.#peer = undefined
        this.#tell({ type: 'pcm' })
        if (this.#answered) this.#listener.onEvent({ type: 'codec-changed', codec: pcm })
        break
      case 'give-up':
        this.#end({ type: 'ended', cause: 'failed', reason: 'The browser sent no sound.' })
        break
    }
  }
}
