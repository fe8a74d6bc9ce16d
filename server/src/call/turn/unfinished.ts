// Whether words sound as if more will follow: "my number is", "and then, um", "five five five, oh one".
import type { TurnLanguageCode } from './languages/index.ts'
import { perLanguage, wordsOf } from './word-list.ts'

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' ').filter(Boolean))

const rules = perLanguage(({ unfinished: { dangling, complete, open }, dictation }) => ({
  dangling: listed(dangling),
  complete,
  open,
  ones: listed(dictation.ones),
  pairs: listed(dictation.pairs),
  joins: listed(dictation.joins),
  wholeFigures: dictation.wholeFigures,
}))

type Rules = (typeof rules)[TurnLanguageCode]

// One or two figures are an answer ("two", "it's 42"); three in a row are the beginning of a number.
const beginsNumber = 3

const figuresIn = (word: string, { ones, pairs }: Rules): number => {
  if (/^\p{Nd}+$/u.test(word)) return word.length
  if (pairs.has(word)) return 2
  return ones.has(word) ? 1 : 0
}

/** How many dictated figures end the text. */
function trailingFigures(words: readonly string[], own: Rules): number {
  let figures = 0
  let later: 'one' | 'join' | undefined
  for (const word of words.toReversed()) {
    const count = figuresIn(word, own)
    if (count === 0 && !(own.joins.has(word) && later === 'one')) break
    // "treinta y cuatro": the figure before belongs to the pair.
    const isPair = own.pairs.has(word)
    figures += isPair && later !== undefined ? count - 1 : count
    if (count === 0) later = 'join'
    else later = !isPair && count === 1 ? 'one' : undefined
  }
  return figures
}

export function looksUnfinished(text: string, language: TurnLanguageCode): boolean {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (last === undefined) return false
  const trimmed = text.trim()
  // The transcriber itself wrote a comma, a dash or an ellipsis.
  if (/(?:,|-|–|—|:|\.\.\.|…|、|，)$/.test(trimmed)) return true
  const own = rules[language]
  const figures = trailingFigures(words, own)
  if (figures > 0) return figures >= beginsNumber && figures < own.wholeFigures
  if (/[?!？！]$/.test(trimmed)) return false
  const plain = words.join(' ')
  if (own.open?.test(plain)) return true
  return own.dangling.has(last) && !own.complete?.test(plain)
}
