// Tests of the metric itself.
import { expect, it } from 'vitest'
import { errorRate, wordErrors } from './word-errors.ts'

it.each([
  ['the same words, written otherwise', 'he was ill disposed', 'He was ill-disposed.', 0],
  ['a changed word', 'tear a thin sheet', 'tear the thin sheet', 1],
  ['a missing word', 'mend the coat', 'mend coat', 1],
  ['a word too many', 'mend the coat', 'a mend the coat', 1],
  ['nothing heard', 'mend the coat', '', 3],
])('%s', (_, said, heard, errors) => {
  expect(wordErrors(said, heard).errors).toBe(errors)
})

it('divides errors by the number of spoken words', () => {
  expect(errorRate([wordErrors('a b c', 'a b'), wordErrors('d', 'd')])).toBe(0.25)
})
