// Sentences to phonemes, with a small dictionary.
import { expect, it } from 'vitest'
import { phonemeIds } from './phonemes.ts'
import { type Dictionary, pronounce } from './pronounce.ts'

const entries = {
  A: 'AH0',
  APPLE: 'AE1 P AH0 L',
  BUS: 'B AH1 S',
  CAT: 'K AE1 T',
  DOG: 'D AO1 G',
  FOR: 'F AO1 R',
  HELLO: 'HH AH0 L OW1',
  I: 'AY1',
  NASA: 'N AE1 S AH0',
  NURSE: 'N ER1 S',
  THE: 'DH AH0',
  TO: 'T UW1',
  WAIT: 'W EY1 T',
  WATER: 'W AO1 T ER0',
  BUTTON: 'B AH1 T AH0 N',
}
const dictionary: Dictionary = Object.fromEntries(
  Object.entries(entries).map(([word, phones]) => [word, phones.split(' ')]),
)
const predictor = { phonesOf: (word: string) => (word === 'zork' ? ['Z', 'AO1', 'R', 'K'] : []) }

it.each([
  ['a greeting', 'Hello.', 'həlˈO.'],
  ['a flapped t', 'water', 'wˈɔɾəɹ'],
  ['a stressed r', 'nurse', 'nˈɜɹs'],
  ['function words', 'wait for a cat', 'wˈAt fɔɹ ə kˈæt'],
  ['a function word at the end', 'wait for.', 'wˈAt fˈɔɹ.'],
  ['the before a vowel', 'the apple, the dog', 'ði ˈæpəl, ðə dˈɔɡ'],
  ['to before a consonant', 'to wait', 'tə wˈAt'],
  ['a lone letter', 'P M', 'pˈi ˈɛm'],
  ['initials', 'FBI', 'ˌɛfbˌiˈI'],
  ['an acronym', 'NASA', 'nˈæsə'],
  ['a word in capitals', 'HELLO', 'həlˈO'],
  ['possessives', "cat's dog's bus's", 'kˈæts dˈɔɡz bˈʌsɪz'],
  ['an unknown word', 'Zork!', 'zˈɔɹk!'],
  ['a hyphen', 'cat-dog', 'kˈæt dˈɔɡ'],
  ['nothing that can be spoken', '*** (…)', '…'],
  ['property names of JavaScript objects', 'constructor', ''],
])('%s', (_, sentence, phonemes) => {
  expect(pronounce(sentence, dictionary, predictor)).toBe(phonemes)
})

it('uses only phonemes that the network knows', () => {
  const said = pronounce("Wait, hello! The button's for a cat: P M A B; I wait?", dictionary, predictor)
  expect([...said].filter((phoneme) => phonemeIds[phoneme] === undefined)).toEqual([])
})
