// One browser on WebRTC: answers its offer, and converts its 48 kHz audio to frames of the line.
import { webSound } from '@parley/contract/web-sound'
import { type RateHz, rates } from '../../media/frame.ts'
import { Framer } from '../../media/framer.ts'
import { Resampler } from '../../media/resample.ts'
import type { FromPeer, ToPeer } from './pipe.ts'

// The part of @roamhq/wrtc that we use, typed by us: its own types depend on the DOM's.

interface IceCandidate {
  readonly candidate: string
  readonly sdpMid: string | null
  readonly sdpMLineIndex: number | null
}

interface MediaTrack {
  readonly kind: string
  stop(): void
}

interface Description {
  readonly type: 'offer' | 'answer'
  readonly sdp: string
}

interface PeerConnection {
  readonly connectionState: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'
  readonly iceConnectionState: string
  readonly localDescription: Description | null
  onicecandidate: ((event: { candidate: IceCandidate | null }) => void) | null
  oniceconnectionstatechange: (() => void) | null
  onconnectionstatechange: (() => void) | null
  ontrack: ((event: { track: MediaTrack }) => void) | null
  addTrack(track: MediaTrack): unknown
  addIceCandidate(candidate: IceCandidate): Promise<void>
  setRemoteDescription(description: Description): Promise<void>
  setLocalDescription(description: Description): Promise<void>
  createAnswer(): Promise<Description>
  getStats(): Promise<Map<string, { type: string; packetsReceived?: number }>>
  close(): void
}

/** 10 ms of audio. */
interface AudioData {
  readonly samples: Int16Array
  readonly sampleRate: number
  readonly bitsPerSample: 16
  readonly channelCount: number
  readonly numberOfFrames: number
}

interface AudioSource {
  createTrack(): MediaTrack
  onData(data: AudioData): void
}

interface AudioSink {
  ondata: ((data: AudioData) => void) | null
  stop(): void
}

export interface Wrtc {
  readonly RTCPeerConnection: new () => PeerConnection
  readonly nonstandard: {
    readonly RTCAudioSource: new () => AudioSource
    readonly RTCAudioSink: new (track: MediaTrack) => AudioSink
  }
}

export interface RtcPeerListener {
  onSignal(signal: FromPeer): void
  onReached(): void
  /** Lent until it returns. */
  onFrame(samples: Int16Array): void
  onLost(): void
}

const { rateHz, frameSamples } = webSound
// The library sends and receives 10 ms at a time.
const halfSamples = frameSamples / 2
// The library invents audio while no packets arrive, so packets are counted: often until the first, then seldom.
const firstPacketMs = 20
const packetsMs = 500
// The line waits 2 s for the next frame; a second without packets is only a bad network.
const dryLooks = 2

