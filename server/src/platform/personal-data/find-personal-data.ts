// Finds personal data in a text, in written and in spoken form.
//
// The form decides where it is distinctive (a card's check digit, an e-mail address), otherwise the question before:
// "nineteen ninety" is a date of birth only after a question for one. In doubt a match counts as personal data: a
// masked order number is a smaller loss than a card number in the open.
import { type DigitRun, digitRuns, passesLuhn } from './digit-runs.ts'
import { type PersonalDataKind, topics } from './kinds.ts'

export interface FoundPersonalData {
  readonly kind: PersonalDataKind
  /** Positions in the text, the end exclusive. */
  readonly start: number
  readonly end: number
}

export interface SearchContext {
  /** The sentence that the other side said just before. */
  readonly asked?: string
  /** Words of a caller, as a recogniser heard them: a misheard digit spoils a check digit. */
  readonly isSpeech?: boolean
  /** The speaker may go on: numbers that may still become longer count too. */
  readonly isOpen?: boolean
}

export function findPersonalData(
  text: string,
  kinds: readonly PersonalDataKind[],
  surroundings: SearchContext = {},
): FoundPersonalData[] {
  const found: FoundPersonalData[] = []
  const taken = new Uint8Array(text.length)
  const searched: SearchedText = { text, runs: digitRuns(text), ...surroundings }
  // The more distinctive kinds come first: what one has found, the next leaves alone.
  for (const kind of order) {
    if (!kinds.includes(kind)) continue
    for (const { start, end } of finders[kind](searched)) {
      if (taken.subarray(start, end).includes(1)) continue
      taken.fill(1, start, end)
      found.push({ kind, start, end })
    }
  }
  return found.toSorted((one, other) => one.start - other.start)
}

interface Place {
  readonly start: number
  readonly end: number
}

interface SearchedText extends SearchContext {
  readonly text: string
  readonly runs: readonly DigitRun[]
}

type Find = (searched: SearchedText) => readonly Place[]

const order: readonly PersonalDataKind[] = [
  'email',
  'iban',
  'card_number',
  'national_id',
  'date_of_birth',
  'phone',
]

const matchesIn = (text: string, ...patterns: readonly RegExp[]): Place[] =>
  patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ 0: match, index }) => ({ start: index, end: index + match.length }))

/** From where on the text is about this kind: from its beginning after a question for it, otherwise from its first word for it. */
function topicEnd(kind: PersonalDataKind, { text, asked = '' }: SearchedText): number {
  if (topics[kind].test(asked)) return 0
  const first = topics[kind].exec(text)
  return first ? first.index + first[0].length : Number.POSITIVE_INFINITY
}

/** Where the last letter or digit of a text ends. */
function lastWordEnd(text: string): number {
  const last = [...text.matchAll(/[\p{L}\p{N}]+/gu)].at(-1)
  return last ? last.index + last[0].length : 0
}

// The first digits of the card networks.
const issuers = /^(?:3[0-9]|4|5[0-5]|2[2-7]|6)/
// Shorter runs are a year, a price or a house number.
const openDigits = 4

/** Whether a run of digits is a card number, or looks like one that goes on. */
export function isCardNumber(digits: string, { isSpeech = false }: SearchContext): boolean {
  if (digits.length < 13 || digits.length > 19) return false
  return passesLuhn(digits) || (isSpeech && (digits.length === 15 || digits.length === 16))
}

const cardNumbers: Find = (searched) => {
  const { text, runs, isSpeech, isOpen } = searched
  const fromTopic = topicEnd('card_number', searched)
  const lastEnd = lastWordEnd(text)
  return runs.filter(({ digits, start, end }) => {
    if (isCardNumber(digits, searched)) return true
    // A card number may be part of a longer run, such as one that was read twice.
    if (digits.length > 19 && hasCard(digits)) return true
    if (digits.length >= 3 && start >= fromTopic) return true
    const goesOn = end >= lastEnd
    if (isOpen && goesOn && digits.length >= openDigits) return true
    return Boolean(isSpeech) && goesOn && digits.length >= 8 && issuers.test(digits)
  })
}

function hasCard(digits: string): boolean {
  for (let from = 0; from + 13 <= digits.length; from++)
    for (const length of [16, 15]) {
      const part = digits.slice(from, from + length)
      if (part.length === length && issuers.test(part) && passesLuhn(part)) return true
    }
  return false
}

const phones: Find = (searched) => {
  const { text, runs, isOpen } = searched
  const fromTopic = topicEnd('phone', searched)
  const lastEnd = lastWordEnd(text)
  return runs
    .filter(({ digits, start, end }) => {
      if (digits.length >= 7 && digits.length <= 15) return true
      if (digits.length >= 4 && digits.length <= 15 && start >= fromTopic) return true
      return Boolean(isOpen) && digits.length >= openDigits && end >= lastEnd
    })
    .map(({ start, end }) => ({ start: startOfPlus(text, start), end }))
}

// As much before a number as "plus (" or a country takes.
const prefixLength = 40
const before = (text: string, start: number): string => text.slice(Math.max(0, start - prefixLength), start)

/** "+44 …" and "plus four four …". */
const startOfPlus = (text: string, start: number): number =>
  start - (/(?:\+|\bplus\s|\()\s*\(?$/iu.exec(before(text, start))?.[0].length ?? 0)

const nationalIds: Find = (searched) => {
  const fromTopic = topicEnd('national_id', searched)
  return searched.runs.filter(
    ({ digits, start, end }) =>
      (end - start === 11 && /^\d{3}-\d\d-\d{4}$/.test(searched.text.slice(start, end))) ||
      (digits.length >= 4 && start >= fromTopic),
  )
}

const ibanWritten = /\b[A-Z]{2}\s?\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3})?\b/gi

