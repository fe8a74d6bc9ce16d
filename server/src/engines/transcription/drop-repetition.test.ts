// Removing the repetition of a decoder stuck in a loop.
import { expect, it } from 'vitest'
import { dropRepetition } from './recogniser.ts'

const words = (text: string) => text.split(' ').map((word) => ({ text: ` ${word}` }))
const left = (text: string) =>
  dropRepetition(words(text))
    .map((word) => word.text)
    .join('')
    .trim()

it.each([
  ['ordinary speech is unchanged', 'we will see what we will do', 'we will see what we will do'],
  ['five repetitions are kept', 'no no no no no he said', 'no no no no no he said'],
  ['a word in a loop is kept once', 'thank you you you you you you you you', 'thank you'],
  ['a phrase in a loop is kept once', `so ${'I am here, '.repeat(7)}then`, 'so I am here, then'],
])('%s', (_, said, kept) => {
  expect(left(said.replace(/\s+/g, ' '))).toBe(kept)
})