export class RtcPeer {
  readonly #wrtc: Wrtc
  readonly #listener: RtcPeerListener
  readonly #connection: PeerConnection
  readonly #source: AudioSource
  readonly #track: MediaTrack
  readonly #framer: Framer
  readonly #heard = new Int16Array(halfSamples)
  // The library copies both halves of a frame before `onData` returns.
  readonly #said: AudioData = {
    samples: new Int16Array(halfSamples),
    sampleRate: rateHz,
    bitsPerSample: 16,
    channelCount: 1,
    numberOfFrames: halfSamples,
  }
  #sink: AudioSink | undefined
  #resampler: Resampler | undefined
  #signals = Promise.resolve()
  #packets = 0
  #dry = dryLooks
  #looking: NodeJS.Timeout | undefined
  #closed = false

  constructor(wrtc: Wrtc, listener: RtcPeerListener) {
    this.#wrtc = wrtc
    this.#listener = listener
    this.#connection = new wrtc.RTCPeerConnection()
    this.#source = new wrtc.nonstandard.RTCAudioSource()
    this.#track = this.#source.createTrack()
    this.#framer = new Framer(rateHz, ({ samples }) => listener.onFrame(samples))
    this.#connection.onicecandidate = ({ candidate }) => {
      if (!candidate || !isUdp(candidate.candidate)) return
      const { candidate: text, sdpMid, sdpMLineIndex } = candidate
      listener.onSignal({
        type: 'candidate',
        candidate: text,
        sdp_mid: sdpMid,
        sdp_m_line_index: sdpMLineIndex,
      })
    }
    this.#connection.oniceconnectionstatechange = () => {
      if (!this.#closed && this.#connection.iceConnectionState === 'connected') listener.onReached()
    }
    this.#connection.onconnectionstatechange = () => this.#onState()
    this.#connection.ontrack = ({ track }) => this.#listenTo(track)
  }

  /** Handles signals in order: a candidate is valid only after the offer. */
  signal(signal: ToPeer): void {
    this.#signals = this.#signals.then(() =>
      signal.type === 'candidate' ? this.#candidate(signal) : this.#answer(signal.sdp),
    )
  }

  send(samples: Int16Array): void {
    const half = this.#said.samples
    for (let at = 0; at < frameSamples && !this.#closed; at += halfSamples) {
      for (let i = 0; i < halfSamples; i++) half[i] = samples[at + i] as number
      this.#source.onData(this.#said)
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#looking)
    this.#sink?.stop()
    this.#track.stop()
    this.#connection.close()
  }

  async #answer(sdp: string): Promise<void> {
    if (this.#closed) return
    try {
      await this.#connection.setRemoteDescription({ type: 'offer', sdp: onlyUdp(sdp) })
      this.#connection.addTrack(this.#track)
      await this.#connection.setLocalDescription(await this.#connection.createAnswer())
      const made = this.#connection.localDescription
      if (made) this.#listener.onSignal({ type: 'answer', sdp: onlyUdp(made.sdp) })
    } catch {
      this.#listener.onLost()
    }
  }

  /** An invalid candidate is only one path less to the browser. */
  async #candidate({ candidate, sdp_mid, sdp_m_line_index }: Extract<ToPeer, { type: 'candidate' }>) {
    if (this.#closed || !isUdp(candidate)) return
    const given = { candidate, sdpMid: sdp_mid, sdpMLineIndex: sdp_m_line_index }
    await this.#connection.addIceCandidate(given).catch(() => {})
  }

  #onState(): void {
    const { connectionState } = this.#connection
    if (this.#closed) return
    if (connectionState === 'connected') this.#look()
    else if (connectionState === 'failed' || connectionState === 'closed') this.#listener.onLost()
  }

  #look(): void {
    clearTimeout(this.#looking)
    this.#connection.getStats().then(
      (stats) => this.#count(stats.values()),
      () => this.#closed || this.#listener.onLost(),
    )
  }

  #count(stats: Iterable<{ type: string; packetsReceived?: number }>): void {
    if (this.#closed) return
    let packets = 0
    for (const { type, packetsReceived = 0 } of stats) if (type === 'inbound-rtp') packets += packetsReceived
    this.#dry = packets > this.#packets ? 0 : this.#dry + 1
    this.#packets = packets
    this.#looking = setTimeout(() => this.#look(), packets === 0 ? firstPacketMs : packetsMs)
  }

  #listenTo(track: MediaTrack): void {
    if (this.#sink || track.kind !== 'audio') return
    this.#sink = new this.#wrtc.nonstandard.RTCAudioSink(track)
    this.#sink.ondata = ({ samples, sampleRate, channelCount }) => {
      if (this.#dry >= dryLooks || channelCount !== 1 || !isRate(sampleRate)) return
      if (this.#resampler?.fromHz !== sampleRate) this.#resampler = new Resampler(sampleRate, rateHz)
      if (samples.length !== sampleRate / 100) return
      this.#resampler.run(samples, this.#heard)
      this.#framer.push(this.#heard)
    }
  }
}

const isRate = (value: number): value is RateHz => (rates as readonly number[]).includes(value)

// Only UDP candidates are used. The library would also listen on a TCP port of its own for every call, and connect to any
// TCP port that a browser names; audio over TCP uses the browser's socket instead, through the one open port.
//
//   candidate:<foundation> <component> <udp or tcp> <priority> <address> <port> typ …
export const isUdp = (candidate: string): boolean => candidate.split(' ', 3)[2]?.toLowerCase() === 'udp'

/** An offer or answer without its non-UDP candidates. */
export const onlyUdp = (sdp: string): string =>
  sdp.replace(/^a=candidate:.*\r?\n?/gm, (line) => (isUdp(line) ? line : ''))
