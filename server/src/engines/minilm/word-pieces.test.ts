// Tokenising text into word pieces.
import { expect, it } from 'vitest'
import { WordPieces } from './word-pieces.ts'

const list = [
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'play',
  '##ing',
  '##ed',
  'un',
  '##play',
  'cafe',
  "'",
  's',
  '!',
  '中',
  '文',
]
const vocab = Object.fromEntries(list.map((piece, number) => [piece, number]))
const pieces = new WordPieces({ model: { vocab } }, 6)

it.each([
  ['a known word', 'play', ['play']],
  ['a word of several pieces', 'Playing', ['play', '##ing']],
  ['three pieces', 'unplayed', ['un', '##play', '##ed']],
  ['an accent', 'Café', ['cafe']],
  ['a word that cannot be covered', 'playful', ['[UNK]']],
  ['punctuation', "play's!", ['play', "'", 's', '!']],
  ['a script without spaces', '中文', ['中', '文']],
  ['too much', 'play play play play play play', ['play', 'play', 'play', 'play']],
  ['an overlong word', 'x'.repeat(200), ['[UNK]']],
  ['nothing', ' \t\n', []],
])('%s', (_, text, cut) => {
  const numbers = pieces.numbersOf(text)
  expect(numbers.map((number) => list[number])).toEqual(['[CLS]', ...cut, '[SEP]'])
})
