// A dialog (RFC 3261 §12): two peers, their tags, the route between them and the numbers of their requests. It is plain
// data, so that it can be stored and taken over by another process.
import { addressIn, callIdOf, cseqOf, parseNameAddress, tagOf } from '../message/headers.ts'
import {
  elementsOf,
  type Header,
  headerOf,
  noBody,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts'
import { readParameters } from '../message/uri.ts'
import { isSenderBehindNat } from '../transactions/request-checks.ts'

export interface Dialog {
  readonly callId: string
  /** The From header of our requests, tag included. */
  readonly local: string
  readonly remote: string
  readonly localTag: string
  readonly remoteTag: string
  /** Where requests to the other side are addressed: its Contact. */
  readonly remoteTarget: string
  /** Proxies on the way, the nearest first. */
  readonly routes: readonly string[]
  /** The number of our last request. */
  readonly localSequence: number
  /** The number of the other side's last request; null before the first. */
  readonly remoteSequence: number | null
  /** The Contact of the other side cannot be reached: requests go back the way its own came. */
  readonly isBehindNat: boolean
}

/** The dialog of a call that we placed, made by an answer with a tag. `invite` is what we sent. */
export function dialogOfCaller(invite: SipRequest, response: SipResponse): Dialog | null {
  const [localTag, remoteTag] = [tagOf(invite, 'From'), tagOf(response, 'To')]
  const sequence = cseqOf(invite)
  if (localTag === null || remoteTag === null || !sequence) return null
  return {
    callId: callIdOf(invite),
    local: headerOf(invite, 'From') as string,
    remote: headerOf(response, 'To') as string,
    localTag,
    remoteTag,
    // An answer without a Contact (some PBXs, on 180) can only be reached where the INVITE went.
    remoteTarget: addressIn(response, 'Contact')?.address ?? invite.uri,
    routes: elementsOf(response, 'Record-Route').reverse(),
    localSequence: sequence.number,
    remoteSequence: null,
    isBehindNat: false,
  }
}

/** The dialog of a call that came to us. */
export function dialogOfCallee(invite: SipRequest, localTag: string): Dialog | null {
  const sequence = cseqOf(invite)
  const contact = addressIn(invite, 'Contact')
  if (!sequence || !contact) return null
  return {
    callId: callIdOf(invite),
    local: `${headerOf(invite, 'To')};tag=${localTag}`,
    remote: headerOf(invite, 'From') as string,
    localTag,
    // Peers of RFC 2543 send no tag.
    remoteTag: tagOf(invite, 'From') ?? '',
    remoteTarget: contact.address,
    routes: elementsOf(invite, 'Record-Route'),
    localSequence: 0,
    remoteSequence: sequence.number,
    isBehindNat: isSenderBehindNat(invite),
  }
}

/** A string that identifies a dialog, for lookups from requests and from answers. */
export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId}\n${localTag}\n${remoteTag}`

export const keyOf = (dialog: Dialog): string => dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag)

/** The key of the dialog that a request of the other side belongs to. */
export const keyOfRequest = (request: SipRequest): string =>
  dialogKey(callIdOf(request), tagOf(request, 'To') ?? '', tagOf(request, 'From') ?? '')

/** The key of the dialog that a Replaces header names; null: the header cannot be read. */
export function parseReplaces(value: string): { readonly key: string; readonly earlyOnly: boolean } | null {
  const semicolon = value.indexOf(';')
  const parameters = readParameters(semicolon < 0 ? '' : value.slice(semicolon))
  const [toTag, fromTag] = [parameters.get('to-tag'), parameters.get('from-tag')]
  if (semicolon < 1 || toTag == null || fromTag == null) return null
  return {
    // A tag of 0 stands for a peer of RFC 2543, which has none.
    key: dialogKey(value.slice(0, semicolon).trim(), toTag, fromTag === '0' ? '' : fromTag),
    earlyOnly: parameters.has('early-only'),
  }
}

export interface InDialogRequest {
  readonly method: string
  readonly headers?: readonly Header[]
  readonly body?: Uint8Array
}

/** Makes our next request, and the dialog with its number. ACK repeats the number of its INVITE. */
export function nextRequest(
  dialog: Dialog,
  { method, headers = [], body = noBody }: InDialogRequest,
  sequence = dialog.localSequence + 1,
): { readonly request: SipRequest; readonly dialog: Dialog } {
  const { uri, routes } = routeFor(dialog)
  const request: SipRequest = {
    kind: 'request',
    method,
    uri,
    headers: [
      { name: 'Max-Forwards', value: '70' },
      ...routes.map((value) => ({ name: 'Route', value })),
      { name: 'From', value: dialog.local },
      { name: 'To', value: dialog.remote },
      { name: 'Call-ID', value: dialog.callId },
      { name: 'CSeq', value: `${sequence} ${method}` },
      ...headers,
    ],
    body,
  }
  return { request, dialog: { ...dialog, localSequence: Math.max(dialog.localSequence, sequence) } }
}

/** Loose routers stay in Route; a strict one gets the request addressed to itself (§12.2.1.1). */
function routeFor({ remoteTarget, routes }: Dialog): { uri: string; routes: readonly string[] } {
  const first = routes[0] === undefined ? null : parseNameAddress(routes[0])
  if (!first) return { uri: remoteTarget, routes: [] }
  const isLoose = first.uri?.scheme !== 'tel' && first.uri?.parameters.has('lr')
  return isLoose
    ? { uri: remoteTarget, routes }
    : { uri: first.address, routes: [...routes.slice(1), `<${remoteTarget}>`] }
}

export type Sequence = 'next' | 'repeated' | 'stale'

/** Requests count upwards; a lower number is late, and refused with 500 (§12.2.2). */
export function sequenceOf(dialog: Dialog, request: SipRequest): Sequence {
  const sequence = cseqOf(request)?.number ?? -1
  if (dialog.remoteSequence === null || sequence > dialog.remoteSequence) return 'next'
  return sequence === dialog.remoteSequence ? 'repeated' : 'stale'
}

/** The dialog after a request of the other side, with the number and, where the request may move it, the Contact. */
export function afterRequest(dialog: Dialog, request: SipRequest): Dialog {
  return withTarget({ ...dialog, remoteSequence: cseqOf(request)?.number ?? dialog.remoteSequence }, request)
}

const refreshesTarget = new Set(['INVITE', 'UPDATE'])

/** Re-INVITE and UPDATE, and the answers to them, may move the other side's address (target refresh, §12.2). */
export function withTarget(dialog: Dialog, message: SipMessage): Dialog {
  const method = message.kind === 'request' ? message.method : cseqOf(message)?.method
  const contact = refreshesTarget.has(method ?? '') ? addressIn(message, 'Contact') : null
  if (!contact) return dialog
  const isBehindNat = message.kind === 'request' ? isSenderBehindNat(message) : dialog.isBehindNat
  return { ...dialog, remoteTarget: contact.address, isBehindNat }
}
