// Where voices are sampled in a piece: windows long enough to identify a speaker, each inside one stretch of speech.
import type { Piece, Stretch } from './pieces.ts'

// Shorter windows cannot separate voices; longer ones may span two speakers.
export const windowMs = 1_500
const stepMs = 500

export function voiceWindows({ voiced }: Pick<Piece, 'voiced'>): Stretch[] {
  return voiced.flatMap(({ fromMs, toMs }) => {
    const steps = Math.max(1, Math.ceil((toMs - fromMs - windowMs) / stepMs) + 1)
    return Array.from({ length: steps }, (_, step) => {
      // The last one ends with the stretch.
      const startMs = Math.max(fromMs, Math.min(fromMs + step * stepMs, toMs - windowMs))
      return { fromMs: startMs, toMs: Math.min(toMs, startMs + windowMs) }
    })
  })
}
