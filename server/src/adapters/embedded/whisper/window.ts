// How much of whisper's 30 seconds a piece of speech needs: its time grows with the window, not with the speech.
import { melFrameSamples } from '../features/log-mel.ts'

export const wholeWindowFrames = 3_000
// Whisper learned to end in the silence that pads its window: with less, it repeats the last words more often.
const silenceFrames = 100
const shortestFrames = 600
// Windows of many different lengths would keep the runtime allocating memory.
const stepFrames = 100

/** In columns of 10 ms: the window to try first, and the whole one for speech that it did not suit. */
export function windowsFor(samples: number): readonly number[] {
  const wanted = Math.ceil(samples / melFrameSamples) + silenceFrames
  const rounded = Math.max(shortestFrames, Math.ceil(wanted / stepFrames) * stepFrames)
  return rounded < wholeWindowFrames ? [rounded, wholeWindowFrames] : [wholeWindowFrames]
}

// The longest phrase that loops, and how often it must follow itself: "no, no, no" is speech.
const longestPhrase = 10
const timesInALoop = { short: 6, long: 3 } as const
const shortPhrase = 2

/** Whether a decoder repeats itself at the end of what it has said so far. */
export function isLooping(tokens: readonly number[]): boolean {
  for (let length = 1; length <= longestPhrase; length++) {
    const times = length <= shortPhrase ? timesInALoop.short : timesInALoop.long
    if (tokens.length < length * times) continue
    const last = tokens.slice(-length * times)
    if (last.every((token, place) => token === last[place % length])) return true
  }
  return false
}
