// Sentence to phonemes: each word from the dictionary, from its stem, spelled out, or predicted.

import { phonemeIds, phonemesOf, withoutStress } from './phonemes.ts'

/** Predicts the pronunciation of words outside the dictionary. */
export interface Predictor {
  phonesOf(word: string): readonly string[]
}

export type Dictionary = Readonly<Record<string, readonly string[] | undefined>>

// Function words: with stress a sentence sounds like a list being read out.
const unstressed = new Set(
  (
    'a an the and or but of to in on at for from by with as is are was were be been am do does has have had will ' +
    'would can could should may might must that this it its i you he she we they me him her us them my your his our ' +
    'their if than so'
  ).split(' '),
)
// Where the dictionary's first entry is wrong inside a sentence.
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
// Longer runs of capitals are emphasised words.
const longestInitialism = 4

/** `Hello there.` → `həlˈO ðˈɛɹ.` */
export function pronounce(sentence: string, dictionary: Dictionary, predictor: Predictor): string {
  const pieces = sentence.match(/[A-Za-z][A-Za-z']*|[;:,.!?—…]|[-/]/g) ?? []
  const said = pieces.map((piece) => {
    if (phonemeIds[piece] !== undefined && !/[a-z]/i.test(piece)) return piece
    return /^[-/]$/.test(piece) ? '' : phonemesOfWord(piece, dictionary, predictor)
  })
  return said
    .map((phonemes, place) => reduced(pieces[place] ?? '', phonemes, said[place + 1] ?? ''))
    .join(' ')
    .replace(/ +(?=[;:,.!?—…]|$)/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function reduced(word: string, phonemes: string, next: string): string {
  const lower = word.toLowerCase()
  // The last word before a pause keeps its full form.
  if (!unstressed.has(lower) || /^[A-Z]$/.test(phonemes) || !/^[^;:,.!?—…]/.test(next)) return phonemes
  const beforeVowel = /^[ˈˌ]?[AIOWYiuɑæɔəɛɜɪʊʌ]/.test(next)
  return (beforeVowel && weakBeforeVowel[lower]) || (weakForms[lower] ?? withoutStress(phonemes))
}

function phonemesOfWord(word: string, dictionary: Dictionary, predictor: Predictor): string {
  if (word.length === 1 && /[B-HJ-Z]/.test(word)) return letterNames[word] ?? ''
  const known = fromDictionary(word.toUpperCase(), dictionary)
  if (known) return phonemesOf(known)
  if (/^[A-Z]+$/.test(word) && word.length <= longestInitialism) return spelled(word)
  return phonemesOf(predictor.phonesOf(word.toLowerCase().replaceAll("'", '')))
}

const spelled = (word: string) =>
  [...word]
    .map((letter, place) => {
      const name = letterNames[letter] ?? ''
      // The last letter of an initialism carries the stress: F B I.
      return place < word.length - 1 ? name.replace('ˈ', 'ˌ') : name
    })
    .join('')

/** Possessives and plurals missing from the dictionary are formed from the stem. */
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
