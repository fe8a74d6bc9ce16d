// The line of the page: WebRTC if it connects, otherwise audio over the socket. The server decides.
import type { FromBrowser, ToBrowser, WebCall } from '@parley/contract'
import { openPcm, type Pcm } from './pcm.ts'

export type LineWay = 'webrtc' | 'socket'

export interface LineListener {
  /** The loudspeaker that plays the agent. Left out or empty: the browser's own choice. */
  readonly speaker?: string
  /** The sound goes this way from now on. `sound` is the agent's side, for meters. */
  onWay(way: LineWay, sound: MediaStream | AudioNode): void
  /** The line has ended. `fault` is undefined if it ended normally. */
  onEnd(fault: string | undefined): void
}

const lost = 'The connection was lost.'
const neverMade = 'No connection could be made. Check your network, then call again.'
// Half a second. Frames are dropped while more than this is unsent.
const mostWaitingBytes = 16_000

export class Line {
  readonly #socket: WebSocket
  readonly #microphone: MediaStream | undefined
  readonly #listener: LineListener
  readonly #player = new Audio()
  readonly #joined: Promise<void>
  #peer: RTCPeerConnection | undefined
  #pcm: Pcm | undefined
  #over = false
  #inside = false
  /** Whether a UDP candidate for WebRTC has been found. */
  #mayLeave = false

  constructor(
    { url, token, ice_servers }: Pick<WebCall, 'url' | 'token' | 'ice_servers'>,
    /** Undefined for a user who types. */
    microphone: MediaStream | undefined,
    listener: LineListener,
  ) {
    this.#microphone = microphone
    this.#listener = listener
    this.#socket = new WebSocket(url)
    this.#socket.binaryType = 'arraybuffer'
    this.#joined = this.#join(token, ice_servers)
    this.#socket.onmessage = ({ data }) => {
      if (typeof data === 'string') void this.#hear(JSON.parse(data))
      else this.#pcm?.play(data)
    }
    this.#socket.onclose = ({ code }) =>
      this.#end(code === 1000 ? undefined : this.#inside ? lost : neverMade)
  }

  hangUp(): void {
    this.#end(undefined)
  }

  /** Sends words that were typed instead of spoken. */
  type(text: string): void {
    void this.#say({ type: 'text', text })
  }

  /** Sends the token, then the offer, which is made while the socket opens. */
  async #join(token: string, iceServers: RTCIceServer[]): Promise<void> {
    const offer = this.#offer(iceServers)
    await new Promise((resolve) => this.#socket.addEventListener('open', resolve))
    this.#socket.send(JSON.stringify({ type: 'join', token }))
    this.#socket.send(JSON.stringify(await offer))
  }

  async #say(message: FromBrowser): Promise<void> {
    await this.#joined
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  async #offer(iceServers: RTCIceServer[]): Promise<FromBrowser> {
    const microphone = this.#microphone
    // Silence does not need WebRTC.
    if (!microphone) return { type: 'pcm' }
    try {
      const peer = new RTCPeerConnection({ iceServers })
      this.#peer = peer
      for (const track of microphone.getTracks()) peer.addTrack(track, microphone)
      peer.onicecandidate = ({ candidate }) => this.#candidate(candidate)
      peer.ontrack = ({ streams: [stream], track }) => this.#listen(stream ?? new MediaStream([track]))
      peer.onconnectionstatechange = () => this.#onState(peer)
      await peer.setLocalDescription(await peer.createOffer())
      return { type: 'offer', sdp: peer.localDescription?.sdp ?? '' }
    } catch {
      // WebRTC is missing or blocked in this browser.
      return { type: 'pcm' }
    }
  }

  #candidate(candidate: RTCIceCandidate | null): void {
    // No candidate over UDP: WebRTC cannot connect, so do not wait for it.
    if (candidate === null && !this.#mayLeave) void this.#say({ type: 'pcm' })
    if (!candidate?.candidate) return
    this.#mayLeave ||= candidate.protocol === 'udp'
    const { candidate: text, sdpMid, sdpMLineIndex } = candidate
    void this.#say({ type: 'candidate', candidate: text, sdp_mid: sdpMid, sdp_m_line_index: sdpMLineIndex })
  }

  #listen(stream: MediaStream): void {
    this.#player.srcObject = stream
    const { speaker } = this.#listener
    // If the chosen loudspeaker is gone, the browser plays on its own choice.
    if (speaker) void this.#player.setSinkId?.(speaker).catch(() => {})
    void this.#player.play().catch(() => {})
  }

  #onState({ connectionState }: RTCPeerConnection): void {
    const stream = this.#player.srcObject
    if (connectionState === 'failed') void this.#say({ type: 'pcm' })
    if (connectionState === 'connected' && stream instanceof MediaStream)
      this.#listener.onWay('webrtc', stream)
  }

  async #hear(message: ToBrowser): Promise<void> {
    switch (message.type) {
      case 'joined':
        this.#inside = true
        return
      case 'answer':
        return this.#peer?.setRemoteDescription({ type: 'answer', sdp: message.sdp })
      case 'candidate': {
        const { candidate, sdp_mid: sdpMid, sdp_m_line_index: sdpMLineIndex } = message
        return this.#peer?.addIceCandidate({ candidate, sdpMid, sdpMLineIndex }).catch(() => {})
      }
      case 'pcm':
        return this.#takeSocket()
      case 'refused':
        return this.#end(message.message)
      case 'bye':
        return this.#end(undefined)
    }
  }

  async #takeSocket(): Promise<void> {
    this.#dropPeer()
    const pcm = await openPcm(this.#microphone, this.#listener.speaker, (frame) => {
      const open = this.#socket.readyState === WebSocket.OPEN
      if (open && this.#socket.bufferedAmount < mostWaitingBytes) this.#socket.send(frame)
    })
    if (this.#over) return pcm.close()
    this.#pcm = pcm
    this.#listener.onWay('socket', pcm.sound)
  }

  #dropPeer(): void {
    this.#peer?.close()
    this.#peer = undefined
    this.#player.srcObject = null
  }

  #end(fault: string | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#dropPeer()
    this.#pcm?.close()
    this.#socket.close()
    this.#listener.onEnd(fault)
  }
}
