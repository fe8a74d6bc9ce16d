// The meaning of an answer, as far as its words leave no doubt.
import { polarityIn } from '../dialogue/intents.ts'
import { digitsIn, numberIn, numberWord } from '../dialogue/spoken-number.ts'
import { comparableWords } from '../dialogue/words.ts'

// Words of answers that are neither yes nor no: "Yes, but …", "It depends".
export const hedged =
  /\b(?:but|if|unless|until|depends?|maybe|perhaps|probably|sort of|kind of|not sure|might|could be|used to|sometimes|it varies|suppose|guess|think about|yet)\b/i
// A sentence of more words says something of its own.
const longestAnswerWords = 9

/** A plain yes or no; undefined: it is neither. */
export function plainAnswer(said: string): boolean | undefined {
  if (hedged.test(said) || said.trimEnd().endsWith('?')) return undefined
  const polarity = polarityIn(said)
  if (polarity === undefined) return undefined
  if (comparableWords(said).length > longestAnswerWords && !/^\W*(?:yes|yeah|no|nope)\b/i.test(said))
    return undefined
  return polarity === 'yes'
}

const between =
  /\b(?:between|or|to|and a half|around|about|roughly|maybe|perhaps|at least|more than|less than)\b/i

/** The one number of an answer; undefined if there are several, or a range. */
export function plainNumber(said: string, isCode: boolean): number | undefined {
  if (isCode) {
    const digits = digitsIn(said)
    return digits.length >= 3 && digits.length <= 15 && digitsOnly(said) ? Number(digits) : undefined
  }
  return amounts(said).size === 1 && !isRange(said) ? numberIn(said) : undefined
}

const isRange = (said: string): boolean => {
  const words = comparableWords(said)
  return (
    words.some(
      (word, place) => between.test(word) && isNumber(words[place + 1]) && isNumber(words[place - 1]),
    ) || /\bbetween\b/i.test(said)
  )
}

const isNumber = (word: string | undefined): boolean => word !== undefined && numberWord(word) !== undefined

/** Whether the digits are read one by one: "four seven one one". */
const digitsOnly = (said: string): boolean =>
  comparableWords(said).every((word) => {
    const value = numberWord(word)
    return value === undefined || value < 10 || /^\d+$/.test(word)
  })

/** The numbers of a sentence, separated by other words. */
function amounts(said: string): Set<string> {
  const groups: string[] = []
  let isOpen = false
  for (const word of comparableWords(said.replace(/(\d),(?=\d{3})/g, '$1'))) {
    const isPart = isNumber(word) || /^(?:hundred|thousand|million|dozen|point)$/.test(word)
    if (isPart && !isOpen) groups.push(word)
    else if (isPart) groups.push(`${groups.pop()} ${word}`)
    isOpen = isPart || (isOpen && word === 'and')
  }
  return new Set(groups.map((group) => String(numberIn(group) ?? group)))
}
