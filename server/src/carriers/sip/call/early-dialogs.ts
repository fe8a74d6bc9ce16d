// Dialogs of provisional answers to our INVITE, one for each fork: PRACK, and requests of the far end (RFC 3262, RFC 3311).
import { answerTo } from '../message/answer.ts'
import { sdpOf } from '../message/body.ts'
import { cseqOf, optionTags } from '../message/headers.ts'
import { headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { Destination } from '../transport/transport.ts'
import { capabilities, type FarOffer, type SipCallParts, sdpBody, sdpType } from './call-parts.ts'
import { type Dialog, dialogOfCaller, keyOf } from './dialog.ts'
import { type RequestParts, sendInDialog } from './send-request.ts'

export interface EarlyDialogsParts extends SipCallParts, RequestParts {
  readonly nextSequence: () => number
  readonly onOffer: (offer: FarOffer) => void
  readonly onDialog: (early: EarlyDialog) => void
}

/** A dialog that receives requests before the answer. */
export interface EarlyDialog {
  readonly key: string
  receive(incoming: IncomingRequest): void
}

interface Early {
  readonly dialog: Dialog
  readonly to: Destination
  /** The RSeq of the last reliable answer. */
  number: number | null
  sdp: string | null
}

export class EarlyDialogs {
  readonly #parts: EarlyDialogsParts
  readonly #byTag = new Map<string, Early>()

  constructor(parts: EarlyDialogsParts) {
    this.#parts = parts
  }

  /** The last SDP of this fork. */
  sdpOf(tag: string): string | null {
    return this.#byTag.get(tag)?.sdp ?? null
  }

  /** False: the reliable answer is a repetition, or one before it is missing (RFC 3262 §4). */
  take(response: SipResponse, invite: SipRequest, to: Destination): boolean {
    const dialog = dialogOfCaller(invite, response)
    if (!dialog) return true
    const early = this.#byTag.get(dialog.remoteTag) ?? this.#open(dialog, to)
    const number = Number(headerOf(response, 'RSeq'))
    const isReliable = optionTags(response, 'Require').includes('100rel') && Number.isInteger(number)
    if (isReliable) {
      if (early.number !== null && number !== early.number + 1) return false
      early.number = number
      this.#acknowledge(response, dialog, number, to)
    }
    early.sdp = sdpOf(response) ?? early.sdp
    return true
  }

  #open(dialog: Dialog, to: Destination): Early {
    const early: Early = { dialog, to, number: null, sdp: null }
    this.#byTag.set(dialog.remoteTag, early)
    this.#parts.onDialog({ key: keyOf(dialog), receive: (incoming) => this.#receive(incoming, early) })
    return early
  }

  #acknowledge(response: SipResponse, dialog: Dialog, number: number, to: Destination): void {
    const headers = [{ name: 'RAck', value: `${number} ${cseqOf(response)?.number} INVITE` }]
    void sendInDialog(this.#parts, dialog, to, this.#parts.nextSequence, { method: 'PRACK', headers })
  }

  #receive(incoming: IncomingRequest, early: Early): void {
    const { request } = incoming
    if (request.method !== 'UPDATE') return void incoming.respond(answerTo(request, 481))
    const headers = capabilities(this.#parts.contact(early.to))
    const sdp = sdpOf(request)
    if (sdp === null) return void incoming.respond(answerTo(request, 200, { headers }))
    // Our own offer is answered only by a reliable answer (RFC 3311 §5.2).
    if (early.number === null || early.sdp === null)
      return void incoming.respond(answerTo(request, 500, { headers: [{ name: 'Retry-After', value: '5' }] }))
    this.#parts.onOffer({
      sdp,
      accept: (answer) => {
        early.sdp = sdp
        incoming.respond(answerTo(request, 200, { headers: [...headers, sdpType], body: sdpBody(answer) }))
      },
      refuse: (status) => incoming.respond(answerTo(request, status)),
    })
  }
}
