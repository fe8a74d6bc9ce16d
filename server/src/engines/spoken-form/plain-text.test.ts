// Text as a model writes it, without Markdown, emoji and typography.
import { expect, it } from 'vitest'
import { sentencesToSpeak } from '../voice/sentences.ts'
import { englishWords } from './english.ts'

const said = (text: string) => sentencesToSpeak(text).map((sentence) => englishWords(sentence))

it.each([
  ['bold and italics', 'This is **very** _important_, ***really***.', ['This is very important, really.']],
  ['a heading', '## Your order\nIt has shipped.', ['Your order', 'It has shipped.']],
  ['a list', 'You need:\n* a passport\n* 2 photos', ['You need:', 'a passport', 'two photos']],
  ['a numbered list', '1. Open the app.\n2. Tap "Pay".', ['one, Open the app.', 'two, Tap Pay.']],
  ['a link', 'See [our menu](https://shop.example/menu) for more.', ['See our menu for more.']],
  ['an image', 'Here: ![a map](map.png) turn left.', ['Here: turn left.']],
  ['code', 'Type `reset` now.', ['Type reset now.']],
  ['a quotation', '> Be kind.\nAlways.', ['Be kind.', 'Always.']],
  ['a table', '| day | hours |\n|---|---|\n| Monday | 9-5 |', ['day, hours', 'Monday, nine to five']],
  ['tags', 'Hello<br>there, <b>Ann</b>.', ['Hello there, Ann.']],
  ['emoji', 'Great 🎉👍🏽 news 🇫🇷! ❤️', ['Great news!']],
  ['a smiley', 'Thanks :) bye ;-)', ['Thanks bye']],
  ['curly quotes', '“It’s fine,” she said.', ["It's fine, she said."]],
  ['dashes', 'Hello — this is Ann – from 9–5.', ['Hello, this is Ann, from nine to five.']],
  ['an ellipsis', 'Well… let me see…', ['Well, let me see.']],
  ['accents', 'Zoë’s café in Málaga', ["Zoe's cafe in Malaga"]],
  ['a trademark', 'Parley™ and Acme®', ['Parley and Acme']],
  ['a star to press', 'Press * to go back.', ['Press star to go back.']],
  ['an address with underscores', 'Write to a_b@c.example.', ['Write to a underscore b at c dot example.']],
  [
    'an address with a question',
    'See c.example/a?b=1 now.',
    ['See c dot example slash a question mark b equals one now.'],
  ],
  ['brackets', 'The fee (about $5) is due.', ['The fee, about five dollars, is due.']],
  ['marks in a row', 'What?! No!!! Stop...', ['What?', 'No!', 'Stop.']],
  ['nothing to say', '🎉 … — ***', []],
  ['another alphabet', '中文', ['']],
])('%s', (_, text, sentences) => {
  expect(said(text)).toEqual(sentences)
})

// A regular expression that backtracks takes hours for one of these, and so does not come back at all.
it('returns from any text, however odd', () => {
  const odd = [
    '9',
    ',',
    '.',
    '-',
    '/',
    ' ',
    'a',
    'A',
    'A.',
    '*',
    '_',
    '(',
    '[',
    '<',
    '@',
    'a@',
    '1-',
    'a1',
    '$1,',
    '1:',
    '#',
    "'",
    '1 ',
    'www.',
    'Mr. ',
    '|',
    '-|',
    '> ',
    '🎉',
    '½',
    'St. ',
  ]
  for (const unit of odd) {
    const text = unit.repeat(Math.ceil(10_000 / unit.length))
    for (const sentence of sentencesToSpeak(text)) expect(englishWords(sentence)).not.toMatch(/\d/)
  }
})
