// Calls several telephones of one user at once: the first that answers has the call, and the others stop ringing
// (RFC 3261 §16.7, as a proxy forks).
import type { LineEnd } from '../../../ports/line.ts'
import { Call } from './call.ts'
import type { CallOrder, OutgoingListener } from './call-parts.ts'
import { causeOfStatus, lineEndOf, type SipCause } from './causes.ts'

export interface RingAllParts {
  readonly place: (order: CallOrder) => Call
  readonly orders: readonly Omit<CallOrder, 'listener'>[]
  readonly listener: OutgoingListener
  /** Called with the call that was answered, before its listener hears of it. */
  readonly onPicked: (call: Call) => void
}

/** Of several failures the one that says most about the person who was called. */
const tellingFirst: readonly LineEnd[] = [
  'rejected',
  'busy',
  'no-answer',
  'unreachable',
  'failed',
  'no-trunk',
]

const elsewhere = causeOfStatus(200, 'Call completed elsewhere')

/** Returns the call as it is until the answer. */
export function ringAll({ place, orders, listener, onPicked }: RingAllParts): Call {
  const ringing = new Set<Call>()
  const failures: SipCause[] = []
  let picked: Call | null = null
  /** The telephone whose early sound is heard: several at once would be noise. */
  let earlyOf: Call | null = null

  const stop = (cause: SipCause) => {
    for (const call of ringing) call.hangUp(cause)
    ringing.clear()
  }
  const fail = (call: Call, cause: SipCause) => {
    if (!ringing.delete(call)) return
    failures.push(cause)
    // Somebody has declined for all telephones (§21.6).
    if (cause.status >= 600) stop(cause)
    if (ringing.size === 0) listener.onEnded(cause.status >= 600 ? cause : mostTelling(failures))
  }
  const listenerOf = (own: () => Call): OutgoingListener => ({
    ...listener,
    onOffer: (offer) => (picked === own() ? listener.onOffer(offer) : offer.refuse(488)),
    onProvisional(status, sdp) {
      if (sdp !== null) earlyOf ??= own()
      listener.onProvisional(status, earlyOf === own() ? sdp : null)
    },
    onAnswered(sdp) {
      ringing.delete(own())
      picked = own()
      stop(elsewhere)
      onPicked(picked)
      listener.onAnswered(sdp)
    },
    onEnded: (cause) => (picked === own() ? listener.onEnded(cause) : fail(own(), cause)),
  })
  for (const order of orders) {
    const call: Call = place({ ...order, listener: listenerOf(() => call) })
    ringing.add(call)
  }
  return new Call(orders[0]?.callId ?? '', stop)
}

const mostTelling = (failures: readonly SipCause[]): SipCause =>
  failures.toSorted((one, other) => rankOf(one) - rankOf(other))[0] as SipCause

const rankOf = (cause: SipCause): number => tellingFirst.indexOf(lineEndOf(cause))
