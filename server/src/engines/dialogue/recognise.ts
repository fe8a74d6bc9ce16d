// Finds the answer to a question in what a caller said.
import { intentOf, isQuestion, polarityIn } from './intents.ts'
import type { Slot } from './slot.ts'
import { digitsIn, numberIn, readBackDigits } from './spoken-number.ts'
import { bareHourIn, dateIn, timeIn } from './spoken-time.ts'
import { comparableWords, plain } from './words.ts'

export interface RecognisedAnswer {
  /** The answer as it is read back. */
  readonly words: string
  readonly polarity?: 'yes' | 'no'
}

// The shortest and longest telephone numbers.
const phoneDigits = { min: 7, max: 15 }
const longestNameWords = 4

const filler = /\b(?:um+|uh+|er+|erm|well|so|please|sure|okay|ok|yes|yeah|hi|hello|you know|actually)\b/g
const noName =
  /\b(?:no|not|don't|the|a|is|are|what|why|who|how|it|that|i|you|my|we|want|would|need|have|call|calling|can|later|busy|sorry|time|but|thanks|thank|good|fine|book|appointment|table|they|were|was|he|she|very|about)\b/

export function recognise(slot: Slot, said: string): RecognisedAnswer | undefined {
  switch (slot.kind) {
    case 'name':
      return spoken(nameIn(said) ?? bareNameIn(said))
    case 'phone':
      return spoken(phoneIn(said))
    case 'email':
      return spoken(emailIn(said))
    case 'date':
      return spoken(dateIn(said))
    case 'time':
      return spoken(timeIn(said) ?? bareHourIn(said))
    case 'when':
      return spoken(whenIn(said))
    case 'number':
      return spoken(numberBetween(slot.min, slot.max, said))
    case 'choice':
      return spoken(optionIn(slot.options, said)) ?? freely(said, 2)
    case 'yes-no':
      return yesOrNo(said) ?? freely(said, 3)
    case 'free':
      return freely(said, 1)
  }
}

/** An answer that a caller gives unasked; only if it is unambiguous. */
export function volunteered(slot: Slot, said: string): RecognisedAnswer | undefined {
  if (slot.kind === 'name') return spoken(nameIn(said))
  if (slot.kind === 'time') return spoken(timeIn(said))
  if (slot.kind === 'number') {
    const group = plain(said).match(
      /\b(?:for|party of|table of) ((?:\w+ ){0,2}?\w+)(?= (?:people|guests|persons|on|at|tonight|tomorrow)|$)/,
    )
    const number = group && numberIn(group[1] ?? '')
    return number !== undefined && number !== null && !timeIn(group?.[0] ?? '')
      ? spoken(String(number))
      : undefined
  }
  return ['phone', 'email', 'date', 'when'].includes(slot.kind) ? recognise(slot, said) : undefined
}

const spoken = (words: string | undefined): RecognisedAnswer | undefined => (words ? { words } : undefined)

function nameIn(said: string): string | undefined {
  const introduced = said.match(
    /\b(?:my name is|my name's|name is|this is|it's|it is|i'm|i am|call me|you're speaking (?:to|with))\s+((?:[\p{Letter}'’-]+\s*){1,4})/iu,
  )
  const words = introduced?.[1]?.split(/\b(?:and|from|calling|speaking|here|with|at|on|my|but)\b/i)[0] ?? ''
  if (words && !noName.test(plain(words)) && !dateIn(words)) return nameOf(words)
  const speaking = said.match(/^((?:[\p{Letter}'’-]+\s){1,3})(?:speaking|here)\b/iu)?.[1]
  return speaking && !noName.test(plain(speaking)) ? nameOf(speaking) : undefined
}

function bareNameIn(said: string): string | undefined {
  const words = plain(said)
    .replace(filler, ' ')
    .replace(/^(?:the )?name(?: is)?\b/, '')
    .trim()
  const isName =
    words !== '' &&
    !dateIn(words) &&
    !timeIn(words) &&
    !noName.test(words) &&
    !/\d|@/.test(words) &&
    !intentOf(words)
  return isName && words.split(/\s+/).length <= longestNameWords ? nameOf(words) : undefined
}

const nameOf = (words: string): string =>
  plain(words).replace(/(?<![\p{Letter}])\p{Letter}/gu, (letter) => letter.toUpperCase())

function phoneIn(said: string): string | undefined {
  const digits = digitsIn(said)
  return digits.length >= phoneDigits.min && digits.length <= phoneDigits.max
    ? readBackDigits(digits)
    : undefined
}

function emailIn(said: string): string | undefined {
  const text = plain(said)
    .replace(/(?<!\s)\s+(?:at|@)\s+/g, '@')
    .replace(/(?<!\s)\s+(?:dot|\.)\s+/g, '.')
    .replace(/(?<!\s)\s+(?:dash|hyphen|minus)\s+/g, '-')
    .replace(/(?<!\s)\s+underscore\s+/g, '_')
    // Joins spelled letters.
    .replace(/\b(\w) (?=\w(?: |@|\.))/g, '$1')
  const mailAddress = text.match(/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/)?.[0]
  return mailAddress?.replace('@', ' at ').replaceAll('.', ' dot ')
}

function whenIn(said: string): string | undefined {
  const [date, time] = [dateIn(said), timeIn(said)]
  if (date && time && !date.includes(time))
    return `${date} at ${time}`.replace(/at (in|early|late|this|any|around|about|after|before|from)/, '$1')
  return date ?? time
}

function numberBetween(min: number, max: number, said: string): string | undefined {
  const number = numberIn(said)
  return number !== undefined && number >= min && number <= max ? String(number) : undefined
}

function optionIn(options: readonly string[], said: string): string | undefined {
  const words = comparableWords(said)
  return options.find((option) => comparableWords(option).some((word) => words.includes(word)))
}

function yesOrNo(said: string): RecognisedAnswer | undefined {
  const polarity = polarityIn(said)
  return polarity && { words: polarity, polarity }
}

/** The caller's own words, if they say something. */
function freely(said: string, leastWords: number): RecognisedAnswer | undefined {
  const intent = intentOf(said)
  const isTalk = intent !== undefined && intent !== 'yes' && intent !== 'no'
  if (isTalk || isQuestion(said) || comparableWords(said).length < leastWords) return undefined
  const words = said.trim().replace(/(?<![.!])[.!]+$/, '')
  const polarity = polarityIn(said)
  return polarity ? { words, polarity } : { words }
}
