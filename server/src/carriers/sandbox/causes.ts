// How simulated calls end, as ITU-T Q.850 causes, unless a script names its own.
import { endOfQ850, type Q850, q850 } from '../q850.ts'

const notAnswered = (code: Q850) => ({ end: endOfQ850(code), carrierCause: q850(code) })

export const causes = {
  hangup: q850(16),
  transferRefused: q850(21),
  busy: notAnswered(17),
  no_answer: notAnswered(19),
  rejected: notAnswered(21),
  unreachable: notAnswered(1),
  no_trunk: {
    end: 'no-trunk',
    carrierCause: { protocol: 'SIP', code: 408, text: 'The trunk did not answer.' },
  },
  failed: notAnswered(38),
} as const

export type FailedOutcome = Exclude<keyof typeof causes, 'hangup' | 'transferRefused'>
