// Sounds inside a text: a word whose pronunciation is given travels through sentence splitting and spoken forms as
// private-use characters, which no rule touches, and becomes phonemes where words do.

// The private-use area begins here; the letters of the phonetic alphabet are all below the bound.
const areaStart = 0xe000
const areaSize = 0x1900

/** Matches the sounds in a text. */
export const phoneticRun = /[\u{e000}-\u{f8ff}]+/u

/** Encodes IPA as characters that are part of no word. */
export const phoneticText = (ipa: string): string =>
  [...ipa.normalize('NFD')]
    .map((sign) => sign.codePointAt(0) ?? 0)
    .filter((code) => code < areaSize)
    .map((code) => String.fromCodePoint(areaStart + code))
    .join('')

const ipaOf = (text: string): string =>
  [...text].map((sign) => String.fromCodePoint((sign.codePointAt(0) ?? areaStart) - areaStart)).join('')

// Ties, syllable dots and the like say nothing to a voice; affricates are one letter.
const common: readonly (readonly [RegExp, string])[] = [
  [/[͜͡.‿|‖ʼ-]/gu, ''],
  [/tʃ/g, 'ʧ'],
  [/dʒ/g, 'ʤ'],
  [/g/g, 'ɡ'],
]
// The English voices have one letter for a diphthong, and no length.
const english: readonly (readonly [RegExp, string])[] = [
  [/[oə]ʊ/g, 'O'],
  [/eɪ/g, 'A'],
  [/aɪ/g, 'I'],
  [/aʊ/g, 'W'],
  [/[ɔo]ɪ/g, 'Y'],
  [/[ɝ]/g, 'ɜɹ'],
  [/[ɚ]/g, 'əɹ'],
  [/ɜ(?!ɹ)ː?/g, 'ɜɹ'],
  [/r/g, 'ɹ'],
  [/[ːˑ]/g, ''],
  [/ɒ/g, 'ɑ'],
  [/a/g, 'ɑ'],
  [/e/g, 'ɛ'],
  [/o/g, 'O'],
  [/y/g, 'u'],
  [/x/g, 'k'],
  [/ɲ/g, 'nj'],
  [/ʁ/g, 'ɹ'],
  [/ç/g, 'h'],
  [/[^AIOWYbdfhijklmnpstuvwzɑæɔðʤəɛɜɡɪŋθɹɾʃʧʊʌʒˈˌ ]/gu, ''],
]

const rewritten = (sounds: string, rules: readonly (readonly [RegExp, string])[]) =>
  rules.reduce((text, [pattern, sound]) => text.replace(pattern, sound), sounds)

/** The sounds of a text as the English voices know them. */
export const englishPhonetics = (text: string): string =>
  rewritten(rewritten(ipaOf(text).normalize('NFC'), common), english)

/** The sounds of a text as the voices of other languages know them. */
export const worldPhonetics = (text: string): string =>
  rewritten(ipaOf(text).normalize('NFC'), common).normalize('NFD')
