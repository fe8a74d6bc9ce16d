// A summary in the words of the call itself: the sentences that say most of what the call was about, in their order.
import type { SpokenLine } from '../../ports/analysis.ts'
import { intentOf } from '../dialogue/intents.ts'
import { comparableWords, plainSentences, withFullStop } from '../dialogue/words.ts'
import type { Likeness } from './likeness.ts'

interface SummarySentence {
  readonly role: 'agent' | 'user'
  readonly text: string
  readonly place: number
}

const mostSentences = 4
const leastWords = 4
const mostCompared = 120
// Sentences this similar say the same.
const sameEnough = 0.75

/** The sentences that are compared with each other. */
export const summarySentences = (transcript: readonly SpokenLine[]): string[] =>
  saidIn(transcript).map(({ text }) => text)

/** The summary; null when nothing was said that could stand in one. */
export function summaryOfTranscript(transcript: readonly SpokenLine[], likeness: Likeness): string | null {
  const said = saidIn(transcript)
  const scored = said
    .map((one) => ({ one, score: centrality(one, said, likeness) + weightOf(one) }))
    .toSorted((a, b) => b.score - a.score)
  const chosen: SummarySentence[] = []
  for (const { one } of scored) {
    if (chosen.length === mostSentences) break
    if (chosen.every(({ text }) => likeness(text, one.text) < sameEnough)) chosen.push(one)
  }
  if (chosen.length === 0) return null
  return chosen
    .toSorted((a, b) => a.place - b.place)
    .map(({ role, text }) => `${role === 'user' ? 'The caller said' : 'The agent said'}: “${text}”`)
    .join(' ')
}

function saidIn(transcript: readonly SpokenLine[]): SummarySentence[] {
  return transcript
    .flatMap(({ role, content }) =>
      role === 'tool' ? [] : plainSentences(content).map((text) => ({ role, text: withFullStop(text) })),
    )
    .map((one, place) => ({ ...one, place }))
    .filter(({ text }) => !isSmallTalk(text))
    .slice(-mostCompared)
}

const greeting = /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|yes|yeah|okay|well)\b[,.!]? */i

const isSmallTalk = (text: string): boolean =>
  comparableWords(text.replace(greeting, '')).length < leastWords ||
  /^(?:thanks?|thank you|sorry|is there anything else|how can i help|what else)\b/i.test(text) ||
  ['goodbye', 'pardon', 'how-are-you'].includes(intentOf(text) ?? '')

const centrality = (one: SummarySentence, all: readonly SummarySentence[], likeness: Likeness): number =>
  all.reduce((sum, other) => sum + (other === one ? 0 : likeness(one.text, other.text)), 0) /
  Math.max(1, all.length - 1)

// Words for why the caller called, or for the outcome.
const wishing =
  /\b(?:i(?:'d| would) like|i (?:want|need|wanted)|i'm (?:calling|looking)|i am (?:calling|looking)|my (?:order|parcel|bill|appointment)|i (?:will|can't|cannot|won't))\b/i

/**
 * The weight of a sentence: names, numbers and dates are what a summary is read for; a question says less than its
 * answer.
 */
function weightOf({ role, text }: SummarySentence): number {
  const particulars = text.slice(1).match(/\d+|\b\p{Lu}\p{Letter}+/gu)?.length ?? 0
  const wish = role === 'user' && wishing.test(text) ? 0.3 : 0
  return (
    wish + Math.min(0.3, particulars * 0.06) + (role === 'user' ? 0.1 : 0) - (text.endsWith('?') ? 0.15 : 0)
  )
}
