// Session timers (RFC 4028): both sides learn that the other is gone, and firewalls that a call goes on.
import { optionTags } from '../message/headers.ts'
import { type Header, headerOf, type SipMessage, type SipRequest } from '../message/message.ts'
import { readParameters } from '../message/uri.ts'
import type { After } from '../transport/timers.ts'

/** The interval that we ask for; carriers use the same. */
export const wantedSeconds = 1_800
/** The shortest interval that the standard allows, and that we accept. */
export const minSeconds = 90

export interface SessionInterval {
  readonly seconds: number
  readonly weRefresh: boolean
}

/** The timer headers of an INVITE or UPDATE of ours. In a call with a timer, the refresher stays the same (§7.4). */
export const timerRequest = (seconds = wantedSeconds, weRefresh?: boolean): Header[] => [
  {
    name: 'Session-Expires',
    value: `${seconds}${weRefresh === undefined ? '' : `;refresher=${weRefresh ? 'uac' : 'uas'}`}`,
  },
  // A longer interval than ours was asked for by a 422, and is the least from then on (§7.4).
  { name: 'Min-SE', value: String(seconds > wantedSeconds ? seconds : minSeconds) },
]

function readInterval(message: SipMessage): { seconds: number; refresher: string | null } | null {
  const value = headerOf(message, 'Session-Expires')
  const seconds = Number.parseInt(value ?? '', 10)
  if (value === undefined || !(seconds > 0)) return null
  return { seconds, refresher: readParameters(value.slice(value.indexOf(';') + 1)).get('refresher') ?? null }
}

/** The interval that a 2xx to our request agrees on. null: the call has no timer. */
export function agreedByAnswer(response: SipMessage): SessionInterval | null {
  const interval = readInterval(response)
  return interval && { seconds: interval.seconds, weRefresh: interval.refresher !== 'uas' }
}

export type TimerAnswer =
  | { readonly is: 'agreed'; readonly interval: SessionInterval; readonly headers: readonly Header[] }
  | { readonly is: 'too-small'; readonly headers: readonly Header[] }

/**
 * Our timer in the answer to an INVITE or UPDATE (§9). A peer without timers is refreshed by us, and cannot be asked for
 * a longer interval: a proxy on the way had asked.
 */
export function timerAnswer(request: SipRequest): TimerAnswer {
  const asked = readInterval(request)
  const peerCan = optionTags(request, 'Supported').includes('timer')
  if (asked && asked.seconds < minSeconds && peerCan)
    return { is: 'too-small', headers: [{ name: 'Min-SE', value: String(minSeconds) }] }
  const seconds = asked?.seconds ?? Math.max(wantedSeconds, leastOf(request))
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

/** The least interval that a 422 or a request asks for. */
export function leastOf(message: SipMessage): number {
  const seconds = Number.parseInt(headerOf(message, 'Min-SE') ?? '', 10)
  return Number.isFinite(seconds) ? Math.max(seconds, minSeconds) : minSeconds
}

export interface SessionTimerParts {
  readonly after: After
  readonly onRefresh: () => void
  readonly onExpired: () => void
}

export class SessionTimer {
  readonly #parts: SessionTimerParts
  #interval: SessionInterval | null = null
  #cancels: (() => void)[] = []

  constructor(parts: SessionTimerParts) {
    this.#parts = parts
  }

  get interval(): SessionInterval | null {
    return this.#interval
  }

  /** Starts the interval now, also after every refresh. */
  start(interval: SessionInterval | null): void {
    this.stop()
    this.#interval = interval
    if (!interval) return
    const { after, onRefresh, onExpired } = this.#parts
    const { seconds, weRefresh } = interval
    // The session is refreshed at half time; without a refresh, the call ends a little before the interval does (§10).
    this.#cancels = [after((seconds - Math.min(32, seconds / 3)) * 1_000, onExpired)]
    if (weRefresh) this.#cancels.push(after(seconds * 500, onRefresh))
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }
}
