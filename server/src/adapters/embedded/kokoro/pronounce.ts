// How a sentence sounds: each word from the dictionary, from its stem, letter by letter, or by a guess.

import { soundNumbers, soundsOf, withoutStress } from './sounds.ts'

/** Guesses at words that are in no dictionary. */
export interface Guesser {
  phonesOf(word: string): readonly string[]
}

export type Dictionary = Readonly<Record<string, readonly string[] | undefined>>

// Little words that lean on their neighbours: said with stress they sound like a list being read out.
const unstressed = new Set(
  (
    'a an the and or but of to in on at for from by with as is are was were be been am do does has have had will ' +
    'would can could should may might must that this it its i you he she we they me him her us them my your his our ' +
    'their if than so'
  ).split(' '),
)
// Where the dictionary's first choice is not what is said inside a sentence.
const weakForms: Readonly<Record<string, string>> = { a: 'ə', the: 'ðə', to: 'tə', and: 'ænd', your: 'jɔɹ' }
const weakBeforeVowel: Readonly<Record<string, string>> = { the: 'ði', to: 'tu' }

const letterNames: Readonly<Record<string, string>> = {
  ...{
    A: 'ˈA',
    B: 'bˈi',
    C: 'sˈi',
    D: 'dˈi',
    E: 'ˈi',
    F: 'ˈɛf',
    G: 'ʤˈi',
    H: 'ˈAʧ',
    I: 'ˈI',
    J: 'ʤˈA',
    K: 'kˈA',
  },
  ...{
    L: 'ˈɛl',
    M: 'ˈɛm',
    N: 'ˈɛn',
    O: 'ˈO',
    P: 'pˈi',
    Q: 'kjˈu',
    R: 'ˈɑɹ',
    S: 'ˈɛs',
    T: 'tˈi',
    U: 'jˈu',
    V: 'vˈi',
  },
  ...{ W: 'dˈʌbəlju', X: 'ˈɛks', Y: 'wˈI', Z: 'zˈi' },
}
// Longer runs of capitals are words that somebody wanted to be noticed.
const longestInitialism = 4

/** `Hello there.` → `həlˈO ðˈɛɹ.` */
export function pronounce(sentence: string, dictionary: Dictionary, guesser: Guesser): string {
  const pieces = sentence.match(/[A-Za-z][A-Za-z']*|[;:,.!?—…]|[-/]/g) ?? []
  const said = pieces.map((piece) => {
    if (soundNumbers[piece] !== undefined && !/[a-z]/i.test(piece)) return piece
    return /^[-/]$/.test(piece) ? '' : soundsOfWord(piece, dictionary, guesser)
  })
  return said
    .map((sounds, place) => leaning(pieces[place] ?? '', sounds, said[place + 1] ?? ''))
    .join(' ')
    .replace(/ +(?=[;:,.!?—…]|$)/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function leaning(word: string, sounds: string, next: string): string {
  const lower = word.toLowerCase()
  // The last word before a pause keeps its full sound.
  if (!unstressed.has(lower) || /^[A-Z]$/.test(sounds) || !/^[^;:,.!?—…]/.test(next)) return sounds
  const beforeVowel = /^[ˈˌ]?[AIOWYiuɑæɔəɛɜɪʊʌ]/.test(next)
  return (beforeVowel && weakBeforeVowel[lower]) || (weakForms[lower] ?? withoutStress(sounds))
}

function soundsOfWord(word: string, dictionary: Dictionary, guesser: Guesser): string {
  if (word.length === 1 && /[B-HJ-Z]/.test(word)) return letterNames[word] ?? ''
  const known = fromDictionary(word.toUpperCase(), dictionary)
  if (known) return soundsOf(known)
  if (/^[A-Z]+$/.test(word) && word.length <= longestInitialism) return spelled(word)
  return soundsOf(guesser.phonesOf(word.toLowerCase().replaceAll("'", '')))
}

const spelled = (word: string) =>
  [...word]
    .map((letter, place) => {
      const name = letterNames[letter] ?? ''
      // The last letter of an initialism carries it: F B I.
      return place < word.length - 1 ? name.replace('ˈ', 'ˌ') : name
    })
    .join('')

/** A possessive or a plural that the dictionary lacks is its stem and an ending. */
function fromDictionary(word: string, dictionary: Dictionary): readonly string[] | undefined {
  const entry = Object.hasOwn(dictionary, word) ? dictionary[word] : undefined
  if (entry) return entry
  const stem = /^(.+?)(?:'S|S'|')$/.exec(word)?.[1]
  const phones = stem ? fromDictionary(stem, dictionary) : undefined
  if (!phones) return undefined
  const last = phones.at(-1) ?? ''
  if (/^(?:S|Z|SH|ZH|CH|JH)$/.test(last)) return [...phones, 'IH0', 'Z']
  return [...phones, /^(?:P|T|K|F|TH)$/.test(last) ? 'S' : 'Z']
}
