// Where in a piece of speech a voice is taken: windows long enough to know it by, each inside one breath.
import type { Piece, Stretch } from './pieces.ts'

// Shorter, and voices cannot be told apart; longer, and two of them share a window.
export const windowMs = 1_500
const stepMs = 500

export function voiceWindows({ voiced }: Pick<Piece, 'voiced'>): Stretch[] {
  return voiced.flatMap(({ fromMs, toMs }) => {
    const steps = Math.max(1, Math.ceil((toMs - fromMs - windowMs) / stepMs) + 1)
    return Array.from({ length: steps }, (_, step) => {
      // The last one ends with the breath.
      const startMs = Math.max(fromMs, Math.min(fromMs + step * stepMs, toMs - windowMs))
      return { fromMs: startMs, toMs: Math.min(toMs, startMs + windowMs) }
    })
  })
}
