// A call that we place (RFC 3261 §13.2): INVITE, provisional answers, challenges, forks and CANCEL, until it is answered or not.
import { type CallParts, capabilities, type SipCause, sdpBody, sdpType } from './call-parts.ts'
import { causeOfStatus, reasonHeader } from './causes.ts'
import type { ClientAuth } from './client-auth.ts'
import { type Dialog, dialogOfCaller, nextRequest } from './dialog.ts'
import { type OutgoingRequest, withSequence } from './endpoint.ts'
import { cseqOf, optionTags } from './headers.ts'
import { bodyText, type Header, headerOf, type SipRequest, type SipResponse, withHeader } from './message.ts'
import { agreedByAnswer, leastOf, type SessionInterval, timerRequest, wantedSeconds } from './session-timer.ts'
import type { Destination } from './transport.ts'

export interface OutboundListener {
  /** 18x; `sdp` is early media. */
  onProvisional(status: number, sdp: string | null): void
  onAnswered(answered: Answered): void
  onFailed(cause: SipCause): void
}

/** What an established call goes on with. */
export interface Answered {
  readonly dialog: Dialog
  readonly sdp: string
  readonly peer: Destination
  readonly interval: SessionInterval | null
  readonly peerAllowsUpdate: boolean
}

export interface OutboundParts extends CallParts {
  /** Left out: a fresh one. */
  readonly callId?: string
  readonly to: string
  /** From, without its tag: `"Name" <sip:number@host>`. */
  readonly from: string
  readonly auth: ClientAuth
  /** Of the trunk: identity, privacy, X- headers. */
  readonly headers: readonly Header[]
  /** Proxies of the trunk to go through. */
  readonly routes: readonly string[]
  readonly sdp: string
  readonly listener: OutboundListener
}

/** A server that says nothing at all is given up for the next one, long before 32 s (telephony practice, RFC 3263 §4.3). */
const firstWordMs = 4_000

type State = 'calling' | 'cancelling' | 'over'

export class OutboundCall {
  readonly #parts: OutboundParts
  readonly #tag: string
  readonly callId: string
  #state: State = 'calling'
  #sequence = 1
  #challenges = 0
  #sessionSeconds = wantedSeconds
  #destinations: Destination[] = []
  #sent: { outgoing: OutgoingRequest; to: Destination; heard: boolean } | null = null
  #cancelCause: SipCause | null = null
  /** Answers that make a dialog, by the tag of the one who answered. The first is the call. */
  #answeredTag: string | null = null
  /** Reliable provisional answers that were acknowledged, by tag and number. */
  readonly #acknowledged = new Set<string>()
  #ackOfAnswer: (() => void) | null = null

  constructor(parts: OutboundParts) {
    this.#parts = parts
    this.#tag = parts.random(8)
    this.callId = parts.callId ?? parts.random(16)
  }

