// Whether what a disposition describes happened, as far as somebody said so.
import type { DispositionField, SpokenLine } from '../../../ports/analysis.ts'
import { sentencesOf, wordsOf } from '../mind/words.ts'
import type { Likeness } from './likeness.ts'
import { turning } from './sentiment-words.ts'

export interface Disposition {
  /** Null: undecidable from the words alone. */
  readonly matched: boolean | null
  readonly reason: string
  readonly action: unknown
}

// Similarity thresholds: above the first it was said, below the second it was not mentioned.
const saidSo = 0.6
const notSpokenOf = 0.25

/** What the likeness must know of a field. */
export const descriptionOf = ({ name, description }: DispositionField): string =>
  description || name.replaceAll('_', ' ')

export const dispositionSentences = (transcript: readonly SpokenLine[]): string[] =>
  transcript.flatMap(({ role, content }) => (role === 'tool' ? [] : sentencesOf(content)))

export function dispositionOf(
  field: DispositionField,
  sentences: readonly string[],
  likeness: Likeness,
): Disposition {
  const wanted = descriptionOf(field)
  const scored = sentences.map((text) => ({ text, score: likeness(wanted, text) }))
  const best = scored.reduce((most, one) => (one.score > most.score ? one : most), { text: '', score: 0 })
  return { ...verdictOn(wanted, best), action: field.action }
}

function verdictOn(wanted: string, { text, score }: { text: string; score: number }) {
  if (score < notSpokenOf) return { matched: false, reason: 'Nothing of it was said.' }
  if (score < saidSo)
    return { matched: null, reason: `Whether “${text}” means it cannot be told without a language model.` }
  // "I am interested" and "I am not interested" differ only in the negation.
  return isTurned(wanted) === isTurned(text)
    ? { matched: true, reason: `It was said: “${text}”` }
    : { matched: false, reason: `The contrary was said: “${text}”` }
}

const isTurned = (text: string): boolean => wordsOf(text).some((word) => turning.has(word))
