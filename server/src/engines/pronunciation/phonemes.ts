// Kokoro's phonemes and their ids, and the mapping from the dictionary's ARPAbet.

/** The subset needed for American English, with punctuation. */
export const phonemeIds: Readonly<Record<string, number>> = {
  ';': 1,
  ':': 2,
  ',': 3,
  '.': 4,
  '!': 5,
  '?': 6,
  '—': 9,
  '…': 10,
  ' ': 16,
  A: 24,
  I: 25,
  O: 31,
  W: 39,
  Y: 41,
  b: 44,
  d: 46,
  f: 48,
  h: 50,
  i: 51,
  j: 52,
  k: 53,
  l: 54,
  m: 55,
  n: 56,
  p: 58,
  s: 61,
  t: 62,
  u: 63,
  v: 64,
  w: 65,
  z: 68,
  ɑ: 69,
  æ: 72,
  ɔ: 76,
  ð: 81,
  ʤ: 82,
  ə: 83,
  ɛ: 86,
  ɜ: 87,
  ɡ: 92,
  ɪ: 102,
  ŋ: 112,
  θ: 119,
  ɹ: 123,
  ɾ: 125,
  ʃ: 131,
  ʧ: 133,
  ʊ: 135,
  ʌ: 138,
  ʒ: 147,
  ˈ: 156,
  ˌ: 157,
}

/** The diphthongs of "day", "my", "go", "now" and "boy" are one letter each. */
const consonants: Readonly<Record<string, string>> = {
  B: 'b',
  CH: 'ʧ',
  D: 'd',
  DH: 'ð',
  F: 'f',
  G: 'ɡ',
  HH: 'h',
  JH: 'ʤ',
  K: 'k',
  L: 'l',
  M: 'm',
  N: 'n',
  NG: 'ŋ',
  P: 'p',
  R: 'ɹ',
  S: 's',
  SH: 'ʃ',
  T: 't',
  TH: 'θ',
  V: 'v',
  W: 'w',
  Y: 'j',
  Z: 'z',
  ZH: 'ʒ',
}
const vowels: Readonly<Record<string, string>> = {
  AA: 'ɑ',
  AE: 'æ',
  AH: 'ʌ',
  AO: 'ɔ',
  AW: 'W',
  AY: 'I',
  EH: 'ɛ',
  ER: 'ɜɹ',
  EY: 'A',
  IH: 'ɪ',
  IY: 'i',
  OW: 'O',
  OY: 'Y',
  UH: 'ʊ',
  UW: 'u',
}
/** Reduced forms of two unstressed vowels. */
const weakVowels: Readonly<Record<string, string>> = { AH: 'ə', ER: 'əɹ' }

const stressMarks: Readonly<Record<string, string>> = { '1': 'ˈ', '2': 'ˌ' }

/** The phonemes of ARPAbet phones: `HH AH0 L OW1` is `həlˈO`. */
export function phonemesOf(phones: readonly string[]): string {
  const lastStress = phones.findLastIndex((phone) => phone.endsWith('1'))
  return phones
    .map((phone, place) => {
      if (isFlap(phones, place)) return 'ɾ'
      // The dictionary marks both parts of "thirteen" and "okay"; a word has one main stress, on the last of them.
      return soundOf(place < lastStress ? phone.replace('1', '2') : phone)
    })
    .join('')
}

function soundOf(phone: string): string {
  const name = phone.replace(/\d$/, '')
  const stress = phone.slice(name.length)
  const vowel = (stress === '0' && weakVowels[name]) || vowels[name]
  return vowel ? (stressMarks[stress] ?? '') + vowel : (consonants[name] ?? '')
}

/** The flapped t of "water" and "party": between a vowel or r and an unstressed vowel. */
function isFlap(phones: readonly string[], place: number): boolean {
  if (phones[place] !== 'T') return false
  return /\d$|^R$/.test(phones[place - 1] ?? '') && /^(?!.*N$).*0$/.test(phones[place + 1] ?? '')
}

export const withoutStress = (phonemes: string): string => phonemes.replace(/[ˈˌ]/g, '')
