// From a probability per window to the moments where speech begins and ends.
import { windowMs } from './batch.ts'

// Silero's own defaults: above the first it is speech, below the second it is not, between them it stays what it was.
const speechProbability = 0.5
const silenceProbability = 0.35
// A click fills one window, a syllable fills two.
const windowsToStart = 2
// Stops such as the p in "stopping" are silent for up to 80 ms.
const windowsToEnd = 3

export type SpeechEdge = { readonly type: 'speech-start' | 'speech-end'; readonly atMs: number }

export class SpeechEdges {
  #speaking = false
  /** How many windows in a row spoke for a change. */
  #run = 0

  /** `atMs` is the end of the window; an edge lies where the run that made it sure began. */
  hear(probability: number, atMs: number): SpeechEdge | undefined {
    const otherwise = this.#speaking ? probability < silenceProbability : probability >= speechProbability
    this.#run = otherwise ? this.#run + 1 : 0
    const needed = this.#speaking ? windowsToEnd : windowsToStart
    if (this.#run < needed) return undefined
    this.#run = 0
    this.#speaking = !this.#speaking
    return { type: this.#speaking ? 'speech-start' : 'speech-end', atMs: atMs - needed * windowMs }
  }
}
