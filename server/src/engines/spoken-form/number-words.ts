// How a language says what is written in figures and signs. The rules that use it are in `written-forms.ts`.
import type { SpokenRule } from './rule.ts'

/** What one costs, what several cost; the hundredth part after a whole ("tres euros con veinte"), and alone. */
export type MoneyWords = readonly [one: string, several: string, hundredths: string, alone?: string]

export interface NumberWords {
  cardinal(number: number): string
  /** As an adjective, of a masculine or feminine noun: 2º, 2ª. Undefined: said as they are written. */
  ordinal?(number: number, isFeminine: boolean): string
  /** A number before what it counts, where that changes it: "veintiún días", "una hora". */
  counted?(said: string, noun: string): string
  /** What separates thousands, as in 1.000, and the fraction, as in 2,5. */
  readonly thousands: string
  /** For a pattern: a number with separated thousands, where they are not groups of three. */
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
  /** Between the ends of a range: "de 3 a 5". */
  readonly to?: string
  /** For a pattern: the words after which a dash stands for "and". */
  readonly between?: string
  /** Before the figures of `nº 5` and `#5`. */
  readonly numberWord?: string
  /** By sign or code. */
  readonly money: Readonly<Record<string, MoneyWords>>
  /** Between the whole and the hundredths: "tres euros con veinte". */
  readonly moneyJoin: string
  /** `millones` and the like, which a currency follows with a word: "dos millones de euros". */
  readonly scales?: { readonly words: readonly string[]; join(currency: string): string }
  time(hours: number, minutes: number): string
  /** What a time is followed by, as `h` and `Uhr`, and is said with it. */
  readonly hourSigns?: string
  /** What is said for `a.m.` and `p.m.`. */
  readonly halves?: readonly [morning: string, afternoon: string]
  /** 1 to 12; day and month as they are said in a date. `before`: the word in front of it. */
  date(day: number, month: number, year: number | undefined, before?: string): string
  /** By their names and abbreviations, and what may stand between the day and them. */
  readonly months?: { readonly names: Readonly<Record<string, number>>; readonly join: string }
  readonly abbreviations: Readonly<Record<string, string>>
  readonly units?: Readonly<Record<string, readonly [one: string, several: string]>>
  readonly fractions?: Readonly<Record<string, string>>
  /** The names of a to z, separated by spaces; a name of two words has an underscore. */
  readonly letterNames?: string
  /** Words after which figures are a code: "código", "PIN". */
  readonly identifiers?: string
  /** Where telephone numbers are said in pairs: "zéro six, douze, trente-quatre". */
  readonly dictatesPairs?: boolean
  /** How a figure of a telephone number is said, where it differs: "meia". */
  figure?(figure: number): string
  /** What only this language writes; applied before the common rules. */
  readonly own?: readonly SpokenRule[]
}

/** Reads the numbers of a language. */
export interface NumberReader {
  /** For patterns: a whole number, and one with its fraction in a second group. */
  readonly pattern: string
  readonly withFraction: string
  whole(written: string): number
  said(written: string, part?: string): string
}
