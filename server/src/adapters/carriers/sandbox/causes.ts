// How simulated calls end, as ITU-T Q.850 causes, unless a script names its own.
import type { CarrierCause } from '../../../ports/line.ts'

const q850 = (code: number, text: string): CarrierCause => ({ protocol: 'q850', code, text })

export const causes = {
  hangup: q850(16, 'Normal call clearing'),
  busy: q850(17, 'User busy'),
  'no-answer': q850(19, 'No answer from user'),
  rejected: q850(21, 'Call rejected'),
  failed: q850(38, 'Network out of order'),
} as const
