// The window that a piece of speech needs of whisper's 30 seconds: its time grows with the window, not with the
// speech.
import { melFrameSamples } from '../features/log-mel.ts'

export const wholeWindowFrames = 3_000
// Whisper learned to end in the silence that pads its window: with less, it repeats the last words more often.
const silenceFrames = 100
const shortestFrames = 600
// Windows of many different lengths would keep the runtime allocating memory.
const stepFrames = 100

/** The windows in columns of 10 ms: the one to try first, and the whole one for speech that it did not suit. */
export function windowsFor(samples: number): readonly number[] {
  const wanted = Math.ceil(samples / melFrameSamples) + silenceFrames
  const rounded = Math.max(shortestFrames, Math.ceil(wanted / stepFrames) * stepFrames)
  return rounded < wholeWindowFrames ? [rounded, wholeWindowFrames] : [wholeWindowFrames]
}

// The longest phrase that is looked for.
const longestPhrase = 60

/**
 * How often a phrase of so many tokens must follow itself to be a loop. A sentence that was said twice is worth
 * hearing again.
 */
function timesInALoop(length: number): number {
  // "No, no, no" is speech.
  if (length <= 2) return 6
  return length <= 10 ? 3 : 2
}

/** Whether a decoder repeats itself at the end of what it has said so far. */
export function isLooping(tokens: readonly number[]): boolean {
  for (let length = 1; length <= longestPhrase; length++) {
    const from = tokens.length - length * timesInALoop(length)
    if (from < 0) continue
    let same = from + length
    while (same < tokens.length && tokens[same] === tokens[same - length]) same++
    if (same === tokens.length) return true
  }
  return false
}
