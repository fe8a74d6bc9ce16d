// English words to phonemes: each word from the dictionary, from its parts, spelled out, or predicted; then stress.

import { readFile } from 'node:fs/promises'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { PronouncingDictionary } from './dictionary.ts'
import { functionWord, isFunctionWord } from './function-words.ts'
import { heteronym } from './heteronyms.ts'
import { isInitialism, spelled } from './letter-names.ts'
import { LetterToSound, type LetterToSoundWeights } from './letter-to-sound.ts'
import { ownWords } from './own-words.ts'
import type { Context } from './part-of-speech.ts'
import { phonemesOf, withoutStress } from './phonemes.ts'
import { englishPhonetics, phoneticRun } from './phonetic.ts'
import { type PhoneLookup, phonesOfForm, withS } from './word-forms.ts'

/** Predicts the pronunciation of words outside the dictionary. */
export interface Predictor {
  phonesOf(word: string): readonly string[]
}

interface Token {
  /** The word as written; a mark of punctuation is a pause. */
  readonly text: string
  readonly word: string
  readonly isPause: boolean
  /** Whether it is the last part of "check-in". */
  readonly isSuffix: boolean
}

// A conversation uses few words again and again; a text of made-up ones must not fill the memory.
const mostRemembered = 4_000
// A longer word is said in parts.
const longestWord = 40
const wordOrPause = new RegExp(
  `[A-Za-z](?:[A-Za-z]|'(?=[A-Za-z])){0,${longestWord - 1}}'?|${phoneticRun.source}|[;:,.!?…—]`,
  'gu',
)

export class Pronouncer {
  readonly #dictionary: PronouncingDictionary
  readonly #predictor: Predictor
  readonly #remembered = new BoundedMap<string, string>(mostRemembered)

  constructor(dictionary: PronouncingDictionary, predictor: Predictor) {
    this.#dictionary = dictionary
    this.#predictor = predictor
  }

  /** Pronounces a sentence in its spoken form: `Hello there.` is `həlˈO ðˈɛɹ.` */
  pronounce(sentence: string): string {
    const tokens = tokensOf(sentence)
    const isShouted = !/[a-z]/.test(sentence) && /[A-Z]{3}/.test(sentence) && tokens.length > 2
    const full = tokens.map((token, place) =>
      token.isPause ? token.text : this.#phonemesOf(token, contextOf(tokens, place), isShouted),
    )
    const said = full.map((phonemes, place) => inSentence(phonemes, place, tokens, full, isShouted))
    joinLetters(tokens, said)
    return joined(tokens, withOneStress(tokens, said))
  }

