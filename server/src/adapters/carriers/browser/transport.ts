// Which way the sound of a browser goes, decided purely: WebRTC if its sound comes soon, else the socket itself.
//
// There is one way only, from trying to WebRTC to the socket: a network that lost it once is not tried again.

export type Transport =
  | { readonly is: 'trying'; readonly untilMs: number }
  | { readonly is: 'webrtc'; readonly heardMs: number }
  | { readonly is: 'pcm'; readonly sinceMs: number; readonly answered: boolean }

/**
 * `peer-ready`: our side of WebRTC has answered. `peer-reached`: a packet went to the browser and back. `peer-lost`: our
 * side is no more. `pcm-wanted`: the browser cannot or will not do WebRTC.
 */
export type Happening =
  | 'tick'
  | 'peer-ready'
  | 'peer-reached'
  | 'peer-sound'
  | 'pcm-sound'
  | 'pcm-wanted'
  | 'peer-lost'

/** `give-up`: the browser is there, but sends nothing by any way. */
export type Act = 'answer' | 'use-pcm' | 'give-up'

// Until the browser's offer has its answer; the process that gives it may have to be started.
const offerMs = 2_500
// From then on until a packet comes back: two round trips, half a second over the world. A firewall lets none come, and
// who waits longer thinks nobody is there.
const reachMs = 1_000
// From then on until sound comes: keys are exchanged, which takes a slow network two or three round trips more.
const connectMs = 1_500
// NetEq bridges a second of loss; after that the caller has been silent for us too long.
const lostMs = 2_000
// A browser that is asked for sound has its microphone open already.
const silentMs = 10_000

export const beginTransport = (nowMs: number): Transport => ({
  is: 'trying',
  untilMs: nowMs + offerMs,
})

export function decide(
  transport: Transport,
  happening: Happening,
  nowMs: number,
): { next: Transport; act?: Act } {
  switch (transport.is) {
    case 'trying':
      if (happening === 'peer-sound') return { next: { is: 'webrtc', heardMs: nowMs }, act: 'answer' }
      if (happening === 'pcm-sound' || happening === 'pcm-wanted' || happening === 'peer-lost')
        return toPcm(nowMs, false)
      if (happening === 'peer-ready') return { next: { is: 'trying', untilMs: nowMs + reachMs } }
      if (happening === 'peer-reached') return { next: { is: 'trying', untilMs: nowMs + connectMs } }
      return nowMs >= transport.untilMs ? toPcm(nowMs, false) : { next: transport }
    case 'webrtc':
      if (happening === 'peer-sound') return { next: { is: 'webrtc', heardMs: nowMs } }
      if (happening === 'peer-lost' || happening === 'pcm-wanted') return toPcm(nowMs, true)
      return nowMs - transport.heardMs >= lostMs ? toPcm(nowMs, true) : { next: transport }
    case 'pcm':
      if (transport.answered) return { next: transport }
      if (happening === 'pcm-sound') return { next: { ...transport, answered: true }, act: 'answer' }
      if (nowMs - transport.sinceMs >= silentMs) return { next: transport, act: 'give-up' }
      return { next: transport }
  }
}

const toPcm = (nowMs: number, answered: boolean): { next: Transport; act: Act } => ({
  next: { is: 'pcm', sinceMs: nowMs, answered },
  act: 'use-pcm',
})
