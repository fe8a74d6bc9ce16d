// Words as they are compared: without case and punctuation. And the few that mean something by themselves.

/** "Hold on, I'm—" → ['hold', 'on', "i'm"]. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}\p{N}]+(?:['][\p{L}]+)*/gu) ?? []

export const sameWords = (one: string, other: string): boolean =>
  wordsOf(one).join(' ') === wordsOf(other).join(' ')

const phrases = (...list: string[]): readonly (readonly string[])[] => list.map(wordsOf)

const stopPhrases = phrases(
  'stop',
  'wait',
  'hold on',
  'hang on',
  'one moment',
  'one second',
  'just a moment',
  'just a second',
  'just a minute',
  'excuse me',
  'be quiet',
  'shut up',
  'no no',
)

// A longer sentence has words enough to interrupt by itself, and may name a bus stop.
const longestStop = 5

/** "Wait, wait", "OK hold on": what always interrupts. */
export function isStopPhrase(text: string): boolean {
  const words = wordsOf(text)
  return words.length <= longestStop && stopPhrases.some((phrase) => contains(words, phrase))
}

const nods = new Set(
  'mhm mm mmm hm hmm uh huh um ah oh ok okay yeah yep yes yup right sure good great alright i see got it'.split(
    ' ',
  ),
)
// A listener's nod is short; more of it is an answer.
const longestNod = 3

/** "Mhm", "yeah okay": what a listener says to show that he listens. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text)
  return words.length > 0 && words.length <= longestNod && words.every((word) => nods.has(word))
}

const salutations = new Set('hello hi hey yes yeah good morning afternoon evening speaking'.split(' '))

/** "Hello?", "Good morning": what one says on picking up, whoever calls. */
export function isSalutation(text: string): boolean {
  const words = wordsOf(text)
  return words.length > 0 && words.length <= longestNod && words.every((word) => salutations.has(word))
}

/** Where the phrase begins among the words; -1 when it is not there. */
export function placeOf(words: readonly string[], phrase: readonly string[], from = 0): number {
  for (let at = from; at + phrase.length <= words.length; at++)
    if (phrase.every((word, place) => words[at + place] === word)) return at
  return -1
}

const contains = (words: readonly string[], phrase: readonly string[]): boolean => placeOf(words, phrase) >= 0
