// Words normalized for comparison, without case and punctuation, and the few with a meaning of their own.

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

// A longer sentence has enough words to interrupt anyway, and may mention a bus stop.
const longestStop = 5

/** "Wait, wait", "OK hold on": always interrupts. */
export function isStopPhrase(text: string): boolean {
  const words = wordsOf(text)
  return words.length <= longestStop && stopPhrases.some((phrase) => contains(words, phrase))
}

const backchannels = new Set(
  'mhm mm mmm hm hmm uh huh um ah oh ok okay yeah yep yes yup right sure good great alright i see got it'.split(
    ' ',
  ),
)
// A backchannel is short; anything longer is an answer.
const longestBackchannel = 3

/** "Mhm", "yeah okay": said to show that one is listening. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text)
  return (
    words.length > 0 && words.length <= longestBackchannel && words.every((word) => backchannels.has(word))
  )
}

const salutations = new Set('hello hi hey yes yeah good morning afternoon evening speaking'.split(' '))

/** "Hello?", "Good morning": said on picking up, regardless of who calls. */
export function isSalutation(text: string): boolean {
  const words = wordsOf(text)
  return (
    words.length > 0 && words.length <= longestBackchannel && words.every((word) => salutations.has(word))
  )
}

/** Index of the phrase among the words; -1 if absent. */
export function placeOf(words: readonly string[], phrase: readonly string[], from = 0): number {
  for (let at = from; at + phrase.length <= words.length; at++)
    if (phrase.every((word, place) => words[at + place] === word)) return at
  return -1
}

const contains = (words: readonly string[], phrase: readonly string[]): boolean => placeOf(words, phrase) >= 0
