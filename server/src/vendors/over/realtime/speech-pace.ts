// How fast a model speaks, by which the words are told that its sound had not reached when it broke off: vendors send words
// and sound separately, and no times.

// About 15 letters a second, until the model's own pace is known.
const usualMsPerLetter = 66
// Half of a word is enough to recognize it.
const heardShare = 0.5

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

export class SpeechPace {
  #letters = 0
  #soundMs = 0

  /** Takes a text that was spoken to its end. */
  learn(text: string, soundMs: number): void {
    if (soundMs === 0) return
    this.#letters += lettersIn(text)
    this.#soundMs += soundMs
  }

  /** The end of a text whose sound broke off after so long. */
  unsaid(text: string, soundMs: number): string {
    let leftMs = soundMs
    for (const { index, 0: word } of text.matchAll(/\S+/g)) {
      const wordMs = lettersIn(word) * this.#msPerLetter
      if (wordMs > 0 && leftMs < wordMs * heardShare) return text.slice(index).trim()
      leftMs -= wordMs
    }
    return ''
  }

  get #msPerLetter(): number {
    return this.#letters > 0 ? this.#soundMs / this.#letters : usualMsPerLetter
  }
}
