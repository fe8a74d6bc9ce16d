// The spoken form of English: numbers, amounts, dates, addresses, codes, signs and abbreviations in words.
import { abbreviationRules } from './english-abbreviations.ts'
import { address, bareDomains, telephone } from './english-addresses.ts'
import { amount, amountRange, currenciesAfter, currencySigns, pricedThings } from './english-amounts.ts'
import { codeRules, englishIdentifierRules } from './english-codes.ts'
import { englishDateRules } from './english-dates.ts'
import {
  cardinal,
  digitByDigit,
  fraction,
  inGroups,
  letters,
  numeral,
  ordinal,
  roman,
  year,
} from './english-numbers.ts'
import { unitRules } from './english-units.ts'
import { always, applied, type SpokenRule } from './rule.ts'

const addressRules: readonly SpokenRule[] = [
  [/[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g, address],
  [/\b(?:https?:\/\/|www\.)[^\s,;!]{0,300}[^\s,;!?.:)]/gi, address],
  [
    new RegExp(
      `(?<![\\w@.-])[A-Za-z\\d][A-Za-z\\d-]{0,62}(?:\\.[A-Za-z\\d-]{1,63}){0,3}\\.(?:${bareDomains})(?![\\w-])(?:/[\\w./?=&#%~-]{0,200}[\\w/])?`,
      'g',
    ),
    address,
  ],
]

const digits = '\\d[\\d,]*(?:\\.\\d+)?'
const betweenRules: readonly SpokenRule[] = [
  [/(?<=\bbetween [$£€]?[\d,.:]{1,12}(?: ?[ap]\.?m\.?)?)\s?-\s?(?=[$£€]?\d)/gi, always(' and ')],
]
const amountRules: readonly SpokenRule[] = [
  [
    new RegExp(`(${currencySigns})\\s?(${digits})\\s?-\\s?(?:${currencySigns})?(${digits})(?!\\d)`, 'g'),
    (_, sign = '', from = '', to = '') => amountRange(sign, from, to),
  ],
  [
    new RegExp(`(${currencySigns})(${digits})(?:-| )(?=(?:${pricedThings})\\b)`, 'g'),
    (_, sign = '', written = '') => `${amount(sign, written, '', true)} `,
  ],
  [
    new RegExp(
      `(-\\s?)?(?<![A-Za-z])(${currencySigns})(?:\\.?\\s)?(-?${digits}|\\.\\d{1,2})(?:\\s?(thousand|million|billion|trillion|bn|mn|[kKmMB])\\b)?`,
      'g',
    ),
    (_, minus, sign = '', written = '', scale) => amount(sign, minus ? `-${written}` : written, scale),
  ],
  [
    new RegExp(`(?<![\\w.,])(-?${digits})\\s?(${currenciesAfter})(?!\\w)`, 'g'),
    (_, written = '', sign = '') => amount(sign, written),
  ],
  [/(?<![\w.,])(\d{1,3})\s?¢/g, (_, cents = '') => amount('$', `0.${cents.padStart(2, '0')}`)],
]

const telephoneRules: readonly SpokenRule[] = [
  // A number in letters: 1-800-FLOWERS.
  [
    /\b1-(8\d\d)-([A-Z]{4,7})\b/g,
    (_, code = '', word = '') => `${telephone(`1-${code}`)} ${word.toLowerCase()}`,
  ],
  [/\+\d[\d\s().-]{6,20}\d/g, telephone],
  [/(?:\b1[-. ])?\(\d{3}\)\s?\d{3}[-. ]\d{4}\b/g, telephone],
  [/(?<![\w.-])(?:1[-. ])?\d{3}[-. ]\d{3}[-. ]\d{4}\b/g, telephone],
  [/(?<![\w.-])\d{3}[-.]\d{4}\b/g, telephone],
  [/(?<![\w.-])0\d{1,4}(?:[ -]\d{2,4}){2,4}\b/g, telephone],
  [/(?<![\w.-])0\d{3,4}[ -]\d{5,6}\b/g, telephone],
  // Payment cards, and the social security number.
  [/(?<![\w.-])\d{4}(?:[ -]\d{4}){2,3}\b/g, telephone],
  [/(?<![\w.-])\d{3}-\d{2}-\d{4}\b/g, telephone],
]

