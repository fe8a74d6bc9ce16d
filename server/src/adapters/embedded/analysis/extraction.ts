// The values of an agent's `data_extraction_fields`, each from the exchange that speaks of it; null where none does.
import type { ExtractionField } from '../../../ports/analysis.ts'
import { type Exchange, questionIn } from './exchanges.ts'
import type { Likeness } from './likeness.ts'
import { isUnmistakable, kindOf, valueIn } from './typed-value.ts'

// Below it the exchange is about something else.
const speaksOf = 0.45

/** What the likeness must know of a field. */
export const fieldWords = ({ name, description }: ExtractionField): string =>
  `${name.replaceAll('_', ' ')} ${description}`.trim()

export const exchangeWords = ({ asked, said }: Exchange): string[] => [questionIn(asked), said]

export function extract(
  field: ExtractionField,
  exchanges: readonly Exchange[],
  today: Date,
  likeness: Likeness,
): unknown {
  const kind = kindOf(field)
  const found = exchanges.flatMap((exchange, place) => {
    const about = likenessTo(field, exchange, likeness)
    const value = valueIn(kind, exchange.said, isAskedFor(about), today)
    if (value === undefined || !(about >= speaksOf || isUnmistakable(kind))) return []
    return [{ value, score: about + latelyBonus(place, exchanges.length) }]
  })
  const best = found.reduce<(typeof found)[number] | undefined>(
    (most, one) => (one.score >= (most?.score ?? 0) ? one : most),
    undefined,
  )
  return best?.value ?? null
}

const isAskedFor = (about: number): boolean => about >= speaksOf

/** A question that asks for it counts for more than words that mention it. */
function likenessTo(field: ExtractionField, { asked, said }: Exchange, likeness: Likeness): number {
  const [name, all] = [field.name.replaceAll('_', ' '), fieldWords(field)]
  const question = questionIn(asked)
  const byQuestion = question === '' ? 0 : Math.max(likeness(name, question), likeness(all, question))
  return Math.max(byQuestion, 0.8 * Math.max(likeness(name, said), likeness(all, said)))
}

/** Corrections come later. */
const latelyBonus = (place: number, count: number): number => (0.05 * place) / Math.max(1, count)
