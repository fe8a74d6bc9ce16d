// Whether the outcome that a disposition describes was stated in the call.
import type { CallAnalysis, TranscriptLine } from '@parley/contract'
import { sentencesOf, wordsOf } from '../mind/words.ts'
import type { Likeness } from './likeness.ts'
import { turning } from './sentiment-words.ts'

type Field = NonNullable<CallAnalysis['disposition_fields']>[number]

export interface Disposition {
  /** Null: undecidable from the words alone. */
  readonly matched: boolean | null
  readonly reason: string
  readonly action: unknown
}

// Similarity thresholds: above the first it was said, below the second it was not mentioned.
const saidSo = 0.6
const notSpokenOf = 0.25

/** The text compared for a field. */
export const descriptionOf = ({ field_name, description }: Field): string =>
  description?.trim() || field_name.replaceAll('_', ' ')

export const dispositionSentences = (transcript: readonly TranscriptLine[]): string[] =>
  transcript.flatMap(({ role, content }) => (role === 'tool' ? [] : sentencesOf(content)))

export function dispositionOf(field: Field, sentences: readonly string[], likeness: Likeness): Disposition {
  const wanted = descriptionOf(field)
  const scored = sentences.map((text) => ({ text, score: likeness(wanted, text) }))
  const best = scored.reduce((most, one) => (one.score > most.score ? one : most), { text: '', score: 0 })
  return { ...verdictOn(wanted, best), action: field.action ?? null }
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
