// The values of an agent's `data_extraction_fields`, each from the exchange that speaks of it. Where none does, or
// where it can be understood in more than one way, the value is null, with the reason.
import type { ExtractionField, SpokenLine } from '../../ports/analysis.ts'
import { plainSentences } from '../dialogue/words.ts'
import { plainAnswer } from './answers.ts'
import { type Exchange, questionIn } from './exchanges.ts'
import { type Likeness, sharedWords } from './likeness.ts'
import { isUnmistakable, type Kind, kindOf, valueIn } from './typed-value.ts'

const arranging =
  /\b(?:book(?:ed|ing)?|schedul(?:ed|ing)|reserv(?:ed|ation)|appointment|sign(?:ed)? up|enrol(?:led)?)\b/i
const whether = /\b(?:was|were|is|has been|got|made|booked|scheduled|reserved|confirmed)\b/i

/** Whether a yes-or-no field is about an arrangement. Nobody's yes settles it, only the agent's word that it is done. */
const isArrangement = ({ name, description }: ExtractionField): boolean =>
  arranging.test(`${name.replaceAll('_', ' ')} ${description}`) &&
  whether.test(`${name.replaceAll('_', ' ')} ${description}`) &&
  !/\b(?:wants?|keeps?|asked|before|earlier|cancel\w*)\b/i.test(`${name.replaceAll('_', ' ')} ${description}`)

const confirming =
  /\b(?:(?:you(?:'re| are)|it(?:'s| is)|that(?:'s| is)|(?:table|appointment|room|booking|reservation|visit|place) (?:for \\w+ )?is|(?:i|we)(?:'ve| have)) (?:now |all )?(?:booked|confirmed|scheduled|reserved|set|arranged|in|put you down)|(?:is|are) (?:now )?(?:booked|confirmed|scheduled|reserved)|i(?:'ve| have) (?:booked|scheduled|reserved)|it is\.?$|see you (?:on|at|then|tomorrow)|all set)\b/i
const undoing = /\b(?:cancel(?:led|ed)?|taken|not available|afraid|unfortunately|full(?:y booked)?|sorry)\b/i
const offering =
  /\b(?:shall|should|can|may|could) (?:i|we) (?:book|schedule|reserve|put)|\b(?:would you like|do you want) (?:me )?to (?:book|make|schedule)|does that (?:work|suit)|\bbook\b.*\?$/i

type Arrangement = { readonly value: boolean; readonly reason: string } | { readonly unknown: string }

function arrangedIn(transcript: readonly SpokenLine[]): Arrangement {
  const confirmed = transcript.findLastIndex(
    ({ role, content }) =>
      role === 'agent' &&
      plainSentences(content).some((one) => !one.endsWith('?') && confirming.test(one) && !undoing.test(one)),
  )
  const undone = transcript.findLastIndex(
    ({ role, content }) => role === 'agent' && undoing.test(content) && !/sorry to hear/i.test(content),
  )
  if (confirmed >= 0 && confirmed > undone)
    return { value: true, reason: `The agent confirmed it: “${transcript[confirmed]?.content}”` }
  if (confirmed >= 0) return { unknown: 'It was confirmed, and something was called off later.' }
  const offered = transcript.findLastIndex(({ role, content }) => role === 'agent' && offering.test(content))
  const answer = transcript.slice(offered + 1).find(({ role }) => role === 'user')?.content ?? ''
  if (offered >= 0 && plainAnswer(answer) === false)
    return { value: false, reason: `It was declined: “${answer}”` }
  return { unknown: 'Nobody said that it was done, or that it was not.' }
}

// A lower likeness means that the exchange is about something else. For a yes or no, more of the question has to
// match: "Do you want to keep the appointment?" is not about making one.
const speaksOf = (kind: Kind) => (kind === 'boolean' ? 0.6 : kind === 'text' ? 0.5 : 0.45)

// A yes answers the question that was asked, and that is not the field's if hardly a word of the field was in it.
const inSameWords = 0.3

export type ExtractedValue = { readonly value: unknown } | { readonly unknown: string }

/** The text of a field that is compared with exchanges. */
export const fieldWords = ({ name, description }: ExtractionField): string =>
  `${name.replaceAll('_', ' ')} ${description}`.trim()

export const exchangeWords = ({ asked, said }: Exchange): string[] => [questionIn(asked), said]

export interface ExtractionSource {
  readonly exchanges: readonly Exchange[]
  readonly transcript: readonly SpokenLine[]
  readonly today: Date
  readonly likeness: Likeness
}

export function extract(field: ExtractionField, searched: ExtractionSource): ExtractedValue {
  const kind = kindOf(field)
  if (kind === 'boolean' && isArrangement(field)) return arrangedIn(searched.transcript)
  const { exchanges, today, likeness } = searched
  const about = exchanges.map((exchange) => likenessTo(field, exchange, likeness))
  const spoken = exchanges.flatMap((exchange, place) => {
    const score = about[place] ?? 0
    const isAsked = score >= speaksOf(kind) && asksFor(kind, questionIn(exchange.asked))
    if (!isAsked && !isUnmistakable(kind)) return []
    if (kind === 'boolean' && sharedWords(fieldWords(field), questionIn(exchange.asked)) < inSameWords)
      return []
    const value = valueIn(kind, exchange.said, { isAsked, today, field })
    return [{ exchange, value, score: score + latelyBonus(place, exchanges.length) }]
  })
  const found = spoken.filter(({ value }) => value !== undefined)
  const best = found.toSorted((one, other) => other.score - one.score)[0]
  if (best) return { value: best.value }
  const closest = spoken.filter(({ score }) => score >= speaksOf(kind)).at(-1)
  return {
    unknown: closest
      ? `What was said about it leaves it open: “${closest.exchange.said.slice(0, 200)}”`
      : 'Nothing was said about it.',
  }
}

// Days and numbers are mentioned for many reasons: only those that were asked for are the field's.
const onlyAsked: ReadonlySet<Kind> = new Set(['boolean', 'number', 'amount', 'date', 'time'])

// "Did he come?" may be answered with a day, which is not the day that a field asks for.
const isYesNoQuestion =
  /^(?:\W*(?:so|and|but|okay|well),?\s+)?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|am)\b/i

/**
 * Whether a question asks for a value of this kind. What the agent read back has no question, and counts for every
 * kind.
 */
function asksFor(kind: Kind, question: string): boolean {
  if (kind === 'date') return /\b(?:when|days?|dates?|born)\b/i.test(question)
  if (kind === 'text')
    return !isYesNoQuestion.test(question) || /\b(?:tell|have|give|what|which)\b/i.test(question)
  return true
}

/** The likeness of an exchange to a field: a question that asks for it counts for more than words that mention it. */
function likenessTo(field: ExtractionField, { asked, said }: Exchange, likeness: Likeness): number {
  const [name, all] = [field.name.replaceAll('_', ' '), fieldWords(field)]
  const question = questionIn(asked)
  const byQuestion = question === '' ? 0 : Math.max(likeness(name, question), likeness(all, question))
  if (onlyAsked.has(kindOf(field))) return byQuestion
  return Math.max(byQuestion, 0.8 * Math.max(likeness(name, said), likeness(all, said)))
}

/** Later exchanges count for more, because corrections come later. */
const latelyBonus = (place: number, count: number): number => (0.05 * place) / Math.max(1, count)
