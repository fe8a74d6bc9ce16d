// E-mail addresses, URLs and telephone numbers in words.
import { digitByDigit, inGroups, letters } from './english-numbers.ts'

const signs: Readonly<Record<string, string>> = {
  '@': 'at',
  '.': 'dot',
  '/': 'slash',
  _: 'underscore',
  '-': 'dash',
  '+': 'plus',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '%': 'percent',
  ':': 'colon',
  '~': 'tilde',
}

// A pattern of the ends of addresses that are written without https or www. Ends that are also English words are left
// out: "Call me.It is" only lacks a space.
export const bareDomains =
  'com|org|net|edu|gov|info|biz|app|dev|io|ai|uk|eu|de|fr|es|ca|au|nl|ch|tv|example|co(?=\\.)|co\\.(?:uk|in|nz)'

// Ends that are read letter by letter.
const spelledDomains = /(?<=\. ?)(?:io|ai|uk|us|eu|de|fr|es|it|in|ca|au|nl|ch|at|tv)(?=$|[/?# ])/gi

/** Says an address: `info@shop.example`, `https://shop.example/menu`. */
export const address = (written: string): string =>
  written
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
    .replace(spelledDomains, (domain) => letters(domain))
    .replace(/\d+/g, (digits) => ` ${digitByDigit(digits)} `)
    .replace(/(?<=[a-z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[^a-z ]/gi, (sign) => ` ${signs[sign] ?? ''} `)

/** Says a telephone number: groups of digits stay together, with a pause between them. */
export function telephone(written: string): string {
  const groups = written.match(/\d+/g) ?? []
  const isWhole = groups.length === 1
  const said = groups.map((group, place) => (isWhole ? inGroups(group) : groupOf(group, groups[place - 1])))
  return (
    (written.startsWith('+') ? 'plus ' : '') +
    said.join(', ').replace('one, eight hundred', 'one eight hundred')
  )
}

/** Says a group; the free numbers of America begin with "one eight hundred". */
const groupOf = (group: string, before?: string) =>
  before === '1' && /^8(?:00)$/.test(group) ? 'eight hundred' : inGroups(group)
