// Codes that are read out sign by sign: order numbers, flights, rooms, postcodes, part numbers.
import { cardinal, digitByDigit, inGroups, inPairs, letters } from './english-numbers.ts'
import type { SpokenRule } from './rule.ts'

// After these words, digits are an identifier and not an amount.
const identifiers =
  'number|numbers|code|codes|pin|id|zip|passcode|password|extension|ext|reference|ref|confirmation|tracking|account|digits|routing'
// After these words, a number is read in pairs.
const numbered =
  'rooms?|suite|apartment|apt\\.?|unit|flight|route|highway|interstate|bus|gate|channel|office|locker|terminal|table'

export const englishIdentifierRules: readonly SpokenRule[] = [
  [
    new RegExp(
      `\\b((?:${identifiers})(?:,? (?:number|code|is|was|are|ending in|ends in|ending with|no\\.)){0,3}(?:[.:]|,? ?#)? )(?:# ?)?(\\d[\\d-]{1,24}\\d)(?![\\d%]|[.,:/]\\d)(?! (?:percent|dollars|euros|pounds|days|hours|minutes))`,
      'gi',
    ),
    (_, head = '', digits = '') => head + digits.split('-').map(inGroups).join(', '),
  ],
  [
    /\b((?:ending|ends|end) (?:in|with) )(\d{2,8})\b/gi,
    (_, head = '', digits = '') => head + inGroups(digits),
  ],
  [
    /\b((?:call|dial|calling|dialing|text) )(\d{3})\b(?!-)/gi,
    (_, head = '', digits = '') => head + digitByDigit(digits),
  ],
  [
    new RegExp(`\\b((?:${numbered}) (?:number |no\\. |# ?)?)(\\d{3,4})\\b(?![-.,/:]\\d)`, 'gi'),
    (_, head = '', digits = '') => head + inPairs(digits),
  ],
  [
    /\b(flights? (?:number )?(?:is )?)([A-Z]{2}) ?(\d{1,4})\b/gi,
    (_, head = '', airline = '', digits = '') => `${head}${letters(airline)} ${inCode(digits)}`,
  ],
  // The house of an address.
  [
    /\b(\d{3,4})(?= (?:[NSEW]\.? )?(?:[A-Z][a-z'.]{1,20} |\d{1,3}(?:st|nd|rd|th) ){1,3}(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Ln|Lane|Dr|Drive|Ct|Court|Pl|Place|Way|Hwy|Highway|Square|Terrace|Parkway)\b)/g,
    (digits) => inPairs(digits),
  ],
  [
    /#\s?(\d+)\b(?![.,]\d)/g,
    (_, digits = '') =>
      `number ${digits.length > 3 || digits.startsWith('0') ? inGroups(digits) : cardinal(Number(digits))}`,
  ],
]

/** Rules for what is left of digits with dashes, and of digits with letters, when dates, amounts and units are words. */
export const codeRules: readonly SpokenRule[] = [
  // Digits with dashes that no range has.
  [/(?<![\w.-])(?:\d{1,12}-){1,6}\d{1,12}(?![\w-]|\.\d)/g, (code) => (isRange(code) ? code : dashed(code))],
  // Letters and digits mixed.
  [
    /(?<![\w'-])(?=[A-Za-z-]{0,20}\d)(?=[\d-]{0,20}[A-Za-z])[A-Za-z\d]{1,24}(?:-[A-Za-z\d]{1,24}){0,8}(?![\w-])/g,
    (code) => mixed(code),
  ],
]

/** Whether a code is a range: `3-5`, `2020-2024`; not `88-41207`, `007-2`, `9-1-1`. */
function isRange(code: string): boolean {
  const parts = code.split('-')
  return parts.length === 2 && parts.every((part) => part.length < 5 && !/^0\d/.test(part))
}

const dashed = (code: string) =>
  /^\d(?:-\d)+$/.test(code) ? digitByDigit(code) : code.split('-').map(inGroups).join(', ')

function mixed(code: string): string {
  // "24-hour" and "COVID-19" are words with a number, "1st" an ordinal.
  if (/^\d+(?:st|nd|rd|th|s)$/.test(code) || /^\d{1,4}(?:st|nd|rd|th)?(?:-[a-z]+)+$/.test(code)) return code
  return code
    .split('-')
    .map((part) =>
      (part.match(/[A-Za-z]+|\d+/g) ?? []).map((run, _, runs) => runOf(run, runs.length)).join(' '),
    )
    .join(code.split('-').length > 2 || /\d-\w*\d/.test(code) ? ', ' : ' ')
}

function runOf(run: string, runs: number): string {
  if (/^\d/.test(run)) return runs > 2 ? digitByDigit(run) : inCode(run)
  // A run such as that of SAVE20 is a word; shorter runs, or those without a vowel, are letters.
  return run.length >= 4 && /[AEIOUY]/i.test(run)
    ? run
    : run.length >= 3 && /[a-z]/.test(run)
      ? run
      : letters(run)
}

function inCode(digits: string): string {
  if (digits.startsWith('0') || digits.length > 4) return inGroups(digits)
  if (digits.length === 3) return inPairs(digits)
  return digits.length === 4 ? digitByDigit(digits) : cardinal(Number(digits))
}
