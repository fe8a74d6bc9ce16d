// Spoken numbers: in words, in digits, and digit by digit.
import { comparableWords } from './words.ts'

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** The value of one word, if it is a number. */
export function numberWord(word: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(word)) return Number(word)
  if (word === 'oh' || word === 'o') return 0
  const [first = '', second] = word.split('-')
  const ten = tens.indexOf(first)
  if (ten >= 0) return (ten + 2) * 10 + (second ? Math.max(0, ones.indexOf(second)) : 0)
  const one = ones.indexOf(word)
  return one >= 0 ? one : undefined
}

/** Words as which recognizers mishear a number that is the whole answer. */
const soundsLike: Readonly<Record<string, number>> = { won: 1, to: 2, too: 2, for: 4, fore: 4, ate: 8 }

/** The first number in a text: "a hundred and twenty three" is 123. */
export function numberIn(text: string): number | undefined {
  const words = comparableWords(text.replace(/(\d),(?=\d{3})/g, '$1'))
  if (words.length === 1 && Object.hasOwn(soundsLike, words[0] ?? '')) return soundsLike[words[0] ?? '']
  if (/\b(?:just|only) (?:me|myself)\b/.test(words.join(' '))) return 1
  if (/\ba couple\b/.test(words.join(' '))) return 2
  const from = words.findIndex(
    (word) => numberWord(word) !== undefined || /^(?:none|hundred|dozen)$/.test(word),
  )
  if (from < 0) return undefined
  if (words[from] === 'none') return 0
  if (words[from] === 'dozen') return 12
  return amountOf(words.slice(from))
}

function amountOf(words: readonly string[]): number {
  let total = 0
  let group = 0
  let open = true
  for (const word of words) {
    const value = numberWord(word)
    if (word === 'hundred') group = Math.max(1, group) * 100
    else if (word === 'thousand' || word === 'million') {
      total += Math.max(1, group) * (word === 'thousand' ? 1_000 : 1_000_000)
      group = 0
    } else if (value !== undefined && (group === 0 || fits(group, value) || !open)) {
      group += value
      open = true
    } else if (word === 'and') open = false
    else break
  }
  return total + group
}

/** Whether a value can follow a group: "twenty" can be followed by "three"; "two" only by "hundred". */
const fits = (group: number, value: number): boolean =>
  (group % 100 === 0 && value < 100) || (group % 10 === 0 && group % 100 >= 20 && value < 10)

const small = `(?:${[...ones, ...tens].join('|')})(?:-(?:${ones.join('|')}))?`
const amount = new RegExp(
  `\\b${small}(?:,? (?:and )?(?:${small}|hundred|thousand))*,? (?:hundred|thousand)(?:,? (?:and )?(?:${small}|hundred))*\\b`,
  'g',
)

/** Writes amounts in digits: "order four thousand, seven hundred eleven" becomes "order 4711". Expects lower case. */
export const withAmounts = (text: string): string => text.replace(amount, (words) => String(numberIn(words)))

/** Every spoken digit: "double five, oh one two" is 55012. */
export function digitsIn(text: string): string {
  let digits = ''
  let times = 1
  for (const word of comparableWords(text.replace(/[().-]/g, ' '))) {
    const value = numberWord(word.replace(/^\+/, ''))
    if (word === 'double' || word === 'triple') times = word === 'double' ? 2 : 3
    else if (value !== undefined) {
      const said = /^\+?\d+$/.test(word) ? word.replace('+', '') : String(value)
      digits += said.repeat(times)
      times = 1
    }
  }
  return digits
}

/** Digits as they are read back: "5 5 5, 0 1 2, 3 4 5 6". */
export const readBackDigits = (digits: string): string =>
  digits
    .replace(/\d{3}(?=\d{2})/g, '$&,')
    .replace(/\d(?=\d)/g, '$& ')
    .replace(/,(?=\d)/g, ', ')