  #phonemesOf(token: Token, context: Context, isShouted: boolean): string {
    const { text, word } = token
    if (phoneticRun.test(text)) return englishPhonetics(text)
    if (word === 'ay' || (!isShouted && isLetter(text, context))) return spelled(word === 'ay' ? 'A' : text)
    if (/^[A-Z]{2,5}s$/.test(text) && !this.#known(word)) return `${spelled(text.slice(0, -1))}z`
    const [, initials = '', ending] = /^([A-Z]{2,5})('s)?$/.exec(text) ?? []
    if (isInitialism(initials || text, this.#known(initials.toLowerCase() || word) !== undefined, isShouted))
      return spelled(initials || text) + (ending ? 'z' : '')
    const remembered = this.#remembered.get(text)
    if (remembered !== undefined) return remembered
    const inContext = this.#byContext(word, context)
    return inContext
      ? phonemesOf(inContext)
      : this.#remember(text, phonemesOf(this.#phonesOfWord(word, text)))
  }

  /** The phones of a word whose pronunciation depends on its neighbours, or of its plural. */
  #byContext(word: string, context: Context): readonly string[] | undefined {
    const phones = heteronym(word, context, this.#known(word))
    if (phones || !word.endsWith('s')) return phones
    const stem = heteronym(word.slice(0, -1), context, undefined)
    return stem && withS(stem)
  }

  readonly #known: PhoneLookup = (word) => ownWords.get(word) ?? this.#dictionary.phonesOf(word.toUpperCase())

  #phonesOfWord(word: string, text: string): readonly string[] {
    return (
      this.#known(word) ??
      phonesOfForm(word, this.#known) ??
      this.#inHumps(text) ??
      this.#predictor.phonesOf(word.replaceAll("'", ''))
    )
  }

  #remember(text: string, phonemes: string): string {
    this.#remembered.set(text, phonemes)
    return phonemes
  }

  /** The phones of `PayBack`, whose parts are words. */
  #inHumps(text: string): readonly string[] | undefined {
    const parts = text.split(/(?<=[a-z])(?=[A-Z])/)
    if (parts.length < 2) return undefined
    return parts.flatMap((part, place) => {
      const phones = this.#phonesOfWord(part.toLowerCase(), part.toLowerCase())
      return place === 0 ? phones : phones.map((phone) => phone.replace('1', '2'))
    })
  }
}

function tokensOf(sentence: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: text, index } of sentence.matchAll(wordOrPause)) {
    const isPause = !/[A-Za-z]/.test(text) && !phoneticRun.test(text)
    const isSuffix = sentence[index - 1] === '-' && sentence[index + text.length] !== '-'
    const word = text.toLowerCase().replace(/(?<!s)'$/, '')
    tokens.push({ text: text.replace(/(?<!s)'$/i, ''), word, isPause, isSuffix })
  }
  return tokens
}

function contextOf(tokens: readonly Token[], place: number): Context {
  const wordAt = (at: number) => {
    const token = tokens[at]
    return !token || token.isPause ? '' : token.word
  }
  return { before: (steps) => wordAt(place - steps), after: (steps) => wordAt(place + steps) }
}

/**
 * Whether a token is a lone letter. `A` begins a sentence as an article, and `I` is a pronoun unless other letters are
 * beside it.
 */
function isLetter(text: string, { before, after }: Context): boolean {
  if (!/^[A-Z]$/.test(text)) return false
  const beside = [before(1), after(1)].some((word) => /^(?:[b-hj-z]|ay)$/.test(word))
  if (text === 'I') return beside
  return text !== 'A' || beside || before(1) !== ''
}

function inSentence(
  phonemes: string,
  place: number,
  tokens: readonly Token[],
  full: readonly string[],
  isShouted: boolean,
): string {
  const token = tokens[place]
  if (!token || token.isPause || !isFunctionWord(token.word)) return phonemes
  // In capitals it is emphasised, or a lone letter; the pronoun is neither.
  const isCapital = /^[A-Z]+$/.test(token.text) && token.word !== 'i'
  if (isCapital && !isShouted && !(token.word === 'a' && phonemes !== spelled('A'))) return phonemes
  const after = tokens[place + 1]
  const context = contextOf(tokens, place)
  const said =
    functionWord(token.word, {
      next: !after || after.isPause ? '' : (full[place + 1] ?? ''),
      wordBefore: context.before(1),
      wordAfter: context.after(1),
    }) ?? phonemes
  return token.isSuffix && !/[ˈˌ]/.test(said) ? stressed(said, 'ˌ') : said
}

const firstVowel = /[AIOWYiuɑæɔəɛɜɪʊʌ]/
const stressed = (phonemes: string, mark: string) => withoutStress(phonemes).replace(firstVowel, `${mark}$&`)

/** Adds a main stress where there is none between two pauses: "You?", "And him?", "How are you?" */
function withOneStress(tokens: readonly Token[], said: readonly string[]): string[] {
  const result = [...said]
  let from = 0
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && !tokens[at]?.isPause) continue
    const clause = result.slice(from, at)
    if (clause.length > 0 && !clause.some((phonemes) => phonemes.includes('ˈ'))) {
      const half = clause.findLastIndex((phonemes) => phonemes.includes('ˌ'))
      const place = from + (half < 0 ? clause.length - 1 : half)
      result[place] = stressed(result[place] ?? '', 'ˈ')
    }
    from = at + 1
  }
  return result
}

// Longer runs are spelled for the listener to write down: every letter has its stress.
const longestInitialism = 4

/** Joins initialisms such as "P M" and "U S" into one word with the stress on its last letter. */
function joinLetters(tokens: readonly Token[], said: string[]): void {
  const isLetterAt = (at: number) => {
    const { text = '', word = '' } = tokens[at] ?? {}
    return (/^[A-Z]$/.test(text) || word === 'ay') && said[at] === spelled(word === 'ay' ? 'A' : text)
  }
  for (let from = 0; from < tokens.length; from++) {
    let until = from
    while (until < tokens.length && isLetterAt(until)) until++
    const count = until - from
    if (count < 2) continue
    if (count <= longestInitialism) {
      const letters = tokens.slice(from, until).map(({ word }) => (word === 'ay' ? 'A' : word))
      said.fill('', from, until)
      said[from] = spelled(letters.join(''))
    }
    from = until
  }
}

const joined = (tokens: readonly Token[], said: readonly string[]) =>
  said
    .map((phonemes, place) =>
      place === 0 || tokens[place]?.isPause || phonemes === '' ? phonemes : ` ${phonemes}`,
    )
    .join('')
    .trim()

export interface EnglishFiles {
  readonly dictionary: string
  readonly letterToSound: string
}

/** Turns a sentence in its spoken form into phonemes. */
export type Pronounce = (sentence: string) => string

/** Loads the dictionary, and the network for other words. */
export async function loadEnglish(files: EnglishFiles): Promise<Pronounce> {
  const entries = JSON.parse(await readFile(files.dictionary, 'utf8')) as Record<string, string[]>
  const weights = JSON.parse(await readFile(files.letterToSound, 'utf8')) as LetterToSoundWeights
  const pronouncer = new Pronouncer(new PronouncingDictionary(entries), new LetterToSound(weights))
  return (sentence) => pronouncer.pronounce(sentence)
}
