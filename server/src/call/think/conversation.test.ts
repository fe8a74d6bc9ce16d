// Words with times, found again in the text that they became.
import { expect, it } from 'vitest'
import { HeardWords } from './conversation.ts'

const span = { startMs: 0, endMs: 500 }

const heardWords = (...texts: string[]) => {
  const heard = new HeardWords()
  heard.add(texts.map((text, place) => ({ text, startMs: place * 100, endMs: place * 100 + 90 })))
  return heard
}

it('the words of a text are those that were said last, whatever their punctuation', () => {
  const heard = heardWords('yes', 'my', 'card', 'is', '4242')
  expect(heard.timesOf('My card is: 42-42.', span)).toEqual([
    { text: 'My', startMs: 100, endMs: 190 },
    { text: 'card', startMs: 200, endMs: 290 },
    { text: 'is', startMs: 300, endMs: 390 },
    { text: '42-42', startMs: 400, endMs: 490 },
  ])
})

it('pieces of words are stretches too, and marks alone are none', () => {
  expect(heardWords(' for', 'ty', ',', ' two').timesOf('forty, two', span)).toMatchObject([
    { text: 'for' },
    { text: 'ty' },
    { text: 'two' },
  ])
})

it.each([
  ['a word more than was told', 'oh my card', ['my', 'card']],
  ['another word at the end', 'my card please', ['my', 'card', 'number']],
  ['another form of a word', 'four two', ['42']],
  ['a word cut in two', 'card', ['mycard']],
])('%s: there are no times', (_, text, words) => {
  expect(heardWords(...words).timesOf(text, span)).toEqual([])
})

it.each([
  ['before it', { startMs: 5_000, endMs: 6_000 }],
  ['after it', { startMs: -3_000, endMs: -2_000 }],
])('times that lie %s are not those of a text', (_, elsewhere) => {
  expect(heardWords('my', 'card').timesOf('my card', elsewhere)).toEqual([])
})

it('words without a length have no times', () => {
  const heard = new HeardWords()
  heard.add([{ text: 'card', startMs: 0, endMs: 0 }])
  expect(heard.timesOf('card', span)).toEqual([])
})
