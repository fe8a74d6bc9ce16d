// Fuzzy matching: whether a phrase was said, although the transcriber may have misheard a word.
import { wordErrors } from '../../props/engines/word-errors.ts'

// One word in four may be wrong: a synthetic voice over a telephone line.
const tolerance = 0.25

const digits: Readonly<Record<string, string>> = {
  '0': 'zero',
  '1': 'one',
  '2': 'two',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
}

/** Numbers as dictated, digit by digit. */
const spelled = (text: string) =>
  text
    .replace(/(\d)[\s,.-]*(?=\d)/g, '$1 ')
    .replace(/\d/g, (digit) => digits[digit] ?? digit)
    // Older dictionaries spell to-morrow, to-night, to-day and good-bye.
    .replace(/\b(to|good)-(?=morrow|night|day|bye)/gi, '$1')
    .replace(/[-,.?!]+/g, ' ')

const wordsOf = (text: string) => spelled(text).split(/\s+/).filter(Boolean)

/** The index at which the phrase ends; undefined if it was not said. */
function endOf(phrase: string, words: readonly string[], from: number): number | undefined {
  const wanted = wordsOf(phrase)
  const allowed = Math.floor(tolerance * wanted.length)
  let best: { errors: number; end: number } | undefined
  for (let start = from; start < words.length; start++)
    for (let end = start + 1; end <= Math.min(words.length, start + wanted.length + allowed); end++) {
      const { errors } = wordErrors(wanted.join(' '), words.slice(start, end).join(' '))
      if (errors <= allowed && (!best || errors < best.errors)) best = { errors, end }
    }
  return best?.end
}

export const isSaid = (phrase: string, text: string): boolean => endOf(phrase, wordsOf(text), 0) !== undefined

/** The phrases that were not said in this order. */
export function missingIn(phrases: readonly string[], text: string): string[] {
  const words = wordsOf(text)
  let from = 0
  return phrases.filter((phrase) => {
    const end = endOf(phrase, words, from)
    if (end !== undefined) from = end
    return end === undefined
  })
}
