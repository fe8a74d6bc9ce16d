// Builds segments for vendors that return only words: split at sentences, speakers and pauses.

import { codeOfLanguage } from '../../../platform/language-names.ts'
import type { TranscribedSegment, TranscribedWord } from '../../../ports/transcription.ts'

/** A word with its leading space, if there is one. */
export type WrittenWord = TranscribedWord

// Longer than the gap between words, shorter than between thoughts.
const pauseSeconds = 1
// Two lines of subtitles; only speech without punctuation gets this long.
const mostSeconds = 15
const sentenceEnd = /[.!?…。！？।؟]["'”’»)\]]*$/u
const shortened = /^(\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr)\.$/u
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** `align`: whether segments include their words. */
export function segmentWords(words: readonly WrittenWord[], align: boolean): TranscribedSegment[] {
  const groups: WrittenWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    if (group && belongs(word, group)) group.push(word)
    else groups.push([word])
  }
  return groups.map((group) => segmentOf(group, align))
}

/** A script without spaces between words. */
export const isUnspaced = (text: string): boolean => unspaced.test(text)

/** Adds the spaces to words that came without. */
export const spaced = (words: readonly TranscribedWord[]): WrittenWord[] =>
  words.map((word) => (isUnspaced(word.word) ? word : { ...word, word: ` ${word.word}` }))

function belongs(word: WrittenWord, group: readonly WrittenWord[]): boolean {
  const [first, last] = [group[0] as WrittenWord, group.at(-1) as WrittenWord]
  const said = last.word.trim()
  const isOver = sentenceEnd.test(said) && !shortened.test(said)
  return (
    !isOver &&
    word.speaker === last.speaker &&
    word.startSeconds - last.endSeconds < pauseSeconds &&
    word.endSeconds - first.startSeconds <= mostSeconds
  )
}

function segmentOf(group: readonly WrittenWord[], align: boolean): TranscribedSegment {
  const first = group[0] as WrittenWord
  const sure = group.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]))
  return {
    startSeconds: first.startSeconds,
    endSeconds: (group.at(-1) as WrittenWord).endSeconds,
    text: group
      .map(({ word }) => word)
      .join('')
      .trim(),
    confidence: sure.length === 0 ? null : sure.reduce((sum, one) => sum + one, 0) / sure.length,
    speaker: first.speaker,
    words: align ? group.map((word) => ({ ...word, word: word.word.trim() })) : [],
  }
}

/** The language of most of the text. */
export function mostSpoken(
  parts: readonly { readonly language?: string | null | undefined; readonly text: string }[],
): string | null {
  const letters = new Map<string, number>()
  for (const { language, text } of parts)
    if (language) letters.set(language, (letters.get(language) ?? 0) + text.length)
  const [most] = [...letters].sort(([, one], [, other]) => other - one)
  return most ? codeOfLanguage(most[0]) : null
}
