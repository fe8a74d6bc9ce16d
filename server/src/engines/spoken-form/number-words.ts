// The words of a language for what is written in figures and signs. The rules that use them are in `written-forms.ts`.
import type { SpokenRule } from './rule.ts'

/**
 * The words for a currency: of one, of several; of the hundredth part after a whole ("tres euros con veinte"), and
 * alone.
 */
export type MoneyWords = readonly [one: string, several: string, hundredths: string, alone?: string]

/** The keys of its tables may be several spellings of one thing: `€|EUR`. */
export interface NumberWords {
  cardinal(number: number): string
  /**
   * An ordinal as an adjective of a masculine or feminine noun: 2º, 2ª. Undefined: ordinals are said as they are
   * written.
   */
  ordinal?(number: number, isFeminine: boolean): string
  /** A number before what it counts, where that changes it: "veintiún días", "una hora". */
  counted?(said: string, noun: string): string
  /** The signs that separate thousands, as in 1.000, and the fraction, as in 2,5. */
  readonly thousands: string
  /** A pattern of a number with separated thousands, where they are not groups of three. */
  readonly grouped?: string
  readonly fraction: string
  readonly fractionWord: string
  readonly percent: string
  readonly minus: string
  readonly plus: string
  readonly and: string
  readonly at: string
  readonly dot: string
  readonly dash: string
  readonly underscore: string
  readonly slash?: string
  /** The word between the ends of a range: "de 3 a 5". */
  readonly to?: string
  /** A pattern of the words after which a dash stands for "and". */
  readonly between?: string
  /** The word before the figures of `nº 5` and `#5`. */
  readonly numberWord?: string
  /** The words for currencies, by sign or code. */
  readonly money: Readonly<Record<string, MoneyWords>>
  /** The word between the whole and the hundredths: "tres euros con veinte". */
  readonly moneyJoin: string
  /** Scales such as `millones`, which a currency follows with a word: "dos millones de euros". */
  readonly scales?: { readonly words: readonly string[]; join(currency: string): string }
  time(hours: number, minutes: number): string
  /** A pattern of what a time is followed by, such as `h` and `Uhr`, and is said with it. */
  readonly hourSigns?: string
  /** The words for `a.m.` and `p.m.`. */
  readonly halves?: readonly [morning: string, afternoon: string]
  /** A date; the month is 1 to 12. `before`: the word in front of it. */
  date(day: number, month: number, year: number | undefined, before?: string): string
  /** The months by their names and abbreviations, and what may stand between the day and them. */
  readonly months?: { readonly names: Readonly<Record<string, number>>; readonly join: string }
  readonly abbreviations: Readonly<Record<string, string>>
  readonly units?: Readonly<Record<string, readonly [one: string, several: string]>>
  readonly fractions?: Readonly<Record<string, string>>
  /** The names of a to z, separated by spaces; a name of two words has an underscore. */
  readonly letterNames?: string
  /** A pattern of words after which figures are a code: "código", "PIN". */
  readonly identifiers?: string
  /** Whether telephone numbers are said in pairs: "zéro six, douze, trente-quatre". */
  readonly dictatesPairs?: boolean
  /** A figure of a telephone number, where it is said differently: "meia". */
  figure?(figure: number): string
  /** Rules for what only this language writes; applied before the common rules. */
  readonly own?: readonly SpokenRule[]
}

/** Reads the numbers of a language. */
export interface NumberReader {
  /** Patterns of a whole number, and of one with its fraction in a second group. */
  readonly pattern: string
  readonly withFraction: string
  whole(written: string): number
  said(written: string, part?: string): string
}

/** A part of large numbers, such as thousands: its size, and the words for so many of it with this rest. */
export type NumberScale = readonly [size: number, say: (count: number, rest: number) => string]

/** Says numbers scale by scale, the largest first; `small` says what is below the smallest, `join` adds the rest. */
export function byScales(
  scales: readonly NumberScale[],
  small: (number: number) => string,
  join = (said: string, restSaid: string, _rest: number, _size: number): string => `${said} ${restSaid}`,
): (number: number) => string {
  return function cardinal(number): string {
    const scale = scales.find(([size]) => number >= size)
    if (!scale) return small(number)
    const [size, say] = scale
    const rest = number % size
    const said = say(Math.floor(number / size), rest)
    return rest === 0 ? said : join(said, cardinal(rest), rest, size)
  }
}

/** Words with spaces between them; parts may be missing. */
export const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** The months by their numbers. */
export const monthNumbers = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name, place) => [name.toLowerCase(), place + 1]))
