// The kind of answer that a question expects.
import { plain } from './words.ts'

export type Slot =
  | { readonly kind: 'name' | 'phone' | 'email' | 'date' | 'time' | 'when' | 'yes-no' | 'free' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly options: readonly string[] }

const kinds: readonly [Exclude<Slot['kind'], 'number' | 'choice'>, RegExp][] = [
  ['email', /\be-?mail\b/],
  [
    'phone',
    /\b(?:phone|telephone|mobile|cell|contact|callback|call-back) number\b|\bnumber (?:can|could|should|to) (?:we|i|call|reach)|\b(?:reach|call) you (?:on|at|back)\b|\bphone\b|\bcontact details\b/,
  ],
  [
    'name',
    /\b(?:your|full|first|last|contact|caller) (?:full |first |last )?name\b|\bname\b(?! of)|\bwho am i (?:speaking|talking)/,
  ],
  ['when', /\bwhen\b|\bdate and time\b|\bday and time\b/],
  ['date', /\b(?:date|birthday|day|weekday)\b/],
  ['time', /\bwhat time\b|\btime\b(?! of year)/],
]

const auxiliary =
  /^(?:so |and |now |then )*(?:do|does|did|is|are|was|were|have|has|had|can|could|would|will|shall|should|may i ask whether)\b/

export function slotOf(question: string): Slot {
  const text = plain(question)
  const options = optionsIn(question)
  if (options) return { kind: 'choice', options }
  const scale = text.match(/\b(\d+)(?: is \w+)?(?:\s*(?:to|and|through|-)\s*)(\d+)\b/)
  if (scale && /\b(?:scale|rate|rating|score|from|between|how (?:likely|satisfied))\b/.test(text)) {
    return { kind: 'number', min: Number(scale[1]), max: Number(scale[2]) }
  }
  const isYesNo =
    auxiliary.test(text) &&
    !/^(?:can|could|may) (?:i|we) (?:have|get|take|know)\b|^(?:can|could|would|will) you (?:please )?(?:tell|give|describe|spell|share)\b/.test(
      text,
    )
  if (isYesNo) return { kind: 'yes-no' }
  const [kind] = kinds.find(([, pattern]) => pattern.test(text)) ?? []
  if (kind) return { kind }
  if (
    /\bhow many\b|\bhow old\b|\bparty size\b|\bnumber of\b|\bage\b|\bquantity\b|\bon a scale\b|\brate\b|\brating\b/.test(
      text,
    )
  ) {
    return { kind: 'number', min: 0, max: Number.POSITIVE_INFINITY }
  }
  return { kind: 'free' }
}

/** The options in a question: "Would you like beef, fish or the vegetarian menu?" */
function optionsIn(question: string): string[] | undefined {
  const listed = question.match(/(?<![\w' ,-])([\w' -]+(?:, [\w' -]+)*),? or (?:the |a |an )?([\w' -]+)\?/i)
  if (!listed) return undefined
  const [, before = '', last = ''] = listed
  const parts = [...before.split(', '), last]
  const options = parts.map((part, place) => lastWords(part, place === 0 ? 1 : 3))
  const isOpen = options.some((option) => /^(?:not|no|something else|other|more|so)$/.test(option))
  return isOpen ? undefined : options
}

/** The last words of a text, because the question's own words come before its first option. */
const lastWords = (text: string, count: number): string =>
  plain(text)
    .replace(/^(?:the|a|an) /, '')
    .split(' ')
    .slice(-count)
    .join(' ')
