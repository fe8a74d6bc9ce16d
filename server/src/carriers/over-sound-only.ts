// The default half of a line that carries audio and nothing else.
import type { Line, LineAbilities } from '../ports/line.ts'

const refuse = (what: string) => () => Promise.reject(new Error(`This line cannot ${what}.`))

export const soundOnly = {
  can: { digits: false, hold: false, transfers: [], earlyMedia: false, codecs: [] } as LineAbilities,
  sendDigits: refuse('send digits'),
  hold: refuse('be put on hold'),
  transfer: refuse('be transferred'),
} as const satisfies Pick<Line, 'can' | 'sendDigits' | 'hold' | 'transfer'>
