// Session timers (RFC 4028): both sides learn that the other is gone, and firewalls that a call goes on.
import { optionTags } from './headers.ts'
import { headerOf, type Header, type SipMessage, type SipRequest } from './message.ts'
import type { After } from './timers.ts'
import { readParameters } from './uri.ts'

/** What we ask for; carriers use the same. */
export const wantedSeconds = 1_800
/** The least that the standard allows, and that we accept. */
export const minSeconds = 90

export interface SessionInterval {
  readonly seconds: number
  readonly weRefresh: boolean
}

/** For an INVITE or UPDATE of ours. */
export const timerRequest = (seconds = wantedSeconds, refresher?: 'uac' | 'uas'): Header[] => [
  { name: 'Session-Expires', value: `${seconds}${refresher ? `;refresher=${refresher}` : ''}` },
  { name: 'Min-SE', value: String(Math.min(seconds, minSeconds)) },
]

function readInterval(message: SipMessage): { seconds: number; refresher: string | null } | null {
  const value = headerOf(message, 'Session-Expires')
  const seconds = Number.parseInt(value ?? '', 10)
  if (value === undefined || !Number.isFinite(seconds)) return null
  return { seconds, refresher: readParameters(value.slice(value.indexOf(';') + 1)).get('refresher') ?? null }
}

/** Of a 2xx to our request. null: the call has no timer. */
export function agreedByAnswer(response: SipMessage): SessionInterval | null {
  const interval = readInterval(response)
  return interval && { seconds: Math.max(interval.seconds, minSeconds), weRefresh: interval.refresher !== 'uas' }
}

export type TimerAnswer =
  | { readonly is: 'agreed'; readonly interval: SessionInterval; readonly headers: readonly Header[] }
  | { readonly is: 'too-small'; readonly headers: readonly Header[] }

/** What we answer to the far end's INVITE or UPDATE. A peer that knows no timers is refreshed by us. */
export function timerAnswer(request: SipRequest): TimerAnswer {
  const asked = readInterval(request)
  const peerCan = optionTags(request, 'Supported').includes('timer')
  if (asked && asked.seconds < minSeconds)
    return { is: 'too-small', headers: [{ name: 'Min-SE', value: String(minSeconds) }] }
  const seconds = asked?.seconds ?? wantedSeconds
  const refresher = peerCan ? (asked?.refresher ?? 'uac') : 'uas'
  return {
    is: 'agreed',
    interval: { seconds, weRefresh: refresher === 'uas' },
    headers: [
      { name: 'Session-Expires', value: `${seconds};refresher=${refresher}` },
      ...(refresher === 'uac' ? [{ name: 'Require', value: 'timer' }] : []),
    ],
  }
}

/** The least interval that a 422 asks for. */
export const leastOf = (response: SipMessage): number =>
  Math.max(Number.parseInt(headerOf(response, 'Min-SE') ?? '', 10) || minSeconds, minSeconds)

export interface SessionTimerParts {
  readonly after: After
  readonly onRefresh: () => void
  readonly onExpired: () => void
}

export class SessionTimer {
  readonly #parts: SessionTimerParts
  #cancel = () => {}

  constructor(parts: SessionTimerParts) {
    this.#parts = parts
  }

  /** From now on; also after every refresh. */
  start(interval: SessionInterval | null): void {
    this.stop()
    if (!interval) return
    const { after, onRefresh, onExpired } = this.#parts
    const { seconds, weRefresh } = interval
    // §10: refresh at half time; the other side gives up a little before the end.
    const ms = weRefresh ? seconds * 500 : (seconds - Math.min(32, seconds / 3)) * 1_000
    this.#cancel = after(ms, weRefresh ? onRefresh : onExpired)
  }

  stop(): void {
    this.#cancel()
    this.#cancel = () => {}
  }
}