  async start(): Promise<void> {
    this.#destinations = await this.#parts.route(this.#invite('placeholder'), null)
    if (this.#state === 'over') return
    if (this.#destinations.length === 0)
      return this.#fail({ status: 503, text: 'The address of the trunk cannot be resolved.', q850: null })
    this.#try()
  }

  /** Before the answer only. The far end may answer at the same moment: then it gets its BYE. */
  cancel(cause: SipCause): void {
    if (this.#state !== 'calling') return
    this.#cancelCause = cause
    this.#state = 'cancelling'
    if (!this.#sent) return this.#fail(cause)
    // A CANCEL may overtake its INVITE: it waits for the first answer (§9.1).
    if (this.#sent.heard) this.#sendCancel()
  }

  #invite(contact: string): SipRequest {
    const { to, from, headers, routes, sdp } = this.#parts
    return {
      kind: 'request',
      method: 'INVITE',
      uri: to,
      headers: [
        { name: 'Max-Forwards', value: '70' },
        ...routes.map((value) => ({ name: 'Route', value })),
        { name: 'From', value: `${from};tag=${this.#tag}` },
        { name: 'To', value: `<${to}>` },
        { name: 'Call-ID', value: this.callId },
        { name: 'CSeq', value: `${this.#sequence} INVITE` },
        ...capabilities(contact),
        ...timerRequest(this.#sessionSeconds),
        ...headers,
        sdpType,
      ],
      body: sdpBody(sdp),
    }
  }

  /** To the first destination that is left. */
  #try(): void {
    const to = this.#destinations[0]
    if (!to) return this.#fail(causeOfStatus(408))
    const request = withSequence(this.#invite(this.#parts.contact(to)), this.#sequence)
    const attempt = { heard: false }
    const outgoing = this.#parts.endpoint.request(this.#parts.auth.sign(request), to, {
      onResponse: (response) => {
        if (!attempt.heard) this.#onFirstWord(attempt)
        this.#receive(response, to)
      },
      onTimeout: () => this.#tryNext(causeOfStatus(408)),
    })
    this.#sent = Object.assign(attempt, { outgoing, to })
    if (this.#destinations.length > 1)
      this.#parts.after(firstWordMs, () => {
        if (attempt.heard || this.#sent !== attempt || this.#state === 'over') return
        outgoing.cancelTimers()
        this.#tryNext(causeOfStatus(408))
      })
  }

  #onFirstWord(attempt: { heard: boolean }): void {
    attempt.heard = true
    if (this.#state === 'cancelling') this.#sendCancel()
  }

  #tryNext(cause: SipCause): void {
    if (this.#state === 'over' || this.#answeredTag !== null) return
    this.#destinations.shift()
    if (this.#state === 'cancelling' || this.#destinations.length === 0) return this.#fail(this.#cancelCause ?? cause)
    this.#sequence += 1
    this.#try()
  }

  #receive(response: SipResponse, to: Destination): void {
    if (response.status < 200) this.#receiveProvisional(response, to)
    else if (response.status < 300) this.#receiveAnswer(response, to)
    else if (this.#state !== 'over') this.#receiveRefusal(response)
  }

  #receiveProvisional(response: SipResponse, to: Destination): void {
    if (response.status === 100 || this.#state !== 'calling') return
    if (optionTags(response, 'Require').includes('100rel') && !this.#acknowledgeProvisional(response, to)) return
    const sdp = response.body.length > 0 ? bodyText(response) : null
    this.#parts.listener.onProvisional(response.status, sdp)
  }

  /** PRACK (RFC 3262). False: this answer was only repeated. */
  #acknowledgeProvisional(response: SipResponse, to: Destination): boolean {
    const number = headerOf(response, 'RSeq')
    const invite = this.#sent?.outgoing.request
    const dialog = invite && dialogOfCaller(invite, response)
    const sequence = cseqOf(response)
    if (!number || !dialog || !sequence) return true
    const key = `${dialog.remoteTag} ${number}`
    if (this.#acknowledged.has(key)) return false
    this.#acknowledged.add(key)
    this.#sequence += 1
    const headers = [{ name: 'RAck', value: `${number} ${sequence.number} INVITE` }]
    const { request } = nextRequest(dialog, { method: 'PRACK', headers }, this.#sequence)
    this.#parts.endpoint.request(this.#parts.auth.sign(request), to, { onResponse() {}, onTimeout() {} })
    return true
  }

  #receiveAnswer(response: SipResponse, to: Destination): void {
    const invite = this.#sent?.outgoing.request
    const dialog = invite && dialogOfCaller(invite, response)
    if (!invite || !dialog) return
    if (dialog.remoteTag === this.#answeredTag) return this.#ackOfAnswer?.()
    const acknowledge = () => this.#acknowledge(dialog, invite)
    acknowledge()
    // Another fork, or an answer that crossed our CANCEL: the caller is not there any more (§13.2.2.4, §9.1).
    if (this.#answeredTag !== null || this.#state !== 'calling') {
      this.#hangUp(dialog)
      if (this.#answeredTag === null) this.#fail(this.#cancelCause ?? causeOfStatus(487))
      return
    }
    this.#answeredTag = dialog.remoteTag
    this.#ackOfAnswer = acknowledge
    this.#state = 'over'
    this.#parts.listener.onAnswered({
      dialog: { ...dialog, localSequence: this.#sequence },
      sdp: bodyText(response),
      peer: to,
      interval: agreedByAnswer(response),
      peerAllowsUpdate: /\bUPDATE\b/i.test(headerOf(response, 'Allow') ?? ''),
    })
  }

  #receiveRefusal(response: SipResponse): void {
    const { status } = response
    if (this.#state === 'cancelling') return this.#fail(this.#cancelCause ?? causeOfStatus(487))
    if ((status === 401 || status === 407) && this.#parts.auth.learn(response, this.#challenges++)) return this.#again()
    if (status === 422) {
      const least = leastOf(response)
      if (least > this.#sessionSeconds) {
        this.#sessionSeconds = least
        return this.#again()
      }
    }
    const cause = causeOfStatus(status, response.reason, response)
    // 503: this server is full or ill, the next one may not be (RFC 3263 §4.3).
    if (status === 503 && this.#destinations.length > 1) this.#tryNext(cause)
    else this.#fail(cause)
  }

  /** The same request with another number; From tag and Call-ID stay (§8.1.3.5). */
  #again(): void {
    this.#sequence += 1
    this.#try()
  }

  #acknowledge(dialog: Dialog, invite: SipRequest): void {
    const sequence = cseqOf(invite)?.number ?? 1
    const ack = nextRequest(dialog, { method: 'ACK' }, sequence).request
    const credentials = ['Authorization', 'Proxy-Authorization']
    // The ACK carries the credentials of its INVITE (§22.1): proxies cannot challenge it.
    const signed = invite.headers
      .filter(({ name }) => credentials.includes(name))
      .reduce((message, { name, value }) => withHeader(message, name, value), ack)
    void this.#parts.route(signed, this.#sent?.to ?? null).then(([to]) => {
      if (to) this.#parts.endpoint.sendOnce(signed, to)
    })
  }

  #hangUp(dialog: Dialog): void {
    const headers = [reasonHeader(this.#cancelCause ?? causeOfStatus(200, 'Call completed elsewhere'))]
    const { request } = nextRequest({ ...dialog, localSequence: this.#sequence }, { method: 'BYE', headers })
    void this.#parts.route(request, this.#sent?.to ?? null).then(([to]) => {
      if (to) this.#parts.endpoint.request(this.#parts.auth.sign(request), to, { onResponse() {}, onTimeout() {} })
    })
  }

  #sendCancel(): void {
    if (!this.#sent) return
    const { outgoing, to } = this.#sent
    this.#parts.endpoint.cancel(outgoing.request, to, { onResponse() {}, onTimeout() {} })
    // A far end that answers the CANCEL and then forgets the INVITE (§9.1).
    this.#parts.after(64 * 500, () => {
      if (this.#state !== 'cancelling') return
      outgoing.cancelTimers()
      this.#fail(this.#cancelCause ?? causeOfStatus(487))
    })
  }

  #fail(cause: SipCause): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#parts.listener.onFailed(cause)
  }
}

