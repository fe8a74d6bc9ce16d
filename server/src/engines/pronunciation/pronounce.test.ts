// Sentences to phonemes, with a small dictionary.
import { expect, it } from 'vitest'
import { PronouncingDictionary } from './dictionary.ts'
import { phonemeIds } from './phonemes.ts'
import { Pronouncer } from './pronounce.ts'

const entries = {
  A: 'AH0',
  APPLE: 'AE1 P AH0 L',
  BUS: 'B AH1 S',
  CAT: 'K AE1 T',
  DOG: 'D AO1 G',
  HELLO: 'HH AH0 L OW1',
  I: 'AY1',
  NASA: 'N AE1 S AH0',
  NURSE: 'N ER1 S',
  WAIT: 'W EY1 T',
  WATER: 'W AO1 T ER0',
  BUTTON: 'B AH1 T AH0 N',
}
const dictionary = new PronouncingDictionary(
  Object.fromEntries(Object.entries(entries).map(([word, phones]) => [word, phones.split(' ')])),
)
let predicted = 0
const predictor = {
  phonesOf(word: string) {
    predicted++
    return word === 'zork' ? ['Z', 'AO1', 'R', 'K'] : []
  },
}
const pronouncer = new Pronouncer(dictionary, predictor)

it.each([
  ['a greeting', 'Hello.', 'həlˈO.'],
  ['a flapped t', 'water', 'wˈɔɾəɹ'],
  ['a stressed r', 'nurse', 'nˈɜɹs'],
  ['function words', 'wait for a cat', 'wˈAt fɔɹ ə kˈæt'],
  ['a function word at the end', 'wait for.', 'wˈAt fˈɔɹ.'],
  ['the before a vowel', 'the apple, the dog', 'ði ˈæpəl, ðə dˈɔɡ'],
  ['to before a consonant', 'to wait', 'tə wˈAt'],
  ['lone letters', 'P M', 'pˌiˈɛm'],
  ['initials', 'FBI', 'ˌɛfbˌiˈI'],
  ['an acronym', 'NASA', 'nˈæsə'],
  ['a word in capitals', 'HELLO', 'həlˈO'],
  ['possessives', "cat's dog's bus's", 'kˈæts dˈɔɡz bˈʌsɪz'],
  ['an unknown word', 'Zork!', 'zˈɔɹk!'],
  ['a hyphen', 'cat-dog', 'kˈæt dˈɔɡ'],
  ['a compound', 'catwater', 'kˈætwˌɔɾəɹ'],
  ['nothing that can be spoken', '*** (…)', '…'],
  ['property names of JavaScript objects', 'constructor toString', ''],
])('%s', (_, sentence, phonemes) => {
  expect(pronouncer.pronounce(sentence)).toBe(phonemes)
})

it('predicts a word once', () => {
  pronouncer.pronounce('zork')
  const before = predicted
  pronouncer.pronounce('Zork, zork')
  expect(predicted).toBe(before)
})

it('uses only phonemes that the network knows', () => {
  const said = pronouncer.pronounce("Wait, hello! The button's for a cat: P M A B; I wait?")
  expect([...said].filter((phoneme) => phonemeIds[phoneme] === undefined)).toEqual([])
})
