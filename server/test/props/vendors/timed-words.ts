// Words of equal length, the last of which ends where the text does.

export interface TimedWord {
  readonly word: string
  readonly startMs: number
  readonly endMs: number
}

export function timedWords(text: string, endMs: number, divide = / /): readonly TimedWord[] {
  const words = text.split(divide).filter(Boolean)
  const eachMs = endMs / words.length
  return words.map((word, place) => ({ word, startMs: place * eachMs, endMs: (place + 1) * eachMs }))
}

/** Words with times in seconds, as most vendors tell them. */
export const wordSeconds = (text: string, endMs: number) =>
  timedWords(text, endMs).map(({ word, startMs, endMs: toMs }) => ({
    word,
    start: startMs / 1_000,
    end: toMs / 1_000,
    confidence: 1,
  }))
