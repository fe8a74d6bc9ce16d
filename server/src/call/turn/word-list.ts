// Words normalized for comparison, without case and punctuation, and the few with a meaning of their own.
import { type TurnLanguageCode, turnLanguageCodes, turnLanguages } from './languages/index.ts'
import type { TurnLanguage } from './languages/turn-language.ts'

/** "Hold on, I'm—" → ['hold', 'on', "i'm"]. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}\p{N}]+(?:['][\p{L}]+)*/gu) ?? []

export const sameWords = (one: string, other: string): boolean =>
  wordsOf(one).join(' ') === wordsOf(other).join(' ')

/** Makes a value for each language when the process starts: these words are looked for at every tick. */
export const perLanguage = <Value>(
  make: (language: TurnLanguage) => Value,
): Readonly<Record<TurnLanguageCode, Value>> =>
  Object.fromEntries(turnLanguageCodes.map((code) => [code, make(turnLanguages[code])])) as Record<
    TurnLanguageCode,
    Value
  >

type Phrase = readonly string[]

/** The phrases of a list, the longest first, so that a phrase is found before its own beginning. */
const phrases = (list: string): readonly Phrase[] =>
  list
    .split(',')
    .map(wordsOf)
    .toSorted((one, other) => other.length - one.length)

const stops = perLanguage((language) => phrases(language.stops))
const backchannels = perLanguage((language) => phrases(language.backchannels))
const salutations = perLanguage((language) => phrases(language.salutations))
const goodbyes = perLanguage((language) => phrases(language.goodbyes))

// A longer sentence has enough words to interrupt anyway, and may mention a bus stop.
const longestStop = 5

/** "Wait, wait", "OK hold on": always interrupts. */
export function isStopPhrase(text: string, language: TurnLanguageCode): boolean {
  const words = wordsOf(text)
  return words.length <= longestStop && stops[language].some((phrase) => placeOf(words, phrase) >= 0)
}

// A backchannel is short; anything longer is an answer.
const longestBackchannel = 3

/** "Mhm", "yeah okay": said to show that one is listening. */
export const isBackchannel = (text: string, language: TurnLanguageCode): boolean =>
  consistsOf(wordsOf(text), backchannels[language])

/** "Hello?", "Good morning": said on picking up, regardless of who calls. */
export const isSalutation = (text: string, language: TurnLanguageCode): boolean =>
  consistsOf(wordsOf(text), salutations[language])

// Before and after a goodbye come thanks and a name, and not another subject.
const longestGoodbye = 8

/** "OK thanks, bye": ends with a goodbye, give or take a word. */
export function isGoodbye(text: string, language: TurnLanguageCode): boolean {
  const words = wordsOf(text)
  if (words.length === 0 || words.length > longestGoodbye || text.trim().endsWith('?')) return false
  return goodbyes[language].some((phrase) => {
    const place = words.length - phrase.length
    return [place, place - 1].some((at) => at >= 0 && placeOf(words, phrase, at) === at)
  })
}

function consistsOf(words: readonly string[], list: readonly Phrase[]): boolean {
  if (words.length === 0 || words.length > longestBackchannel) return false
  let at = 0
  while (at < words.length) {
    const found = list.find((phrase) => phrase.every((word, place) => words[at + place] === word))
    if (!found) return false
    at += found.length
  }
  return true
}

/** Index of the phrase among the words; -1 if absent. */
export function placeOf(words: readonly string[], phrase: readonly string[], from = 0): number {
  for (let at = from; at + phrase.length <= words.length; at++)
    if (phrase.every((word, place) => words[at + place] === word)) return at
  return -1
}
