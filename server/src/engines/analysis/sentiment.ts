// The caller's sentiment by a list of words. It states a mood only where callers speak plainly of their own; what may
// be a quotation, a story, sarcasm or both praise and complaint is left open.

import type { SpokenLine } from '../../ports/analysis.ts'
import { comparableWords, plainSentences } from '../dialogue/words.ts'
import { complaining, displeased, pleased, stronger, turning } from './sentiment-words.ts'

export interface Sentiment {
  readonly label: 'positive' | 'neutral' | 'negative'
  /** The score, from -1 to 1. */
  readonly score: number
  readonly reason: string
}

export type SentimentFound = { readonly sentiment: Sentiment } | { readonly unknown: string }

// "not very happy": a negation reaches at most this many words ahead.
const turningReach = 3
const mostNamed = 5
// Words that mean something else as often as a mood ("fine", "works", "wrong") count only beside a word that does not.
const strongWeight = 2
// "Terrible." is an answer; a longer sentence has to say what it is about.
const shortAnswerWords = 3

interface WeightedSentence {
  readonly words: string
  readonly weight: number
}

export function sentimentOf(transcript: readonly SpokenLine[]): SentimentFound {
  const sentences = transcript.flatMap(({ role, content }) =>
    role === 'user' ? plainSentences(content) : [],
  )
  if (sentences.length === 0) return { unknown: 'The caller said nothing.' }
  const counted = sentences.filter(isOwn).flatMap(countedIn)
  const strong = counted.filter(({ weight }) => Math.abs(weight) >= strongWeight)
  const complaint = sentences.find((sentence) => complaining.test(sentence))
  const isPraised = strong.some(({ weight }) => weight > 0)
  const isBlamed = strong.some(({ weight }) => weight < 0)
  if (isPraised && (isBlamed || complaint))
    return {
      unknown: `Both praise and complaint were said, ${namesOf(strong)}, which cannot be weighed without a language model.`,
    }
  if (strong.length > 0) return { sentiment: moodOf(counted, isPraised ? 'positive' : 'negative') }
  if (complaint)
    return { unknown: `Whether “${complaint}” is a complaint cannot be told without a language model.` }
  // Agents apologise for what has gone wrong.
  const apology = transcript.find(
    ({ role, content }) => role === 'agent' && apologising.test(content),
  )?.content
  if (apology)
    return { unknown: `The agent apologised (“${apology}”); how the caller took it cannot be told.` }
  const called = sentences.find((sentence) => sentence.endsWith('!') && !isPolite.test(sentence))
  if (called) return { unknown: `How “${called}” was meant cannot be told without a language model.` }
  const mentioned = sentences.flatMap(comparableWords).find((word) => isStrong(word))
  if (mentioned) return { unknown: `Whether "${mentioned}" is the caller's own mood cannot be told.` }
  return {
    sentiment: { label: 'neutral', score: 0, reason: 'The caller used no words of praise or complaint.' },
  }
}

function moodOf(counted: readonly WeightedSentence[], label: 'positive' | 'negative'): Sentiment {
  const sum = counted.reduce((total, { weight }) => total + weight, 0)
  const towards = Math.max(1, label === 'positive' ? sum : -sum)
  // Grows with every word and stays below 1.
  const size = Math.round((towards / (towards + 4)) * 100) / 100
  return { label, score: label === 'positive' ? size : -size, reason: `By the words ${namesOf(counted)}.` }
}

const isStrong = (word: string): boolean => (pleased[word] ?? displeased[word] ?? 0) >= strongWeight

const apologising = /\b(?:sorry|apologi[sz]e)\b/i

// Whether it is an exclamation that says nothing about the mood.
const isPolite =
  /^(?:\W*(?:thanks?|thank|you|so|very|much|hello|hi|bye|goodbye|welcome|yes|no|okay|good|morning|evening|a|lot))+\W*$/i

const mentionsSelf =
  /\b(?:i|i'm|i've|i'd|i'll|me|my|we|we're|us|our|you|you're|your|it|it's|its|this|that|that's|everything|all|staff|service|food|room|thanks?)\b/i
// Words of what others thought, and of what was meant to be.
const reported =
  /\b(?:he|she|they|somebody|someone|people|everybody|(?:my|his|her|their) \w+)(?:'s|'ve)? (?:\w+ )?(?:say|says|said|told|think|thinks|thought|love[sd]?|like[sd]?|hate[sd]?|found|feels?|felt|was|were|is|are)\b/i
const unreal = /\b(?:if|would be|would have been|should be|hope|wish|expect(?:ed)?|supposed to)\b/i

const isOwn = (sentence: string): boolean => {
  if (reported.test(sentence) || unreal.test(sentence)) return false
  return comparableWords(sentence).length <= shortAnswerWords || mentionsSelf.test(sentence)
}

function countedIn(sentence: string): WeightedSentence[] {
  // A question is not about the mood: "Is it bad?"
  if (sentence.trimEnd().endsWith('?')) return []
  return sentence
    .replace(/\bgood (?:morning|afternoon|evening|day|bye)\b/gi, ' ')
    .split(/(?<![,;:–—])[,;:–—]+\s|\bbut\b/)
    .flatMap((clause) => countedInClause(clause.replace(/^\W*(?:yes|yeah|no|nope)\b[,.!]?\s+/i, '')))
}

function countedInClause(clause: string): WeightedSentence[] {
  const words = comparableWords(clause)
  return words.flatMap((word, place) => {
    const weight = pleased[word] ?? -(displeased[word] ?? 0)
    if (weight === 0 || !isSaidOfSomething(words, place)) return []
    const before = words.slice(Math.max(0, place - turningReach), place)
    const turnedAt = before.findLastIndex((one) => turning.has(one))
    const strength = stronger[before.at(-1) ?? ''] ?? 1
    if (turnedAt < 0) return [{ words: word, weight: weight * strength }]
    const phrase = [...before.slice(turnedAt), word].join(' ')
    // "not happy" is a complaint; "no problem" is no praise.
    return [{ words: phrase, weight: weight > 0 ? -weight : -weight * 0.5 }]
  })
}

// "great service" is praise, "a great battle field" is not.
const praised =
  /^(?:service|food|job|experience|staff|work|stay|help|product|company|idea|time|team|support|quality|place|room|price|offer|call|meal|and|with|that|to|for|at|about|how|when|so|really|in|on|today|now|again|here|thanks?|thank|as|because|i|you|we|it|this|than|very)$/
const verbs = /^(?:love|loved|hate|enjoyed|recommend|appreciate|complain)$/

/** Whether a word is the predicate of something, or the verb of the speaker. */
function isSaidOfSomething(words: readonly string[], place: number): boolean {
  const next = words[place + 1]
  if (verbs.test(words[place] ?? ''))
    return words.slice(Math.max(0, place - 3), place).some((word) => /^(?:i|we|i'd|we'd|i've)$/.test(word))
  return next === undefined || praised.test(next)
}

function namesOf(counted: readonly WeightedSentence[]): string {
  const named = counted
    .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, mostNamed)
    .map(({ words }) => `"${words}"`)
  return [...new Set(named)].join(', ')
}
