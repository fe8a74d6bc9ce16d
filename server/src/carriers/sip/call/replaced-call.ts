// Which of our calls an INVITE with Replaces is about, and whether it may take its place (RFC 3891 §3).

import { headersOf, type SipRequest } from '../message/message.ts'
import type { CallListener } from './call-parts.ts'
import { parseReplaces } from './dialog.ts'
import type { EstablishedCall } from './established-call.ts'
import type { Call } from './live-call.ts'

interface Held {
  readonly call: EstablishedCall
  readonly live: Call
  readonly parts: { readonly listener: CallListener }
}

export type Replaced =
  | { readonly is: 'found'; readonly live: Call; readonly listener: CallListener }
  | { readonly is: 'refused'; readonly status: 400 | 481 | 486 | 603 }

/** null: the INVITE replaces nothing. */
export function findReplaced(request: SipRequest, find: (key: string) => Held | undefined): Replaced | null {
  const values = headersOf(request, 'Replaces')
  if (values.length === 0) return null
  const named = values.length === 1 ? parseReplaces(values[0] as string) : null
  if (!named) return { is: 'refused', status: 400 }
  const held = find(named.key)
  if (!held) return { is: 'refused', status: 481 }
  if (held.call.isOver) return { is: 'refused', status: 603 }
  if (named.earlyOnly) return { is: 'refused', status: 486 }
  return { is: 'found', live: held.live, listener: held.parts.listener }
}
