// Why calls end, from SIP to the words of our records: one table (RFC 3398, RFC 3326).
import type { CarrierCause, LineEnd } from '../../../ports/line.ts'
import { endOfQ850 } from '../../q850.ts'
import { elementsOf, type Header, type SipMessage } from '../message/message.ts'
import { readParameters } from '../message/uri.ts'

/** Why a call ended or was not answered. */
export interface SipCause {
  /** The status of the answer; 200 for a BYE, 408 if there was none, 487 if it was cancelled. */
  readonly status: number
  readonly text: string
  /** The cause of the telephone network behind, from a Reason header (RFC 3326). */
  readonly q850: number | null
  /** Set if nothing was ever heard of the trunk: it is silent, refuses connections, or its name leads nowhere. */
  readonly isOutOfReach?: true
}

interface Meaning {
  readonly text: string
  readonly end: LineEnd
  /** The cause of the telephone network. */
  readonly q850: number
}

const meanings: Readonly<Record<number, Meaning>> = {
  200: { text: 'OK', end: 'hangup', q850: 16 },
  300: { text: 'Redirected to where this call may not go', end: 'failed', q850: 31 },
  400: { text: 'Bad Request', end: 'failed', q850: 41 },
  401: { text: 'Unauthorized', end: 'failed', q850: 21 },
  402: { text: 'Payment Required', end: 'failed', q850: 21 },
  403: { text: 'Forbidden', end: 'failed', q850: 21 },
  404: { text: 'Not Found', end: 'unreachable', q850: 1 },
  405: { text: 'Method Not Allowed', end: 'failed', q850: 63 },
  407: { text: 'Proxy Authentication Required', end: 'failed', q850: 21 },
  408: { text: 'Request Timeout', end: 'no-answer', q850: 102 },
  410: { text: 'Gone', end: 'unreachable', q850: 22 },
  428: { text: 'Use Identity Header', end: 'failed', q850: 21 },
  436: { text: 'Bad Identity Info', end: 'failed', q850: 21 },
  437: { text: 'Unsupported Credential', end: 'failed', q850: 21 },
  438: { text: 'Invalid Identity Header', end: 'failed', q850: 21 },
  480: { text: 'Temporarily Unavailable', end: 'no-answer', q850: 18 },
  481: { text: 'Call/Transaction Does Not Exist', end: 'failed', q850: 41 },
  483: { text: 'Too Many Hops', end: 'failed', q850: 25 },
  484: { text: 'Address Incomplete', end: 'unreachable', q850: 28 },
  485: { text: 'Ambiguous', end: 'unreachable', q850: 1 },
  486: { text: 'Busy Here', end: 'busy', q850: 17 },
  487: { text: 'Request Terminated', end: 'no-answer', q850: 127 },
  488: { text: 'Not Acceptable Here', end: 'failed', q850: 65 },
  500: { text: 'Server Internal Error', end: 'failed', q850: 41 },
  502: { text: 'Bad Gateway', end: 'failed', q850: 38 },
  503: { text: 'Service Unavailable', end: 'failed', q850: 41 },
  504: { text: 'Server Time-out', end: 'failed', q850: 102 },
  600: { text: 'Busy Everywhere', end: 'busy', q850: 17 },
  603: { text: 'Decline', end: 'rejected', q850: 21 },
  604: { text: 'Does Not Exist Anywhere', end: 'unreachable', q850: 1 },
  606: { text: 'Not Acceptable', end: 'failed', q850: 88 },
}

/** Causes of the network that say more than the status: carriers send 480 or 503 for nearly everything. */
const tellingCauses: ReadonlySet<number> = new Set([1, 2, 3, 17, 18, 19, 20, 21, 22, 27, 28])

/** An unknown status means the same as the first of its hundred (§8.1.3.2). */
const meaningOf = (status: number): Meaning =>
  meanings[status] ?? meanings[Math.floor(status / 100) * 100] ?? { text: 'Unknown', end: 'failed', q850: 31 }

export function causeOfStatus(status: number, text?: string, message?: SipMessage): SipCause {
  return { status, text: text || meaningOf(status).text, q850: message ? networkCause(message) : null }
}

/** The cause of a call of which the trunk has said nothing, which counts as 408 (RFC 3261 §8.1.3.1). */
export const outOfReach = (text: string): SipCause => ({ status: 408, text, q850: null, isOutOfReach: true })

export const causeOfBye = (request: SipMessage): SipCause => ({
  status: 200,
  text: 'Hung up',
  q850: networkCause(request),
})

/** `Reason: Q.850;cause=17;text="User busy"`, beside others on the same line or on lines of their own. */
function networkCause(message: SipMessage): number | null {
  for (const value of elementsOf(message, 'Reason')) {
    if (!/^Q\.850\b/i.test(value)) continue
    const cause = Number(readParameters(value.slice(value.indexOf(';') + 1)).get('cause'))
    if (Number.isInteger(cause) && cause > 0 && cause < 128) return cause
  }
  return null
}

/** `Reason: SIP;cause=200;text="Call completed elsewhere"` of a CANCEL: the call was answered at another place. */
export function causeOfCancel(request: SipMessage): SipCause {
  const bySip = elementsOf(request, 'Reason').find((value) => /^SIP\b/i.test(value))
  const text = bySip && readParameters(bySip.slice(bySip.indexOf(';') + 1)).get('text')
  return causeOfStatus(487, text || 'The caller hung up before the answer.', request)
}

/** Reason headers of BYE and CANCEL: the cause for the telephone network, and the SIP status of a failure. */
export const reasonHeaders = ({ status, text, q850 }: SipCause): Header[] => {
  const quoted = `"${text.replace(/[\\"\r\n]/g, ' ')}"`
  const network = { name: 'Reason', value: `Q.850;cause=${q850 ?? meaningOf(status).q850};text=${quoted}` }
  return status === 200
    ? [network]
    : [network, { name: 'Reason', value: `SIP;cause=${status};text=${quoted}` }]
}

export function lineEndOf({ status, q850, isOutOfReach }: SipCause): LineEnd {
  if (isOutOfReach) return 'no-trunk'
  return q850 !== null && tellingCauses.has(q850) ? endOfQ850(q850) : meaningOf(status).end
}

export const carrierCauseOf = ({ status, text, q850 }: SipCause): CarrierCause =>
  q850 === null
    ? { protocol: 'SIP', code: status, text }
    : { protocol: 'Q.850', code: q850, text: `${text} (SIP ${status})` }
