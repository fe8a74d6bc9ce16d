// A call that we place (RFC 3261 §13.2): INVITE, provisional answers, challenges, forks, CANCEL, and its answer or failure.
import { sdpOf } from '../message/body.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { OutgoingRequest } from '../transactions/outgoing-requests.ts'
import { firstWordMs, giveUpAfter } from '../transport/timers.ts'
import type { Destination } from '../transport/transport.ts'
import { Call, type Establish } from './call.ts'
import { allowsUpdate, type CallOrder, type SipCallParts } from './call-parts.ts'
import { causeOfStatus, outOfReach, reasonHeaders, type SipCause } from './causes.ts'
import { type Dialog, dialogOfCaller } from './dialog.ts'
import { type EarlyDialog, EarlyDialogs } from './early-dialogs.ts'
import { inviteOf, redirectTargets } from './invite.ts'
import {
  acknowledgementOf,
  destinationsOf,
  type RequestParts,
  retryAfter,
  sendInDialog,
} from './send-request.ts'
import { agreedByAnswer, leastOf, wantedSeconds } from './session-timer.ts'
import { TrunkReach } from './trunk-reach.ts'

export interface OutgoingCallParts extends SipCallParts, RequestParts {
  readonly order: CallOrder
  /** A dialog that the far end may send requests in from now on, until `onLeft`. */
  readonly onEarly: (early: EarlyDialog) => void
  readonly onLeft: (key: string) => void
  readonly establish: Establish
}

const maxRedirects = 5

type State = 'calling' | 'cancelling' | 'over'

/** One INVITE to one server. */
interface Attempt {
  readonly outgoing: OutgoingRequest
  readonly to: Destination
  isHeard: boolean
  /** Whether the next server has been asked: a late answer of this one is not wanted. */
  isGivenUp: boolean
}

export class OutgoingCall {
  readonly #parts: OutgoingCallParts
  readonly #tag: string
  readonly #early: EarlyDialogs
  readonly #earlyKeys: string[] = []
  /** The call as the one who placed it holds it. */
  readonly call: Call
  #state: State = 'calling'
  #uri: string
  #sequence = 1
  #challenges = 0
  #sessionSeconds = wantedSeconds
  #destinations: Destination[] = []
  /** Addresses that redirections have named, the best first. */
  #targets: string[] = []
  readonly #visited = new Set<string>()
  readonly #reach: TrunkReach
  #attempt: Attempt | null = null
  #cancelCause: SipCause | null = null
  /** Sends the ACK again, by the tag of the fork that answered. The first fork is the call. */
  readonly #acknowledgements = new Map<string, () => void>()

  constructor(parts: OutgoingCallParts) {
    const { order, random } = parts
    this.#parts = parts
    this.#tag = random(8)
    this.call = new Call(order.callId ?? random(16), (cause) => this.#cancel(cause))
    this.#uri = order.to
    this.#reach = new TrunkReach(parts.after, (isInReach) => order.listener.onReach?.(isInReach))
    this.#early = new EarlyDialogs({
      ...parts,
      nextSequence: () => ++this.#sequence,
      onOffer: (offer) => (this.#state === 'calling' ? order.listener.onOffer(offer) : offer.refuse(500)),
      onDialog: (early) => {
        this.#earlyKeys.push(early.key)
        parts.onEarly(early)
      },
    })
  }

