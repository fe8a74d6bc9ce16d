// Turns a probability per window into the starts and ends of speech.
import { sileroWindowMs } from './silero-windows.ts'

// Silero's defaults, with hysteresis: above the first is speech, below the second is not, in between nothing changes.
const speechProbability = 0.5
const silenceProbability = 0.35
// A click fills one window, a syllable fills two.
const windowsToStart = 2
// Stops such as the p in "stopping" are silent for up to 80 ms.
const windowsToEnd = 3

export type SpeechEdge = { readonly type: 'speech-start' | 'speech-end'; readonly atMs: number }

export class SpeechEdges {
  #speaking = false
  /** Consecutive windows in favour of a change. */
  #run = 0

  /** `atMs` is the end of the window; an edge is dated back to the start of its run. */
  hear(probability: number, atMs: number): SpeechEdge | undefined {
    const otherwise = this.#speaking ? probability < silenceProbability : probability >= speechProbability
    this.#run = otherwise ? this.#run + 1 : 0
    const needed = this.#speaking ? windowsToEnd : windowsToStart
    if (this.#run < needed) return undefined
    this.#run = 0
    this.#speaking = !this.#speaking
    return { type: this.#speaking ? 'speech-start' : 'speech-end', atMs: atMs - needed * sileroWindowMs }
  }
}
