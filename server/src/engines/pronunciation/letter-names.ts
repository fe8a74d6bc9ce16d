// The names of the letters, and words that are spelled with them.
import { soundTable } from './language.ts'

const names = soundTable(`
  A ˈA, B bˈi, C sˈi, D dˈi, E ˈi, F ˈɛf, G ʤˈi, H ˈAʧ, I ˈI, J ʤˈA, K kˈA, L ˈɛl, M ˈɛm,
  N ˈɛn, O ˈO, P pˈi, Q kjˈu, R ˈɑɹ, S ˈɛs, T tˈi, U jˈu, V vˈi, W dˈʌbəlju, X ˈɛks, Y wˈI, Z zˈi`)

/** The names of letters; the last letter of an initialism carries the stress: F B I. */
export const spelled = (letters: string): string =>
  [...letters.toUpperCase()]
    .map((letter, place) => {
      const name = names[letter] ?? ''
      return place < letters.length - 1 ? name.replace('ˈ', 'ˌ') : name
    })
    .join('')

// Words that are spelled when they are in capitals, although the dictionary has them.
const spelledInCapitals = new Set(
  (
    'AI AM ATM CD CEO CT CV DOB DVD EIN ER ET EU FAQ GP GPS HD HR ID IP IT LA LCD LED MD MRI NE NW OS PA PC PDF PM PR PT QR ' +
    'RV SE SMS SSN SUV SW TV UK UN UPS URL US USA USB VIP VP WC APR IRA IRS ICU TSA UTC'
  ).split(' '),
)
// Longer runs of capitals are emphasised words.
const longestInitialism = 5

/** Whether a word is an initialism: `IBM`, `US`; not `NASA` or an emphasised `NOT`, which the dictionary knows. */
export function isInitialism(word: string, isKnown: boolean, isShouted: boolean): boolean {
  if (!/^[A-Z]{2,}$/.test(word)) return /^[^aeiouyAEIOUY']{2,}$/.test(word) && !isKnown
  if (spelledInCapitals.has(word) && !isShouted) return true
  if (isKnown) return false
  return !isShouted && (word.length <= longestInitialism ? !isPronounceable(word) : !/[AEIOUY]/.test(word))
}

// Whether a new acronym of four letters or more has the shape of a word: consonants and vowels in turn.
const isPronounceable = (word: string) =>
  /^[^AEIOU]?(?:[AEIOU][^AEIOU]{1,2}){2,}[AEIOU]?$/.test(word) && word.length >= 5
