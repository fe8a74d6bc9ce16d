// A call that we place, from INVITE to its answer, as the one who placed it sees it.

import type { ClientAuth } from '../auth/client-auth.ts'
import type { DigestCredentials } from '../auth/digest.ts'
import type { Header } from '../message/message.ts'
import type { Destination, TransportName } from '../transport/transport.ts'
import type { CallListener, SipCallParts } from './call-parts.ts'
import type { EarlyDialog } from './early-dialogs.ts'
import type { EstablishedCall, EstablishedParts } from './established-call.ts'
import { Call, type LiveCallInterface } from './live-call.ts'
import { OutboundCall } from './outbound-call.ts'

export interface CallOrder {
  /** Left out: a fresh one. */
  readonly callId?: string
  readonly to: string
  readonly from: string
  readonly sdp: string
  readonly credentials: DigestCredentials | null
  readonly headers: readonly Header[]
  readonly routes: readonly string[]
  readonly transport: TransportName | null
  /** The only way to it: that of a telephone which has logged in, and may be behind a NAT. */
  readonly via?: Destination
  readonly listener: OutgoingListener
  /** Where a redirection may lead; nowhere if it is left out. */
  readonly mayRedirectTo?: (address: string) => boolean
}

export interface OutgoingListener extends CallListener {
  onProvisional(status: number, sdp: string | null): void
  onAnswered(sdp: string): void
}

export interface PlacedParts extends SipCallParts {
  readonly auth: ClientAuth
  /** Requests of this dialog are for the call from now on. */
  readonly onEarly: (early: EarlyDialog) => void
  readonly onLeft: (key: string) => void
  readonly establish: (parts: Omit<EstablishedParts, 'onReplaced'>, live: Call) => EstablishedCall
}

export function placeCall(asked: CallOrder, parts: PlacedParts): LiveCallInterface {
  const { listener, sdp: localSdp } = asked
  const early: string[] = []
  const leave = () => {
    for (const key of early.splice(0)) parts.onLeft(key)
  }
  let isOver = false
  const outbound = new OutboundCall({
    ...parts,
    ...asked,
    mayRedirectTo: asked.mayRedirectTo ?? (() => false),
    listener: {
      onProvisional: (status, sdp) => isOver || listener.onProvisional(status, sdp),
      onEarlyOffer: (offer) => (isOver ? offer.refuse(500) : listener.onOffer(offer)),
      onEarlyDialog: (dialog) => {
        early.push(dialog.key)
        parts.onEarly(dialog)
      },
      onFailed: (cause) => {
        leave()
        if (!isOver) listener.onEnded(cause)
      },
      onAnswered: ({ sdp, ...answered }) => {
        leave()
        parts.establish({ ...parts, ...answered, weCalled: true, localSdp, remoteSdp: sdp, listener }, live)
        listener.onAnswered(sdp)
      },
    },
  })
  const live = new Call(outbound.callId, (cause) => {
    isOver = true
    outbound.cancel(cause)
  })
  void outbound.start()
  return live
}