const withAndA = (above: number, below: number) =>
  above === 1 ? fraction(1, below).replace('one', 'and a') : `and ${fraction(above, below)}`

const fractionRules: readonly SpokenRule[] = [
  [/\b24\/7\b/g, always('twenty four seven')],
  [/\b50\/50\b/g, always('fifty fifty')],
  [
    /\b(\d+) (\d{1,2})\/(\d{1,3})(?![\d/])/g,
    (match, whole = '', above = '', below = '') =>
      Number(above) < Number(below)
        ? `${cardinal(Number(whole))} ${withAndA(Number(above), Number(below))}`
        : match,
  ],
  [
    /(?<![\d./])(\d{1,3})\/(\d{1,3})(?![\d/])/g,
    (_, above = '', below = '') => fraction(Number(above), Number(below)),
  ],
  [
    /(?<![\d./])(\d+\.\d+)\/(\d{1,3})(?![\d/])/g,
    (_, mark = '', best = '') => `${numeral(mark)} out of ${cardinal(Number(best))}`,
  ],
]

const per =
  'hour|hr|day|week|month|mo|year|yr|night|person|minute|min|second|unit|item|kg|lb|km|mile|user|call|seat'
const perWords: Readonly<Record<string, string>> = { hr: 'hour', mo: 'month', yr: 'year', min: 'minute' }

