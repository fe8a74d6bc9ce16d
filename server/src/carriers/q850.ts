// Why calls end, in the causes of the telephone network (ITU-T Q.850), and what each means for the record of a call: one
// table for every carrier. SIP carries them in its Reason header (RFC 3326); its own status codes have a table of their own.
import type { CarrierCause, LineEnd } from '../ports/line.ts'

const table = {
  1: ['Unallocated number', 'unreachable'],
  2: ['No route to transit network', 'unreachable'],
  3: ['No route to destination', 'unreachable'],
  16: ['Normal call clearing', 'hangup'],
  17: ['User busy', 'busy'],
  18: ['No user responding', 'no-answer'],
  19: ['No answer from user', 'no-answer'],
  20: ['Subscriber absent', 'no-answer'],
  21: ['Call rejected', 'rejected'],
  22: ['Number changed', 'unreachable'],
  27: ['Destination out of order', 'unreachable'],
  28: ['Invalid number format', 'unreachable'],
  31: ['Normal, unspecified', 'failed'],
  34: ['No circuit available', 'failed'],
  38: ['Network out of order', 'failed'],
  41: ['Temporary failure', 'failed'],
  42: ['Switching equipment congestion', 'failed'],
  47: ['Resource unavailable', 'failed'],
  50: ['Requested facility not subscribed', 'failed'],
  57: ['Bearer capability not authorized', 'failed'],
  58: ['Bearer capability not available', 'failed'],
  65: ['Bearer capability not implemented', 'failed'],
  79: ['Service or option not implemented', 'failed'],
  88: ['Incompatible destination', 'failed'],
  102: ['Recovery on timer expiry', 'no-answer'],
  111: ['Protocol error', 'failed'],
  127: ['Interworking, unspecified', 'failed'],
} as const satisfies Readonly<Record<number, readonly [text: string, end: LineEnd]>>

export type Q850 = keyof typeof table

/** The meaning of a cause; one that is not in the table is a failure without a name. */
const meaningOf = (code: number): readonly [text: string, end: LineEnd] => table[code as Q850] ?? table[31]

/** The end of a call that was not answered. */
export const endOfQ850 = (code: number): LineEnd => meaningOf(code)[1]

export const q850 = (code: number): CarrierCause => ({ protocol: 'q850', code, text: meaningOf(code)[0] })
