// Transfers by REFER in an established call, both ways (RFC 3515, RFC 3891): we ask, or we are asked.
import { answerTo } from '../message/answer.ts'
import { cseqOf, parseNameAddress } from '../message/headers.ts'
import { bodyText, type Header, headerOf, type SipRequest } from '../message/message.ts'
import { decode, printUri, readParameters } from '../message/uri.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { After } from '../transport/timers.ts'
import type { CallListener } from './call-parts.ts'
import type { InDialogRequest } from './dialog.ts'
import type { FinalAnswer } from './send-request.ts'

export interface SipTransfersParts {
  readonly after: After
  readonly listener: CallListener
  readonly ask: (asked: InDialogRequest) => Promise<FinalAnswer>
  readonly contact: () => Header
  /** The From header of our requests in this call. */
  readonly local: () => string
}

/** How long a report about a transfer is waited for; then its result is unknown, and the call goes on. */
const silenceMs = 120_000

const fragmentType = { name: 'Content-Type', value: 'message/sipfrag;version=2.0' } as const

export class SipTransfers {
  readonly #parts: SipTransfersParts
  /** Ends the wait for the result of a transfer that we asked for; null: none is open. */
  #cancel: (() => void) | null = null

  constructor(parts: SipTransfersParts) {
    this.#parts = parts
  }

  /** Asks the far end to call somebody else. The result of that call is reported as progress. */
  async refer(to: string): Promise<FinalAnswer> {
    // The first NOTIFY may overtake the 202.
    this.#wait()
    const referTo = { name: 'Refer-To', value: to.includes('<') ? to : `<${to}>` }
    // Some PBXs decide by it whether, and on whose account, the transfer is carried out (RFC 3892).
    const referredBy = {
      name: 'Referred-By',
      value: `<${parseNameAddress(this.#parts.local())?.address ?? ''}>`,
    }
    const response = await this.#parts.ask({
      method: 'REFER',
      headers: [referTo, referredBy, this.#parts.contact()],
    })
    if (response === 'no-answer' || response.status >= 300) this.stop()
    return response
  }

  /** Takes a report, whose body is the status line of the new call (§2.4). */
  receiveNotify(incoming: IncomingRequest): void {
    const { request } = incoming
    if (!/^refer\b/i.test(headerOf(request, 'Event') ?? ''))
      return void incoming.respond(answerTo(request, 489))
    if (!this.#cancel) return void incoming.respond(answerTo(request, 481))
    incoming.respond(answerTo(request, 200))
    const status = statusIn(request)
    const isLast = status >= 200 || /^\s*terminated\b/i.test(headerOf(request, 'Subscription-State') ?? '')
    if (isLast) this.stop()
    else this.#wait()
    // An end without a result is reported as a failure.
    if (status > 0 || isLast) this.#parts.listener.onTransferProgress(isLast && status < 200 ? 408 : status)
  }

  receiveRefer(incoming: IncomingRequest): void {
    const { request } = incoming
    const asked = readReferTo(request)
    if (!asked) return void incoming.respond(answerTo(request, 400, { reason: 'Malformed Refer-To' }))
    const { onRefer } = this.#parts.listener
    // Without a listener for transfers, the far end cannot move our agent's call.
    if (!onRefer) return void incoming.respond(answerTo(request, 603))
    onRefer.call(this.#parts.listener, {
      ...asked,
      referredBy: headerOf(request, 'Referred-By') ?? null,
      accept: () => this.#accept(incoming),
      refuse: (status) => incoming.respond(answerTo(request, status)),
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #wait(): void {
    this.stop()
    this.#cancel = this.#parts.after(silenceMs, () => {
      this.#cancel = null
      this.#parts.listener.onTransferProgress(408)
    })
  }

  #accept({ request, respond }: IncomingRequest): (status: number, text: string) => void {
    // The far end wants no reports (RFC 4488).
    const isSilent = /^\s*false\b/i.test(headerOf(request, 'Refer-Sub') ?? '')
    const silence = isSilent ? [{ name: 'Refer-Sub', value: 'false' }] : []
    respond(answerTo(request, 202, { headers: [this.#parts.contact(), ...silence] }))
    let isOpen = !isSilent
    const notify = (status: number, text: string) => {
      if (!isOpen) return
      isOpen = status < 200
      void this.#parts.ask({
        method: 'NOTIFY',
        headers: [
          { name: 'Event', value: `refer;id=${cseqOf(request)?.number}` },
          {
            name: 'Subscription-State',
            value: isOpen ? 'active;expires=60' : 'terminated;reason=noresource',
          },
          this.#parts.contact(),
          fragmentType,
        ],
        body: new TextEncoder().encode(`SIP/2.0 ${status} ${text}\r\n`),
      })
    }
    notify(100, 'Trying')
    return notify
  }
}

/** The status in the body of a report; 0: there is none. */
const statusIn = (request: SipRequest): number =>
  Number(/^\s*SIP\/2\.0 (\d{3})/.exec(bodyText(request))?.[1] ?? 0)

function readReferTo(request: SipRequest): { readonly to: string; readonly replaces: string | null } | null {
  const address = parseNameAddress(headerOf(request, 'Refer-To') ?? '')
  if (!address?.uri) return null
  if (address.uri.scheme === 'tel') return { to: address.address, replaces: null }
  const headers = readParameters((address.uri.headers ?? '').replaceAll('&', ';'))
  const replaces = headers.get('replaces')
  return { to: printUri({ ...address.uri, headers: null }), replaces: replaces ? decode(replaces) : null }
}

/** The value of Refer-To for a transfer without a call of ours. A number is one that the far end itself can call. */
export function referTarget(remoteTarget: string, to: string): string {
  if (/^(?:sips?|tel):/i.test(to)) return `<${to}>`
  const host = /^sips?:(?:[^@]*@)?([^;?]+)/i.exec(remoteTarget)?.[1]
  return host ? `<sip:${to}@${host}>` : `<tel:${to}>`
}
