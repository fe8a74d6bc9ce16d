// Chooses what the built-in policy says of a passage: the sentence or two that answer the question, made fit to be
// heard.
import type { Passage } from '../../ports/knowledge.ts'
import type { Closeness } from './match-facts.ts'
import { comparableWords, plainSentences, withFullStop } from './words.ts'

// Nobody listens to a longer answer in one breath.
const longestAnswer = 260
// A shorter sentence seldom stands alone.
const shortAnswer = 70
// The next sentence is said too if it fits nearly as well.
const alsoFits = 0.6
// The number of passages that are searched for the answer; the best is not always the first.
const readPassages = 2

// To embed a hundred characters takes six milliseconds, and the caller is waiting.
const comparedCharacters = 300

interface Candidate {
  readonly words: string
  readonly passage: Passage
  /** How well the words fit, without their meaning. */
  readonly fit: number
}

const candidatesIn = (question: string, passages: readonly Passage[]): Candidate[] =>
  passages.slice(0, readPassages).flatMap((passage, rank) =>
    sentencesIn(passage).map((words) => ({
      words,
      passage,
      // The first passage fits best as a whole.
      fit: 0.4 * sharedWords(question, words) - rank * 0.1 - (isFragment(words) ? 0.5 : 0),
    })),
  )

/** The sentences whose meaning decides: those of the best passages that are likely answers by their words. */
export function answersIn(question: string, passages: readonly Passage[]): string[] {
  let characters = 0
  return candidatesIn(question, passages)
    .sort((one, other) => other.fit - one.fit)
    .map(({ words }) => words)
    .filter((words) => {
      const hasRoom = characters + words.length <= comparedCharacters
      if (hasRoom) characters += words.length
      return hasRoom
    })
}

/** The sentences of a passage; none goes beyond the end of its paragraph. */
const sentencesIn = ({ text }: Passage): string[] =>
  text.split('\n').flatMap((paragraph) => plainSentences(spoken(paragraph)))

/** The answer to a question; undefined: nothing in the passages can be said. */
export function readOut(
  question: string,
  passages: readonly Passage[],
  isNear: Closeness,
): string | undefined {
  // Words and meaning together: each alone is easily misled by a neighbour.
  const scored = candidatesIn(question, passages).map(({ words, passage, fit }) => ({
    words,
    passage,
    score: fit + 0.6 * isNear(question, words),
  }))
  const candidates = scored.map((one, place) => {
    const next = scored[place + 1]
    return { ...one, next: next?.passage === one.passage ? next : undefined }
  })
  const best = candidates.toSorted((one, other) => other.score - one.score)[0]
  if (!best) return undefined
  const { words, score, next } = best
  const takesNext = next && (words.length < shortAnswer || next.score >= score * alsoFits)
  const both = takesNext ? `${words} ${next.words}` : words
  return withFullStop(shortened(both.length <= longestAnswer ? both : words))
}

/** The share of the question's longer words that the sentence has, whatever their endings. */
function sharedWords(question: string, words: string): number {
  const stems = (text: string) =>
    new Set(
      comparableWords(text)
        .filter((word) => word.length > 3)
        .map((word) => word.slice(0, 5)),
    )
  const asked = stems(question)
  const said = stems(words)
  return asked.size === 0 ? 0 : [...asked].filter((stem) => said.has(stem)).length / asked.size
}

/** Whether the words are a title, a piece of a list or of a table, or a sentence that was cut. */
const isFragment = (words: string): boolean =>
  words.split(' ').length < 4 || !/^["“(]?[\p{Lu}\p{N}]/u.test(words) || !/[.!?]$/.test(words)

/** A text without addresses, remarks in brackets and references, which are for readers. */
function spoken(text: string): string {
  return text
    .replace(/→?(?<!\s)\s*https?:\/\/\S+/g, '')
    .replace(/(?<!\s)\s*\((?:see|cf\.|i\.e\.|e\.g\.)?[^()]{0,200}\)/g, '')
    .replace(/(?<!\s)\s*\[\d+\]/g, '')
    .replace(/(?<!\s)\s*[|•▪]\s*/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\s)\s+([.,;:!?])/g, '$1')
    .trim()
}

/** Shortens an answer to the part of the sentence that is complete. */
function shortened(words: string): string {
  if (words.length <= longestAnswer) return words
  const cut = words.slice(0, longestAnswer)
  const at = Math.max(cut.lastIndexOf('; '), cut.lastIndexOf(', '), cut.lastIndexOf(': '))
  return cut.slice(0, at > longestAnswer / 2 ? at : cut.lastIndexOf(' '))
}
