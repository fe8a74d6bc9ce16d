// Whether words sound as if more will follow: "my number is", "and then, um", "five five five, oh one".
import { wordsOf } from './word-list.ts'

// English words that end a sentence only in a pause for thought, or never.
const dangling = new Set(
  (
    'a an the and or but so because if when while that which who whose than then as of to in on at by for from with ' +
    'without about into onto over under between through during until since like is are was were am be been my your ' +
    "his her its our their this these those i i'm i'd i'll i've we we're they they're it's there's what's would " +
    'could should will can may might must do does did has have had not very really just also plus um uh uhm er erm ' +
    'hmm well actually basically maybe let me my name is'
  ).split(' '),
)
// Question words and verbs may end a sentence in short forms: "Yes, I am." "So it is."
const closing =
  /\b(?:it|that|he|she|there|i|we|they|you|this) (?:is|are|was|were|am|do|does|did|has|have|had|will|would|could|should|can|might|must|may)$/
// "I want to." "Could you let me?" are rare; "who is that" and "like this" are not.
const pointing =
  /\b(?:about|like|is|was|do|did|want|with|for|of|at|on) (?:that|this|these|those)$|\bwhat (?:is|was) (?:it|that|this)$/

const digitWords = new Set('zero oh o one two three four five six seven eight nine double triple'.split(' '))
// A telephone number with its area code.
const wholeNumber = 10
// One or two digits are an answer ("two", "it's 42"); three in a row are the beginning of a number.
const beginsNumber = 3

/** How many dictated digits end the text. */
function trailingDigits(words: readonly string[]): number {
  let digits = 0
  for (const word of words.toReversed()) {
    if (/^\d+$/.test(word)) digits += word.length
    else if (digitWords.has(word)) digits += 1
    else break
  }
  return digits
}

export function looksUnfinished(text: string): boolean {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (last === undefined) return false
  const trimmed = text.trim()
  // The transcriber itself wrote a comma, a dash or an ellipsis.
  if (/(?:,|-|–|—|:|\.\.\.|…)$/.test(trimmed)) return true
  const digits = trailingDigits(words)
  if (digits > 0) return digits >= beginsNumber && digits < wholeNumber
  if (/[?!]$/.test(trimmed)) return false
  const plain = words.join(' ')
  return dangling.has(last) && !closing.test(plain) && !pointing.test(plain)
}
