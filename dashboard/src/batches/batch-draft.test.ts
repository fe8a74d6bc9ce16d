// What is sent of a new batch.
import { expect, it } from 'vitest'
import { formOf, newBatchDraft } from './batch-draft.ts'

const sent = (window: object) => {
  const draft = newBatchDraft()
  const form = formOf({ ...draft, calling_window: { ...draft.calling_window, ...window } }, undefined)
  const given = form.get('calling_window')
  return given === null ? undefined : JSON.parse(String(given))
}

it.each([
  ['days without hours are whole days', { days: ['monday'] }, ['00:00', '24:00', ['monday']]],
  [
    'a start alone lasts until midnight',
    { days: ['monday'], start_time: '09:00' },
    ['09:00', '24:00', ['monday']],
  ],
  [
    'an end alone begins at midnight',
    { days: ['monday'], end_time: '18:00' },
    ['00:00', '18:00', ['monday']],
  ],
])('%s', (_what, window, [start_time, end_time, days]) =>
  expect(sent(window)).toMatchObject({ start_time, end_time, days }),
)

it('the usual days are sent, so that nobody is called at the weekend', () =>
  expect(sent({}).days).toEqual(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']))

it('every day at any hour needs no window', () => {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  expect(sent({ days })).toBeUndefined()
})
