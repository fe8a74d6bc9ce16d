import { expect, it } from 'vitest'
import { clausesOf } from './clauses.ts'
import { SaidBefore } from './said-before.ts'

const heard = (content: string) =>
  new SaidBefore([
    { role: 'user', content: 'when do you open' },
    { role: 'assistant', content },
  ])

it.each([
  ['goes on', 'We open at nine.', 'We close at five.', 'We close at five.'],
  ['begins again', 'We open at nine.', 'We open at nine. We close at five.', 'We close at five.'],
  [
    'begins again with other punctuation',
    'Well, we open at nine.',
    'Well - we open at NINE! And on Monday?',
    'And on Monday?',
  ],
  ['begins again after a filler of ours', 'One moment. We open at nine.', 'We open at nine. Yes.', 'Yes.'],
  [
    'goes on in the same sentence',
    'We open at nine.',
    'We open at nine and close at five.',
    'and close at five.',
  ],
  [
    'begins a word in the same way',
    'We open at nine.',
    'We open at nineteen hours.',
    'We open at nineteen hours.',
  ],
  ['says nothing new', 'We open at nine.', 'We open at nine.', ''],
  ['repeats itself later', 'Yes.', 'We do. Yes. We do.', 'We do. Yes. We do.'],
  ['says a word twice on purpose', 'No.', 'No. No. Never.', 'No. Never.'],
  ['writes without spaces', '我们九点开门。', '我们九点开门。五点关门。', '五点关门。'],
])('a model that %s', (_, before, answer, said) => {
  const saidBefore = heard(before)
  const rest = clausesOf(answer).map((clause) => saidBefore.newIn(clause))
  expect(rest.filter(Boolean).join(' ').trim()).toBe(said)
})

it('the words of the caller and of tools are nobody’s repetition', () => {
  expect(new SaidBefore([{ role: 'user', content: 'yes' }]).newIn('Yes.')).toBe('Yes.')
  expect(new SaidBefore([]).newIn('Yes.')).toBe('Yes.')
})
