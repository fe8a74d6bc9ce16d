// The part of @roamhq/wrtc that we use, typed by us: its own types depend on the DOM's.

export interface IceCandidate {
  readonly candidate: string
  readonly sdpMid: string | null
  readonly sdpMLineIndex: number | null
}

export interface MediaTrack {
  readonly kind: string
  stop(): void
}

interface Description {
  readonly type: 'offer' | 'answer'
  readonly sdp: string
}

export interface PeerConnection {
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
export interface AudioData {
  readonly samples: Int16Array
  readonly sampleRate: number
  readonly bitsPerSample: 16
  readonly channelCount: number
  readonly numberOfFrames: number
}

export interface AudioSource {
  createTrack(): MediaTrack
  onData(data: AudioData): void
}

export interface AudioSink {
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
