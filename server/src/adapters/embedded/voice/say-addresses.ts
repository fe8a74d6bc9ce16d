// E-mail addresses, URLs and telephone numbers in words.
import { digitByDigit } from './number-words.ts'

const signs: Readonly<Record<string, string>> = {
  '@': 'at',
  '.': 'dot',
  '/': 'slash',
  _: 'underscore',
  '-': 'dash',
}

/** `info@shop.example`, `https://shop.example/menu`. */
export const address = (written: string): string =>
  written
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
    .replace(/\d+/g, (digits) => ` ${digitByDigit(digits)} `)
    .replace(/[^a-z ]/gi, (sign) => ` ${signs[sign] ?? ''} `)

/** Groups of digits stay together, with a pause between them. */
export const telephone = (written: string): string =>
  (written.startsWith('+') ? 'plus ' : '') + (written.match(/\d+/g) ?? []).map(digitByDigit).join(', ')
