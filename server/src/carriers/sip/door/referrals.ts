// Transfers that the far end asks for (RFC 3515): attended ones within its own PBX, and blind ones to the agent's own
// destinations. The line keeps its agent, its record and its recording; the dialog beneath it changes.
import type { Trunk } from '../../../ports/trunk.ts'
import { normalNumber } from '../auth/identity.ts'
import type { CallListener, FarRefer } from '../call/call-parts.ts'
import type { SipCause } from '../call/causes.ts'
import { parseReplaces } from '../call/dialog.ts'
import type { UserAgent } from '../call/user-agent.ts'
import type { ToLine } from '../line/link.ts'
import type { Header } from '../message/message.ts'
import { parseUri, userOf } from '../message/uri.ts'
import type { SipEdge } from '../transport/edge.ts'
import { addressesOf, type OutgoingAddresses } from '../trunk/outgoing-addresses.ts'
import { isAtTrunk } from '../trunk/redirections.ts'
import type { TrunkBook } from '../trunk/trunk-book.ts'
import type { CallEntry } from './call-table.ts'

export interface ReferralsParts {
  readonly agent: Pick<UserAgent, 'place'>
  readonly book: Pick<TrunkBook, 'byId' | 'at'>
  readonly edge: Pick<SipEdge, 'routes'>
  readonly post: (message: ToLine) => void
  /** Where the agent of this session may transfer to: numbers in E.164 form and SIP addresses. */
  readonly transferTargets: (sessionId: string) => readonly string[]
  readonly random: (bytes: number) => string
  readonly listenerOf: (entry: CallEntry) => CallListener
  readonly onEnded: (entry: CallEntry, cause: SipCause) => void
}

interface Target extends OutgoingAddresses {
  readonly trunk: Trunk
}

type Notify = ReturnType<FarRefer['accept']>

export class Referrals {
  readonly #parts: ReferralsParts

  constructor(parts: ReferralsParts) {
    this.#parts = parts
  }

  /** Handles a REFER. The line sees an offer that the far end asks for, and whose answer comes late. */
  receive(entry: CallEntry, refer: FarRefer): void {
    const target = entry.referral === null ? this.#targetOf(entry, refer) : null
    if (!target) return void refer.refuse(603)
    const notify = refer.accept()
    const offer = ++entry.lastOffer
    entry.referral = { call: null, leftWith: null }
    entry.offers.set(offer, {
      sdp: null,
      accept: (sdp) => this.#place(entry, target, sdp, notify),
      refuse: (status) => this.#failed(entry, notify, status, 'Server Error'),
    })
    this.#parts.post({ type: 'offered', call: entry.key, offer, sdp: null })
  }

  #place(entry: CallEntry, { trunk, ...addresses }: Target, sdp: string, notify: Notify): void {
    const { referral } = entry
    // The call was hung up meanwhile.
    if (!referral) return
    const callId = this.#parts.random(16)
    entry.legs.push(callId)
    const { credentials, transport } = trunk
    const listener = this.#parts.listenerOf(entry)
    let isAnswered = false
    const placed = this.#parts.agent.place({
      callId,
      ...addresses,
      sdp,
      credentials,
      transport,
      routes: [...this.#parts.edge.routes, ...addresses.routes],
      listener: {
        ...listener,
        onProvisional: (status) => notify(status, status === 180 ? 'Ringing' : 'Session Progress'),
        onAnswered: (answer) => {
          isAnswered = true
          const before = entry.call
          entry.call = placed
          entry.referral = null
          before?.yieldTo(() => notify(200, 'OK'))
          this.#parts.post({ type: 'late-answer', call: entry.key, sdp: answer })
        },
        onEnded: (cause) =>
          isAnswered ? listener.onEnded(cause) : this.#failed(entry, notify, cause.status, cause.text),
      },
    })
    referral.call = placed
  }

  /** Reports the failure. The call continues, unless the far end has left it already. */
  #failed(entry: CallEntry, notify: Notify, status: number, text: string): void {
    notify(status, text)
    const leftWith = entry.referral?.leftWith
    entry.referral = null
    if (leftWith) this.#parts.onEnded(entry, leftWith)
  }

  /** The new call of a REFER; null: this call may not be handed to its target. */
  #targetOf(entry: CallEntry, refer: FarRefer): Target | null {
    const trunk = this.#parts.book.byId(entry.trunkId)
    if (!trunk || entry.sessionId === null) return null
    const headers = refer.referredBy === null ? [] : [{ name: 'Referred-By', value: refer.referredBy }]
    if (refer.replaces === null) {
      const to = this.#configured(entry.sessionId, trunk, refer.to)
      return to === null ? null : targetOf(trunk, to, headers)
    }
    // This cannot place a billed call: a far end that does not know the replaced call has to refuse ours (RFC 3891 §3).
    if (!isPrintable(refer.replaces) || !parseReplaces(refer.replaces)) return null
    if (!this.#isOfTrunk(trunk, refer.to)) return null
    const replacing = [
      { name: 'Replaces', value: refer.replaces },
      { name: 'Require', value: 'replaces' },
    ]
    return targetOf(trunk, refer.to, [...replacing, ...headers])
  }

  #isOfTrunk(trunk: Trunk, address: string): boolean {
    const uri = parseUri(address)
    return uri !== null && uri.scheme !== 'tel' && isAtTrunk(trunk, uri.host, this.#parts.book)
  }

  /** The configured destination of the agent that this address stands for. */
  #configured(sessionId: string, trunk: Trunk, address: string): string | null {
    const uri = parseUri(address)
    if (!uri) return null
    const number =
      uri.scheme === 'tel' || this.#isOfTrunk(trunk, address) ? normalNumber(userOf(uri) ?? '') : null
    const plain = uri.scheme === 'tel' ? null : `sip:${uri.user}@${uri.host}`.toLowerCase()
    return (
      this.#parts
        .transferTargets(sessionId)
        .find((one) => one === number || one.replace(/^sips:/i, 'sip:').toLowerCase() === plain) ?? null
    )
  }
}

function targetOf(trunk: Trunk, to: string, more: readonly Header[]): Target | null {
  const addresses = addressesOf(trunk, to, null)
  return addresses && { trunk, ...addresses, headers: [...addresses.headers, ...more.filter(isSafe)] }
}

/** Whether a text of the far end is safe to be repeated in a header. */
const isPrintable = (text: string): boolean => /^[ -~]{1,1000}$/.test(text)
const isSafe = ({ value }: Header): boolean => isPrintable(value)
