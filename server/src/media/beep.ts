// Detects the beep of an answering machine: one steady tone, then silence.
import { frameMs, type RateHz } from './frame.ts'
import { ToneTracker } from './tone-tracker.ts'

// Higher tones are those of modems and of fax machines.
const highestHz = 1_850
// Counted in whole frames: a beep of 150 ms has at least six. Shorter is a click, longer a fax or a dead line.
const shortestMs = 120
const longestMs = 2_000
// Call waiting is signalled to the person who talks with us, and leaks into the line: a short tone of 400 to 450 Hz in
// nearly every country. Answering machines beep higher, or longer.
const waitingBelowHz = 458
const waitingMs = 620
// A melody has notes of several pitches shortly after each other, and so have the tones before an announcement.
const melodyMs = 1_000
const sameNote = 0.05

// A beep is the last sound before the recording: nothing of its kind follows within this time.
const aloneMs = 200

export class BeepDetector {
  readonly #tones: ToneTracker
  #beforeHz = 0
  #sinceMs = melodyMs
  /** The time since the end of what may have been a beep; negative: there was none. */
  #candidateMs = -1

  constructor(rateHz: RateHz) {
    this.#tones = new ToneTracker(rateHz)
  }

  /** True about 300 ms after a beep has ended. */
  hears(samples: Int16Array): boolean {
    this.#sinceMs += frameMs
    if (this.#tones.hears(samples)) {
      this.#candidateMs = this.#mayBeBeep() ? 0 : -1
      // A frame or two of something else is no note.
      if (this.#tones.endedMs > 2 * frameMs) {
        this.#beforeHz = this.#tones.endedHz
        this.#sinceMs = 0
      }
      return false
    }
    if (this.#candidateMs < 0) return false
    this.#candidateMs = this.#tones.isSounding ? -1 : this.#candidateMs + frameMs
    if (this.#candidateMs < aloneMs) return false
    this.#candidateMs = -1
    return true
  }

  #mayBeBeep(): boolean {
    const { endedHz, endedMs, isSteady, isFollowed } = this.#tones
    const isMelody =
      this.#sinceMs - endedMs < melodyMs && Math.abs(endedHz - this.#beforeHz) > sameNote * endedHz
    const isCallWaiting = endedHz < waitingBelowHz && endedMs <= waitingMs
    const isFitting = endedHz <= highestHz && endedMs >= shortestMs && endedMs <= longestMs
    return isFitting && isSteady && !isFollowed && !isMelody && !isCallWaiting
  }
}
