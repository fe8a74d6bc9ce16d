// Which transport carries a browser's audio, as a pure function: WebRTC if its audio arrives soon, otherwise the socket.
//
// Transitions go one way, from trying to WebRTC to the socket: WebRTC is not retried on a network that lost it once.

export type Transport =
  | { readonly is: 'trying'; readonly untilMs: number }
  | { readonly is: 'webrtc'; readonly heardMs: number }
  | { readonly is: 'pcm'; readonly sinceMs: number; readonly answered: boolean }

/**
 * `peer-ready`: our peer has answered. `peer-reached`: a packet made the round trip to the browser. `peer-lost`: our
 * peer has ended. `pcm-wanted`: the browser cannot or will not use WebRTC.
 */
export type TransportEvent =
  | 'tick'
  | 'peer-ready'
  | 'peer-reached'
  | 'peer-sound'
  | 'pcm-sound'
  | 'pcm-wanted'
  | 'peer-lost'

/** `give-up`: the browser is connected, but sends no audio over either transport. */
export type TransportAct = 'answer' | 'use-pcm' | 'give-up'

// Until the browser's offer is answered; the process that answers may have to be started.
const offerMs = 2_500
// From then until a packet returns: two round trips, half a second around the world. A firewall lets none through, and a
// caller who waits longer thinks the line is dead.
const reachMs = 1_000
// From then until audio arrives: the key exchange takes two or three more round trips on a slow network.
const connectMs = 1_500
// NetEq conceals a second of loss; after that we have heard nothing of the caller for too long.
const lostMs = 2_000
// A browser that is asked for audio already has its microphone open.
const silentMs = 10_000

export const beginTransport = (nowMs: number): Transport => ({
  is: 'trying',
  untilMs: nowMs + offerMs,
})

export function decideTransport(
  transport: Transport,
  event: TransportEvent,
  nowMs: number,
): { next: Transport; act?: TransportAct } {
  switch (transport.is) {
    case 'trying':
      if (event === 'peer-sound') return { next: { is: 'webrtc', heardMs: nowMs }, act: 'answer' }
      if (event === 'pcm-sound' || event === 'pcm-wanted' || event === 'peer-lost') return toPcm(nowMs, false)
      if (event === 'peer-ready') return { next: { is: 'trying', untilMs: nowMs + reachMs } }
      if (event === 'peer-reached') return { next: { is: 'trying', untilMs: nowMs + connectMs } }
      return nowMs >= transport.untilMs ? toPcm(nowMs, false) : { next: transport }
    case 'webrtc':
      if (event === 'peer-sound') return { next: { is: 'webrtc', heardMs: nowMs } }
      if (event === 'peer-lost' || event === 'pcm-wanted') return toPcm(nowMs, true)
      return nowMs - transport.heardMs >= lostMs ? toPcm(nowMs, true) : { next: transport }
    case 'pcm':
      if (transport.answered) return { next: transport }
      if (event === 'pcm-sound') return { next: { ...transport, answered: true }, act: 'answer' }
      if (nowMs - transport.sinceMs >= silentMs) return { next: transport, act: 'give-up' }
      return { next: transport }
  }
}

const toPcm = (nowMs: number, answered: boolean): { next: Transport; act: TransportAct } => ({
  next: { is: 'pcm', sinceMs: nowMs, answered },
  act: 'use-pcm',
})
