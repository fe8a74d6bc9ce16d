// What the recognizer wrote, as it is shown.
import { expect, it } from 'vitest'
import { asWrittenToday } from './moonshine-words.ts'

it.each([
  ['To-morrow at ten.', 'Tomorrow at ten.'],
  ['No,, thank you.', 'No, thank you.'],
  ['Wait... at 10:30, please.', 'Wait... at 10:30, please.'],
])('%s', (heard, shown) => {
  expect(asWrittenToday(heard)).toBe(shown)
})
