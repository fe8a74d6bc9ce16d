// Corrections that a browser keeps.
import { expect, it } from 'vitest'
import { memory } from '../../test/memory-store.ts'
import { forgetFormerEdits, formerEdits, keepEdits, keptEdits } from './kept-edits.ts'

const place = { userId: 'u', transcriptId: 't' }
const mine = { names: { SPEAKER_00: 'Ada' }, texts: { 1: 'Two' } }
const draft = { base: { names: {}, texts: {} }, mine }

it('they come back for whoever made them, and are gone when they are saved', () => {
  const store = memory()
  keepEdits(place, draft, store)
  expect(keptEdits(place, store)).toEqual(draft)
  expect(keptEdits({ ...place, userId: 'v' }, store)).toBeUndefined()
  expect(keptEdits({ ...place, transcriptId: 'x' }, store)).toBeUndefined()
  keepEdits(place, undefined, store)
  expect(store.held.size).toBe(0)
})

it('those of a time when only browsers kept them are found, and forgotten', () => {
  const store = memory()
  store.setItem('parley-transcript-t', JSON.stringify(mine))
  expect(formerEdits('t', store)).toEqual(mine)
  expect(formerEdits('x', store)).toBeUndefined()
  forgetFormerEdits('t', store)
  expect(formerEdits('t', store)).toBeUndefined()
})

it.each(['[1', '7', 'null', '{"mine":3}'])('%s is none', (text) => {
  const store = memory()
  store.setItem('parley.corrections.u.t', text)
  expect(keptEdits(place, store)).toBeUndefined()
})

it('a browser that keeps nothing is no fault', () => {
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(() => keepEdits(place, draft, full)).not.toThrow()
})
