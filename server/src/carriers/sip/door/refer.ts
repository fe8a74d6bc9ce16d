// Blind transfers by REFER (RFC 3515): whom the far end is asked to call, and what it said to that.

import { causeOfStatus } from '../call/causes.ts'
import type { FinalAnswer } from '../call/send-request.ts'
import type { RequestResult } from '../line/link.ts'

/** The value of Refer-To. A number is one that the far end itself can call. */
export function referTarget(remoteTarget: string, to: string): string {
  if (/^(?:sips?|tel):/i.test(to)) return `<${to}>`
  const host = /^sips?:(?:[^@]*@)?([^;?]+)/i.exec(remoteTarget)?.[1]
  return host ? `<sip:${to}@${host}>` : `<tel:${to}>`
}

/** undefined: the call was over. */
export function resultOfRefer(answer: FinalAnswer | undefined): RequestResult {
  if (answer === undefined) return { is: 'refused', cause: causeOfStatus(481) }
  if (answer === 'no-answer') return { is: 'refused', cause: causeOfStatus(408) }
  if (answer.status < 300) return { is: 'accepted', sdp: null }
  return { is: 'refused', cause: causeOfStatus(answer.status, answer.reason, answer) }
}