  async start(): Promise<void> {
    this.#visited.add(this.#uri)
    this.#destinations = await this.#parts.route(this.#invite('sip:parley.invalid'), null)
    if (this.#state !== 'calling') return
    if (this.#destinations.length === 0)
      return this.#fail(outOfReach('The address of the trunk cannot be resolved.'))
    this.#try()
  }

  /** Cancels before the answer. A far end that answers at the same moment gets a BYE. */
  #cancel(cause: SipCause): void {
    if (this.#state !== 'calling') return
    this.#cancelCause = cause
    this.#state = 'cancelling'
    if (!this.#attempt) return void this.#fail(cause)
    // A CANCEL may overtake its INVITE: it waits for the first answer (§9.1).
    if (this.#attempt.isHeard) this.#sendCancel(this.#attempt)
  }

  #invite(contact: string): SipRequest {
    const [uri, sequence, seconds] = [this.#uri, this.#sequence, this.#sessionSeconds]
    const { callId } = this.call
    return inviteOf({ ...this.#parts.order, uri, sequence, seconds, contact, tag: this.#tag, callId })
  }

  /** Sends the INVITE to the first destination that is left. */
  #try(): void {
    const to = this.#destinations[0]
    if (!to) return void this.#fail(causeOfStatus(408))
    const request = this.#parts.auth.sign(this.#invite(this.#parts.contact(to)))
    const outgoing = this.#parts.endpoint.request(request, to, {
      onResponse: (response) => this.#receive(response, attempt),
      onTimeout: () => this.#giveUp(attempt),
    })
    const attempt: Attempt = { outgoing, to, isHeard: false, isGivenUp: false }
    this.#attempt = attempt
    this.#reach.begin()
    if (this.#destinations.length > 1)
      this.#parts.after(firstWordMs, () => {
        if (!attempt.isHeard && this.#state !== 'over') this.#giveUp(attempt)
      })
  }

  /** Turns from a silent server to the next. The transaction goes on, because the server may still answer. */
  #giveUp(attempt: Attempt): void {
    if (attempt !== this.#attempt || attempt.isGivenUp || this.#state === 'over') return
    attempt.isGivenUp = true
    this.#parts.avoid(attempt.to)
    this.#tryNext(this.#reach.isProven ? causeOfStatus(408) : outOfReach('The trunk did not answer.'))
  }

  #tryNext(cause: SipCause): void {
    this.#destinations.shift()
    if (this.#state === 'cancelling' || this.#destinations.length === 0)
      return void this.#fail(this.#cancelCause ?? cause)
    this.#again()
  }

  #receive(response: SipResponse, attempt: Attempt): void {
    const isFirst = !attempt.isHeard
    attempt.isHeard = true
    this.#reach.prove()
    const isUnwanted = attempt.isGivenUp || this.#state === 'cancelling'
    if (response.status < 200) {
      if (isFirst && isUnwanted) this.#sendCancel(attempt)
      else if (!attempt.isGivenUp && this.#state === 'calling') this.#receiveProvisional(response, attempt)
    } else if (response.status < 300) this.#receiveAnswer(response, attempt)
    else if (!attempt.isGivenUp && this.#state !== 'over') this.#receiveRefusal(response, attempt)
  }

  #receiveProvisional(response: SipResponse, { outgoing, to }: Attempt): void {
    if (response.status === 100 || !this.#early.take(response, outgoing.request, to)) return
    this.#parts.order.listener.onProvisional(response.status, sdpOf(response))
  }

  #receiveAnswer(response: SipResponse, attempt: Attempt): void {
    const dialog = dialogOfCaller(attempt.outgoing.request, response)
    if (!dialog) return
    const known = this.#acknowledgements.get(dialog.remoteTag)
    if (known) return void known()
    this.#acknowledge(dialog, attempt)
    // Another fork has answered, or the answer has crossed our CANCEL: this one is hung up (§13.2.2.4, §9.1).
    if (attempt.isGivenUp || this.#state !== 'calling') {
      this.#hangUp(dialog, attempt.to)
      if (this.#state === 'cancelling' && !attempt.isGivenUp)
        this.#fail(this.#cancelCause ?? causeOfStatus(487))
      return
    }
    this.#state = 'over'
    this.#leave()
    const { order } = this.#parts
    // After a reliable provisional answer with a description the final one needs none (RFC 6337 §3.1.1).
    const sdp = sdpOf(response) ?? this.#early.sdpOf(dialog.remoteTag) ?? ''
    this.#parts.establish(
      {
        ...this.#parts,
        dialog: { ...dialog, localSequence: this.#sequence },
        peer: attempt.to,
        interval: agreedByAnswer(response),
        peerAllowsUpdate: allowsUpdate(response),
        weCalled: true,
        localSdp: order.sdp,
        remoteSdp: sdp,
        listener: order.listener,
      },
      this.call,
    )
    order.listener.onAnswered(sdp)
  }

  #receiveRefusal(response: SipResponse, { to }: Attempt): void {
    const { status } = response
    if (this.#state === 'cancelling') return void this.#fail(this.#cancelCause ?? causeOfStatus(487))
    if ((status === 401 || status === 407) && this.#parts.auth.learn(response, this.#challenges++))
      return void this.#again()
    if (status === 422 && leastOf(response) > this.#sessionSeconds) {
      this.#sessionSeconds = leastOf(response)
      return void this.#again()
    }
    // A redirection that is not followed has a reason of ours.
    const cause = causeOfStatus(status, status < 400 ? undefined : response.reason, response)
    if (status < 400) this.#targets.push(...redirectTargets(response, this.#parts.order.redirectedTo))
    // A server that answers 503 is full or down; the next one may not be (RFC 3263 §4.3).
    if (status === 503) {
      this.#parts.avoid(to, retryAfter(response))
      return void this.#tryNext(cause)
    }
    if (status >= 600 || !this.#redirect()) this.#fail(cause)
  }

  /** Calls the next address that a redirection has named, and that was not tried before. */
  #redirect(): boolean {
    const next = this.#targets.find((address) => !this.#visited.has(address))
    if (next === undefined || this.#visited.size > maxRedirects) return false
    this.#uri = next
    this.#sequence += 1
    this.#challenges = 0
    this.#attempt = null
    void this.start()
    return true
  }

  /** Sends the INVITE again with another number; From tag and Call-ID stay (§8.1.3.5). */
  #again(): void {
    this.#sequence += 1
    this.#try()
  }

  #acknowledge(dialog: Dialog, { outgoing, to }: Attempt): void {
    const ack = acknowledgementOf(outgoing.request, dialog)
    this.#acknowledgements.set(dialog.remoteTag, () => {})
    void destinationsOf(this.#parts, dialog, to, ack).then(([first = to]) => {
      this.#acknowledgements.set(dialog.remoteTag, this.#parts.endpoint.sendOnce(ack, first))
    })
  }

  #hangUp(dialog: Dialog, to: Destination): void {
    const headers = reasonHeaders(this.#cancelCause ?? causeOfStatus(200, 'Call completed elsewhere'))
    void sendInDialog(this.#parts, dialog, to, () => ++this.#sequence, { method: 'BYE', headers })
  }

  #sendCancel({ outgoing }: Attempt): void {
    const headers = reasonHeaders(this.#cancelCause ?? causeOfStatus(487))
    this.#parts.endpoint.cancel(outgoing.request, outgoing.to, { onResponse() {}, onTimeout() {} }, headers)
    // Some far ends answer the CANCEL and never the INVITE (§9.1).
    this.#parts.after(giveUpAfter, () => {
      outgoing.cancelTimers()
      if (this.#state === 'cancelling') this.#fail(this.#cancelCause ?? causeOfStatus(487))
    })
  }

  #fail(cause: SipCause): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#leave()
    // Its owner has hung up, and expects no event.
    if (this.#cancelCause === null) this.#parts.order.listener.onEnded(cause)
  }

  #leave(): void {
    this.#reach.end()
    for (const key of this.#earlyKeys.splice(0)) this.#parts.onLeft(key)
  }
}
