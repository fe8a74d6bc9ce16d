// Word-list sentiment of the caller: the words that count are named; without any it is neutral.
import { wordsOf } from '../mind/words.ts'
import type { Exchange } from './exchanges.ts'
import { displeased, pleased, stronger, turning } from './sentiment-words.ts'

export interface Sentiment {
  readonly label: 'positive' | 'neutral' | 'negative'
  /** From -1 to 1. */
  readonly score: number
  readonly reason: string
}

// "not very happy": a negation reaches at most this many words ahead.
const turningReach = 3
// One weak word in a long call is not a sentiment.
const leastScore = 0.15
const mostNamed = 5

interface Counted {
  readonly words: string
  readonly weight: number
}

/** Null if the caller said nothing. */
export function sentimentOf(exchanges: readonly Exchange[]): Sentiment | null {
  if (exchanges.length === 0) return null
  const counted = exchanges.flatMap(({ said }) => countedIn(said))
  const sum = counted.reduce((total, { weight }) => total + weight, 0)
  // Grows with every word and stays below 1.
  const score = Math.round((sum / (Math.abs(sum) + 4)) * 100) / 100
  const label = Math.abs(score) < leastScore ? 'neutral' : score > 0 ? 'positive' : 'negative'
  return { label, score, reason: reasonOf(counted) }
}

function countedIn(said: string): Counted[] {
  const words = wordsOf(said)
  return words.flatMap((word, place) => {
    const weight = pleased[word] ?? -(displeased[word] ?? 0)
    if (weight === 0) return []
    const before = words.slice(Math.max(0, place - turningReach), place)
    const turnedAt = before.findLastIndex((one) => turning.has(one))
    const strength = stronger[before.at(-1) ?? ''] ?? 1
    if (turnedAt < 0) return [{ words: word, weight: weight * strength }]
    // "not bad" is weaker than "good".
    return [{ words: [...before.slice(turnedAt), word].join(' '), weight: weight * -0.5 }]
  })
}

function reasonOf(counted: readonly Counted[]): string {
  if (counted.length === 0) return 'The caller used no words of praise or complaint.'
  const named = counted
    .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, mostNamed)
    .map(({ words }) => `"${words}"`)
  return `By the words ${[...new Set(named)].join(', ')}.`
}
