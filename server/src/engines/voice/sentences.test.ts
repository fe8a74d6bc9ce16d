// Splitting a text into sentences before it is spoken.
import { expect, it } from 'vitest'
import { punctuated, sentencesToSpeak, shortened, wasCut } from './sentences.ts'

it.each([
  ['a text of three sentences', 'Hello. How are you? Fine!', ['Hello.', 'How are you?', 'Fine!']],
  ['a title', 'Mr. Smith is here. Dr. Jones is not.', ['Mr. Smith is here.', 'Dr. Jones is not.']],
  ['a number', 'It costs 3.50 dollars. Fine.', ['It costs 3.50 dollars.', 'Fine.']],
  ['an hour', 'Come at 5 p.m. today.', ['Come at 5 p.m. today.']],
  ['curly quotes and accents', 'It’s a café – really.', ["It's a café, really."]],
  ['an hour and a day', 'At 5 p.m. Monday. Fine.', ['At 5 p.m. Monday.', 'Fine.']],
  ['an hour at the end', 'Come at 5 p.m. Thank you.', ['Come at 5 p.m.', 'Thank you.']],
  ['another language', '¿Qué tal? Muy bien.', ['¿Qué tal?', 'Muy bien.']],
  ['a list', 'You need:\n- a **passport**\n- two _photos_\n', ['You need:', 'a passport', 'two photos']],
  ['emoji', 'Great 🎉 news.', ['Great news.']],
  ['nothing to say', ' … — !? ', []],
  ['no text', '', []],
])('%s', (_, text, sentences) => {
  expect(sentencesToSpeak(text)).toEqual(sentences)
})

it('an overlong sentence is split after commas', () => {
  const pieces = shortened(`${'this goes on and on, '.repeat(30)}and stops.`, 200)
  expect(pieces.every((piece) => piece.length <= 200)).toBe(true)
  expect(pieces.slice(0, -1).every((piece) => piece.endsWith(','))).toBe(true)
  expect(shortened('x'.repeat(450), 200).join('')).toBe('x'.repeat(450))
})

it.each([
  ['a statement', 'It is ready.', false, 'It is ready.'],
  ['a question in quotes', 'She asked "why?"', false, 'She asked "why?"'],
  ['a clause that a comma ends', 'If you like,', false, 'If you like,'],
  ['a text without an end', 'Hello there', false, 'Hello there.'],
  ['the first part of a long sentence', 'and so on', true, 'and so on,'],
  ['an end in Hindi', 'ठीक है।', false, 'ठीक है।'],
])('%s ends with a mark', (_, text, goesOn, marked) => {
  expect(punctuated(text, goesOn)).toBe(marked)
})

it('a long sentence without an end was cut; a short one, and one with an end, was not', () => {
  expect(wasCut('on and '.repeat(30).trim())).toBe(true)
  expect(wasCut(`${'on and '.repeat(30)}off.`)).toBe(false)
  expect(wasCut('Hello there')).toBe(false)
})
