// Decides whether what a disposition describes happened, as far as somebody said so in plain words.
import type { DispositionField, SpokenLine } from '../../ports/analysis.ts'
import { comparableWords, plainSentences } from '../dialogue/words.ts'
import { plainAnswer } from './answers.ts'
import { type Likeness, sharedWords } from './likeness.ts'
import { turning } from './sentiment-words.ts'

export interface Disposition {
  /** Whether it happened; null: undecidable from the words alone. */
  readonly matched: boolean | null
  readonly reason: string
  readonly action: unknown
}

// Similarity thresholds: above the first it was said, below the second nothing similar was said.
const saidSo = 0.65
const notSpokenOf = 0.2
// A contrary has to be as clear and as short.
const contrary = 0.75
const plainWords = 12
// Keeping an appointment and cancelling it mean nearly the same to an embedding: some of the words have to be the same too.
const inSameWords = 0.5

/** A sentence, and the answer to it if it is a question. */
interface SpokenSentence {
  readonly text: string
  readonly role: 'agent' | 'user'
  readonly answer: string | null
}

/** The text of a field that is compared with sentences. */
export const descriptionOf = ({ name, description }: DispositionField): string =>
  description || name.replaceAll('_', ' ')

export const dispositionSentences = (transcript: readonly SpokenLine[]): string[] =>
  spokenIn(transcript).map(({ text }) => text)

function spokenIn(transcript: readonly SpokenLine[]): SpokenSentence[] {
  return transcript.flatMap(({ role, content }, place) => {
    if (role === 'tool') return []
    const next = transcript.slice(place + 1).find((line) => line.role !== 'tool')
    const answer = next && next.role !== role ? next.content : null
    const sentences = plainSentences(content)
    return sentences.map((text, n) => ({
      text,
      role,
      answer: text.endsWith('?') && n === sentences.length - 1 ? answer : null,
    }))
  })
}

export function dispositionOf(
  field: DispositionField,
  transcript: readonly SpokenLine[],
  likeness: Likeness,
): Disposition {
  const wanted = descriptionOf(field)
  const scored = spokenIn(transcript).map((one) => ({ ...one, score: likeness(wanted, one.text) }))
  // A statement counts for more than a question.
  const isAsked = ({ text }: SpokenSentence) => (text.trimEnd().endsWith('?') ? 1 : 0)
  const best = scored.toSorted((one, other) => other.score - one.score || isAsked(one) - isAsked(other))[0]
  return { ...verdictOn(wanted, best), action: field.action }
}

const unsure = (text: string) => ({
  matched: null,
  reason: `Whether “${text}” means it cannot be told without a language model.`,
})

// Words of what may be, or might have been.
const unreal = /\b(?:if|would have|could have|might|maybe|perhaps|unless)\b/i

function verdictOn(wanted: string, best: (SpokenSentence & { score: number }) | undefined) {
  // The event may have been said in other words, or gone without saying.
  if (!best || best.score < notSpokenOf) return { matched: null, reason: 'Nothing like it was said.' }
  const { text, score, role } = best
  if (score < saidSo || unreal.test(text) || sharedWords(wanted, text) < inSameWords) return unsure(text)
  if (text.trimEnd().endsWith('?')) {
    const answer = role === 'agent' && best.answer !== null ? plainAnswer(best.answer) : undefined
    return answer === undefined
      ? unsure(text)
      : { matched: answer, reason: `“${text}” was answered: “${best.answer}”` }
  }
  if (isTurned(wanted) === isTurned(text)) return { matched: true, reason: `It was said: “${text}”` }
  return score >= contrary && comparableWords(text).length <= plainWords
    ? { matched: false, reason: `The contrary was said: “${text}”` }
    : unsure(text)
}

/** "No, you have the wrong number" denies something else. */
const isTurned = (text: string): boolean =>
  comparableWords(text.replace(/^\W*(?:no|nope|yes|yeah)\b[,.!]?\s+/i, '')).some((word) => turning.has(word))