const signRules: readonly SpokenRule[] = [
  [new RegExp(`\\s?/\\s?(${per})\\b`, 'g'), (_, unit = '') => ` per ${perWords[unit] ?? unit}`],
  [
    /\b(yes|he|his|him|true|her|Mr)\/(no|she|her|false|his|Mrs)\b/gi,
    (_, one = '', other = '') => `${one} or ${other}`,
  ],
  [/(?<=[A-Za-z])\s?\/\s?(?=[A-Za-z])/g, always(' ')],
  [/(?<=\b(?:press|dial|hit|enter|push|the|or|and|with) )#(?![\w#])/gi, always('pound')],
  [/(?<=\b(?:press|dial|hit|enter|push|the|or|and|with) )\*(?![\w*])/gi, always('star')],
  [/#(?=[A-Za-z])/g, always('hashtag ')],
  [/(?<=\d)\s?\*\s?(?=\d)/g, always(' times ')],
  [/~\s?(?=[\d$£€])/g, always('about ')],
  [/±/g, always(' plus or minus ')],
  [/≥|>=/g, always(' at least ')],
  [/≤|<=/g, always(' at most ')],
  [/<(?=\s?\d)/g, always(' less than ')],
  [/>(?=\s?\d)/g, always(' greater than ')],
  [/\b([A-Z]{1,2})&([A-Z])\b/g, (_, one = '', other = '') => `${letters(one)} and ${letters(other)}`],
  [/&/g, always(' and ')],
  [/(?<=\w)\+(?=\s|$|[.,!?])/g, always(' plus')],
  [/\+/g, always(' plus ')],
  [/=/g, always(' equals ')],
  [/@/g, always(' at ')],
]

const numberRules: readonly SpokenRule[] = [
  [/(?<=\d)\s?%/g, always(' percent')],
  [/\b(\d+)(?:st|nd|rd|th)\b/gi, (_, number = '') => ordinal(Number(number))],
  // Versions and network addresses.
  [
    /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g,
    (parts) =>
      parts
        .split('.')
        .map((part) => cardinal(Number(part)))
        .join(' dot '),
  ],
  [
    /(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){2,4})(?!\d)/g,
    (_, parts = '') =>
      parts
        .split('.')
        .map((part) => cardinal(Number(part)))
        .join(' point '),
  ],
  [/(?<=\d)\s?-\s?(?=\d)/g, always(' to ')],
  [
    /(?<![\d:])(\d{1,3}):(\d{1,3})(?![\d:])/g,
    (_, one = '', other = '') => `${cardinal(Number(one))} to ${cardinal(Number(other))}`,
  ],
  [/(?<=\d)-(?=[a-z])/gi, always(' ')],
  [/(?<![\d.,])(?:1[1-9]|20)\d{2}(?!\d|[.,]\d)/g, (written) => year(Number(written))],
  // Long numbers, and those with a leading zero, are codes and not amounts, unless they are round.
  [/(?<![\d.,])[1-9]\d{1,8}000(?!\d|[.,]\d)/g, (written) => cardinal(Number(written))],
  [/(?<![\d.,])(?:0\d+|\d{5,})(?!\d|[.,]\d)/g, inGroups],
  [/(?:(?<=^|[\s(])-)?(?:\d+(?:,\d{3})*(?:\.\d+)?|(?<![\d.])\.\d+)/g, (written) => ` ${numeral(written)} `],
  [/\d/g, (digit) => ` ${digitByDigit(digit)} `],
]

const vulgarFractions = /(?<=(\d)?)[¼½¾⅐-⅞]/g
const romanHeads =
  'World War|Part|Chapter|Phase|Type|Level|Section|Volume|Act|Tier|Class|Stage|Title|Appendix'

const letterRules: readonly SpokenRule[] = [
  [
    new RegExp(`\\b((?:${romanHeads}) )(X{0,3}(?:IX|IV|V?I{0,3}))\\b(?<=[IVX])(?!')`, 'g'),
    (_, head = '', written = '') => head + cardinal(roman(written)),
  ],
  [/\(s\)/g, always('s')],
  [/\bI\.D\./g, () => letters('id')],
]

// The rules that can apply where there is no digit.
const rulesWithoutDigits: readonly SpokenRule[] = [
  ...addressRules,
  ...letterRules,
  ...abbreviationRules,
  ...signRules,
]
const allRules: readonly SpokenRule[] = [
  ...addressRules,
  ...betweenRules,
  ...englishDateRules,
  ...amountRules,
  ...telephoneRules,
  ...englishIdentifierRules,
  ...letterRules,
  ...unitRules,
  ...fractionRules,
  ...abbreviationRules,
  ...codeRules,
  ...signRules,
  ...numberRules,
]

/** The words of a sentence: `Call 555-0123 by 5 p.m.` is `Call five five five, zero one two three by five P M.` */
export function englishWords(sentence: string): string {
  const written = sentence.replace(
    vulgarFractions,
    (sign, before) => `${before ? ' ' : ''}${sign.normalize('NFKC').replace('⁄', '/')}`,
  )
  const said = tidied(inAscii(applied(/\d/.test(written) ? allRules : rulesWithoutDigits, written)))
  // The full stop of an abbreviation also ends the sentence, and a comma at the end says that more follows.
  const end = /[.,]\s*$/.exec(sentence)?.[0].trim() ?? ''
  return /\w$/.test(said) ? said + end : said
}

/** Removes accents, because the voices' dictionary knows only ASCII: "café" is looked up as "cafe". */
const inAscii = (text: string) =>
  text.normalize('NFKD').replace(/[^\x20-\x7e]/g, (sign) => (/\p{Mark}/u.test(sign) ? '' : ' '))

const tidied = (text: string) =>
  text
    // What is in brackets is set off by pauses.
    .replace(/(?<!\s)\s*[([{]\s*/g, ', ')
    .replace(/(?<!\s)\s*[)\]}]/g, ', ')
    .replace(/[<>|\\^~*_#"]/g, ' ')
    .replace(/(?<!\.)\.{2,}(?=\s*$)/g, '.')
    .replace(/\.{2,}/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?])/g, '')
    .replace(/(?<![!?])[!?]*\?[!?]*/g, '?')
    .replace(/!{2,}/g, '!')
    .replace(/,+(?=[,;:.!?])/g, '')
    .replace(/(?<=[;:.!?]) ?,/g, '')
    .replace(/^[\s,;:.]+/, '')
    .replace(/,\s*$/, '')
    .trim()
