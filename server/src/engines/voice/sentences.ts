// Splits a text into sentences, so that the first can play while the next is being synthesized.
import { plainText } from '../spoken-form/plain-text.ts'

// Abbreviations whose full stops the segmenter would take for the end of a sentence.
const abbreviation =
  /\b(?:mr|mrs|ms|dr|prof|rev|capt|sgt|lt|st|mt|ft|jr|sr|vs|nos?|inc|ltd|co|corp|ave|blvd|rd|apt|ste|rm|bldg|ext|tel|approx|dept|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|e\.g|i\.e|rs|[a-z])\.\s*$/i
// A time may be followed by a day or a zone: "5 p.m. Monday"; anything else begins a sentence.
const timeOfDay = /\b[ap]\.m\.\s*$/i
const afterTime =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Today|Tomorrow|Eastern|Central|Mountain|Pacific|[A-Z]{2,4}\b)/
// Longer sentences are not written for ears, and the patterns of a spoken form need time for them.
const longestSentence = 1_000
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

export function sentencesToSpeak(text: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { segment } of segmenter.segment(plainText(text))) {
    if (open && !goesOn(open, segment)) {
      sentences.push(open)
      open = ''
    }
    open += segment
  }
  return [...sentences, open]
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter(isSpeakable)
    .flatMap((sentence) => shortened(sentence, longestSentence))
}

function goesOn(open: string, next: string): boolean {
  if (open.endsWith('\n')) return false
  // Without a space there is no end: the question mark of an address.
  if (/\S$/.test(open) && /^[\w/]/.test(next)) return true
  return timeOfDay.test(open) ? afterTime.test(next) : abbreviation.test(open)
}

const isSpeakable = (sentence: string) => /[\p{L}\p{N}\p{Co}]/u.test(sentence)

/** A long sentence is split after a comma, or else at a space. */
export function shortened(sentence: string, longestChars: number): string[] {
  if (sentence.length <= longestChars) return [sentence]
  const head = sentence.slice(0, longestChars)
  const comma = head.lastIndexOf(', ')
  const space = head.lastIndexOf(' ')
  const place = comma > longestChars / 3 ? comma + 1 : space > 0 ? space : longestChars
  return [sentence.slice(0, place), ...shortened(sentence.slice(place).trim(), longestChars)]
}

const hasEnd = (text: string) => /[.,;:!?。！？、，।]["')\]」』]*$/.test(text)

// A clause of this length without an end was cut because the model was still thinking.
const cutChars = 180

/** Whether more of the last sentence of a text will follow, as it was written and before it is split. */
export const wasCut = (sentence: string): boolean => sentence.length >= cutChars && !hasEnd(sentence)

/**
 * A text with a mark at its end, which decides the melody: text that continues stays up, text that is over falls. The
 * voices swallow the end of text without a mark.
 */
export const punctuated = (text: string, goesOn: boolean): string =>
  hasEnd(text) ? text : `${text}${goesOn ? ',' : '.'}`