const ibans: Find = (searched) => {
  const { text, runs } = searched
  const fromTopic = topicEnd('iban', searched)
  const written = matchesIn(text, ibanWritten).filter(({ start, end }) =>
    isIban(text.slice(start, end).replace(/\s/g, '').toUpperCase()),
  )
  const said = runs.flatMap(({ digits, start, end }) => {
    // "D E eight nine three seven …"
    const prefix = before(text, start)
    const country = /\b(?:[A-Z][\s.,-]+[A-Z]|[A-Z]{2})[\s.,-]*$/.exec(prefix.replace(/\b[a-z]\b/g, upper))
    const isLong = digits.length >= 12 && country !== null
    if (!isLong && !(digits.length >= 4 && start >= fromTopic)) return []
    return [{ start: start - prefix.length + (country?.index ?? prefix.length), end }]
  })
  return [...written, ...said]
}

const upper = (letter: string): string => letter.toUpperCase()

/** ISO 7064, modulo 97. */
function isIban(text: string): boolean {
  const moved = `${text.slice(4)}${text.slice(0, 4)}`
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}

const months =
  'jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni?|july?|juli?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?|dez(?:ember)?'
const ordinals =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|thirty|twenty'
const monthName = new RegExp(
  `(?:(?:the )?(?:${ordinals}|\\d{1,2}(?:st|nd|rd|th)?)(?:[ -](?:${ordinals}))? (?:of )?)?\\b(?:${months})\\b\\.?(?: (?:the )?(?:(?:${ordinals})(?:[ -](?:${ordinals}))?|\\d{1,2}(?:st|nd|rd|th)?\\b))?`,
  'giu',
)
const dateWritten = /\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})\b/g

const datesOfBirth: Find = (searched) => {
  const { text, runs } = searched
  const dates = matchesIn(text, dateWritten, monthName)
  const years = runs.filter(({ digits }) => digits.length >= 2)
  const fromTopic = topicEnd('date_of_birth', searched)
  return merged(text, [...dates, ...years]).filter(({ start }) => start >= fromTopic)
}

/** Day, month and year are one date. */
function merged(text: string, places: readonly Place[]): Place[] {
  const joined: Place[] = []
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1)
    const gap = last && text.slice(last.end, place.start)
    if (last && (place.start <= last.end || /^[\s,.]*(?:of |in )?$/.test(gap ?? '-')))
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, place.end) }
    else joined.push(place)
  }
  return joined
}

// Each begins at what is rare, at an "@" or "at", and looks back from there: a text without any is passed once.
const name = '[\\p{L}\\p{N}]+'
const dot = '(?:\\s*\\.\\s*|\\s+(?:dot|point|punkt|punto|ponto)\\s+)'
const join = '(?:\\s+(?:dot|underscore|dash|hyphen|minus|plus|punkt|punto)\\s+|[._+-])'
const at = '(?:at|ät|arroba|chiocciola)'
const addressWritten = /@(?<=(?<local>[\p{L}\p{N}._%+-]+)@)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/dgu
/** "john dot smith at example dot com", "j o h n at mail.example.org", "john smith at gmail dot com". */
const addressSaid = new RegExp(
  `\\s${at}(?<=(?<local>(?:[\\p{L}\\p{N}'’-]+\\s+){0,12}${name}(?:${join}${name})*)\\s+${at})\\s+(?:${name}[\\s-]+){0,3}?${name}(?:${dot}${name}){1,4}`,
  'dgiu',
)
const addressHalfSaid = new RegExp(
  `@(?<=(?<local>${name}(?:${join}${name})*)\\s*@)\\s*${name}(?:${dot}${name}){1,4}`,
  'dgiu',
)
const addressOpen = new RegExp(
  `\\sat(?<=(?<local>${name}(?:${join}${name})*)\\s+at)(?:\\s+${name}){0,3}\\s*$`,
  'dgiu',
)
// Words before an address that are not part of it.
const introductions = new Set(
  "is it's its that's address email e-mail mail me us to at the my on a and so yes yeah sure okay ok write send look reach use it would be".split(
    ' ',
  ),
)

/** How many characters come before the address itself. */
function introductionIn(local: string): number {
  const words = [...local.matchAll(/\S+/g)]
  const last = words.findLastIndex(({ 0: word }) =>
    introductions.has(word.toLowerCase().replace('’', "'").replace(/[,:]$/, '')),
  )
  return words[last + 1]?.index ?? 0
}

/** Addresses, each from the local part that its pattern looks back to. */
const addressesIn = (text: string, pattern: RegExp): { local: string; start: number; end: number }[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index, groups, indices }) => ({
    local: groups?.local ?? '',
    start: indices?.groups?.local?.[0] ?? index,
    end: index + match.length,
  }))

const emails: Find = ({ text, asked = '', isOpen }) => {
  const patterns = [addressWritten, addressHalfSaid, ...(isOpen ? [addressOpen] : [])]
  const places: Place[] = patterns.flatMap((pattern) => addressesIn(text, pattern))
  for (const { local, start, end } of addressesIn(text, addressSaid))
    places.push({ start: start + introductionIn(local), end })
  // An answer to a question for the address that has an "at" is one, even if its end was misheard.
  if (places.length === 0 && topics.email.test(asked) && /\s(?:at|@)\s/i.test(text))
    places.push({ start: 0, end: text.length })
  return merged(text, places)
}

const finders: Readonly<Record<PersonalDataKind, Find>> = {
  card_number: cardNumbers,
  email: emails,
  phone: phones,
  iban: ibans,
  date_of_birth: datesOfBirth,
  national_id: nationalIds,
}
