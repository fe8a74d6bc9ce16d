// Dates and times inside a sentence, kept in the speaker's words.

const day =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tonight|tomorrow|yesterday|weekend|weekday'
const month =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec'
const small = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'
const ordinal =
  '(?:twenty|thirty)[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth'
const dayNumber = `\\d{1,2}(?:st|nd|rd|th)?|${ordinal}|(?:twenty |thirty )?(?:${small})`
const year =
  '(?:,? (?:\\d{4}|nineteen \\w+(?: \\w+)?|twenty \\w+(?: \\w+)?|two thousand(?: and)?(?: \\w+)?))?'

const dates = [
  'the day after tomorrow',
  `(?:(?:next|this|last|on|coming) )?(?:${day})(?:,? (?:the )?(?:${month}) (?:${dayNumber})|,? the (?:${ordinal}|\\d{1,2}(?:st|nd|rd|th)))?`,
  `(?:the )?(?:${dayNumber}) (?:of )?(?:${month})${year}`,
  `(?:${month})(?: the)? (?:${dayNumber})${year}`,
  `the (?:${ordinal}|\\d{1,2}(?:st|nd|rd|th))`,
  '\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{1,4}|\\d{1,2}/\\d{1,2}',
  `(?:next|this|last) (?:week|month)|in (?:a|${small}|\\d+) (?:days?|weeks?|months?)|any ?day|as soon as possible`,
]

const minute = '(?:fifteen|thirty|forty[- ]five|twenty|ten|oh five|\\d{2})'
const half = "(?: ?(?:a\\.?m\\.?|p\\.?m\\.?|o'?clock)| in the (?:morning|afternoon|evening)| at night)"
const hour = `(?:\\d{1,2}|${small})`

const times = [
  `(?:half|quarter|a quarter|ten|twenty|five) (?:past|to|after) ${hour}${half}?`,
  `\\d{1,2}[:.]\\d{2}${half}?`,
  `${hour} ${minute}${half}?`,
  `${hour}${half}`,
  `(?:at|around|about|after|before|by|from) ${hour}(?! ?(?:\\w+ )?(?:people|guests|persons|percent|dollars|euros))`,
  '(?:at )?(?:noon|midnight|midday|lunch ?time)',
  '(?:early |late |in the |this |tomorrow )?(?:morning|afternoon|evening)|any ?time',
]

const spanOf = (patterns: readonly string[], text: string): string | undefined =>
  patterns
    .map((pattern) => text.match(new RegExp(`(?<![\\w/])(?:${pattern})(?![\\w/])`, 'i'))?.[0])
    .find((span) => span !== undefined)
    ?.replace(/^(?:on|at|by) /i, '')
    .trim()

export const dateIn = (text: string): string | undefined => {
  const span = spanOf(dates, text)
  return span?.replace(new RegExp(`\\b(?:${day}|${month})\\b`, 'gi'), capitalDay)
}

export const timeIn = (text: string): string | undefined => spanOf(times, text)

/** A bare "seven" or "7", which is a time if a time was asked for. */
export const bareHourIn = (text: string): string | undefined => spanOf([hour], text)

const capitalDay = (word: string): string =>
  /^(?:to|week|yes)/i.test(word)
    ? word.toLowerCase()
    : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
