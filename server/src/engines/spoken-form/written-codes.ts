// Codes that are read out sign by sign: e-mail addresses, telephone numbers, order numbers.
import type { NumberWords } from './number-words.ts'
import { pad, type SpokenRule } from './rule.ts'

/** Reads figure by figure. */
export const figureReader =
  (words: NumberWords) =>
  (written: string): string =>
    [...written.replace(/\D/g, '')].map((figure) => words.cardinal(Number(figure))).join(' ')

/** Says a telephone number as it is dictated: in the groups it is written in, with a pause between them. */
function dictated(words: NumberWords, written: string): string {
  const figure = (digit: string) => words.figure?.(Number(digit)) ?? words.cardinal(Number(digit))
  const group = (digits: string): string => {
    const isPair = words.dictatesPairs && digits.length === 2
    if (!isPair) return [...digits].map(figure).join(' ')
    return digits.startsWith('0') ? [...digits].map(figure).join(' ') : words.cardinal(Number(digits))
  }
  const groups = (written.match(/\d+/g) ?? []).flatMap((digits) => splitGroup(digits, words.dictatesPairs))
  return `${written.trim().startsWith('+') ? `${words.plus} ` : ''}${groups.map(group).join(', ')}`
}

// Longer runs are said in groups that people can remember.
const longestGroup = 4

function splitGroup(digits: string, inPairs = false): readonly string[] {
  if (inPairs && digits.length % 2 === 0 && digits.length > longestGroup) return digits.match(/../g) ?? []
  if (digits.length <= longestGroup) return [digits]
  const first = digits.length % 3 === 1 ? 4 : digits.length % 3 || 3
  return [digits.slice(0, first), ...(digits.slice(first).match(/.../g) ?? [])]
}

const letterTable = (names: string): ReadonlyMap<string, string> =>
  new Map(names.split(' ').map((name, place) => [String.fromCharCode(97 + place), name.replaceAll('_', ' ')]))

/** Says "AB12" letter by letter and figure by figure; letters stay where they have no names. */
function spelledCode(words: NumberWords, code: string): string {
  const names = letterTable(words.letterNames ?? '')
  const signs = [...code].map((sign) => {
    if (/\d/.test(sign)) return words.cardinal(Number(sign))
    return names.get(sign.toLowerCase()) ?? sign.toUpperCase()
  })
  return signs.join(' ')
}

function address(words: NumberWords, written: string): string {
  const figures = figureReader(words)
  const signs: Readonly<Record<string, string>> = {
    '@': words.at,
    '.': words.dot,
    '-': words.dash,
    _: words.underscore,
    '/': words.slash ?? ' ',
    '+': words.plus,
  }
  return pad(
    written
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
      .replace(/^www\./i, () => `${spelledCode(words, 'www')}.`)
      .replace(/[@._/+-]|\d+/g, (piece) => ` ${signs[piece] ?? figures(piece)} `),
  )
}

export const addressRules = (words: NumberWords): readonly SpokenRule[] => [
  [/(?<![\p{L}\d._+-])[\p{L}\d._+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu, (written) => address(words, written)],
  [/(?<![\p{L}\d])(?:https?:\/\/|www\.)[^\s,;!?]*[^\s,;!?.]/giu, (written) => address(words, written)],
  [
    /(?<![\p{L}\d@.-])[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)*\.(?:com|org|net|info|es|mx|fr|de|at|ch|br|pt|it|in|io|eu)(?![\p{L}\d-])/gu,
    (written) => address(words, written),
  ],
]

// A pattern for a number that stands alone; then the ways in which telephone numbers are written: with a plus, in
// three or more groups, with an area code, in two groups of five.
const alone = '(?<![\\p{L}\\d.,/-])'
const telephones = [
  '\\+\\d[\\d\\s().-]{6,}\\d',
  `${alone}\\(?0?\\d{2,4}\\)?(?:[\\s/-]\\d{2,5}){2,}(?![\\d%])`,
  `${alone}\\(?0\\d{1,5}\\)?[\\s/-]+\\d{4,9}(?![\\d.,]\\d)`,
  `${alone}\\(\\d{2,3}\\)\\s?\\d{4,5}-\\d{4}(?!\\d)`,
  `${alone}\\d{5}[\\s-]\\d{5}(?!\\d)`,
]

export const telephoneRules = (words: NumberWords): readonly SpokenRule[] => [
  [new RegExp(telephones.join('|'), 'gu'), (written) => pad(dictated(words, written))],
]

const is = 'es|est|ist|lautet|é|è|है|hai|de|del|di|do|der'

export function identifierRules(words: NumberWords): readonly SpokenRule[] {
  const { identifiers, letterNames, numberWord = '(?!)' } = words
  const figures = figureReader(words)
  const rules: SpokenRule[] = []
  if (identifiers !== undefined)
    rules.push([
      new RegExp(
        `(?<![\\p{L}\\p{M}])((?:${identifiers})(?:\\s(?:${is}))?\\s{0,2}:?\\s{0,2}(?:${numberWord}\\s{1,2})?)(\\d{3,12})(?![\\d%]|[.,:/]\\d)`,
        'giu',
      ),
      (_, head = '', digits = '') => `${head}${pad(figures(digits))}`,
    ])
  if (letterNames === undefined) return rules
  const spelled = (code: string) =>
    pad(
      code
        .split('-')
        .map((part) => spelledCode(words, part))
        .join(', '),
    )
  return [
    ...rules,
    // Letters and figures mixed, in capitals: AB-1234, 12B, XK9.
    [/(?<![\p{L}\p{M}\d-])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*(?![\p{L}\p{M}\d-])/gu, spelled],
    // Initials: without a vowel nobody can read them as a word.
    [/(?<![\p{L}\p{M}\d])[B-DF-HJ-NP-TV-XZ]{2,6}(?![\p{L}\p{M}\d])/gu, spelled],
    // Spelled out with dashes: G-A-R-C-I-A.
    [/(?<![\p{L}\p{M}\d-])[A-Z](?:-[A-Z]){2,}(?![\p{L}\p{M}\d-])/gu, spelled],
  ]
}
