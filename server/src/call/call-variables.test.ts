// The variables of a call while it runs.
import { expect, it } from 'vitest'
import { openVariables } from './call-variables.ts'

it('saves under names that can be used, and tells once', () => {
  const told: object[] = []
  const variables = openVariables(
    { name: 'Ada', session_id: 's1' },
    { reserved: ['session_id'], onSave: (saved) => told.push(saved) },
  )
  expect(variables.save({ state: 'open', session_id: 'x', 'no name': 'x', __proto__: 'x' })).toEqual([
    'state',
  ])
  expect(variables.save({ session_id: 'x' })).toEqual([])
  expect(variables.values).toEqual({ name: 'Ada', session_id: 's1', state: 'open' })
  expect(variables.saved).toEqual({ state: 'open' })
  expect(told).toEqual([{ state: 'open' }])
})

it('overrides what the call began with, and fills texts with the values of now', () => {
  const fill = (text: string, values: Readonly<Record<string, string>>) =>
    text.replace('{name}', values.name ?? '')
  const variables = openVariables({ name: 'Ada' }, { fill })
  expect(variables.fill('Hello {name}')).toBe('Hello Ada')
  variables.save({ name: 'Grace' })
  expect(variables.fill('Hello {name}')).toBe('Hello Grace')
})

it('that goes on keeps what its first part has saved', () => {
  const variables = openVariables({ name: 'Ada', state: 'open' }, { saved: { state: 'open' } })
  variables.save({ mood: 'calm' })
  expect(variables.saved).toEqual({ state: 'open', mood: 'calm' })
})

it('bounds how long a value is and how many there are', () => {
  const variables = openVariables({})
  variables.save({ long: 'x'.repeat(10_000) })
  expect(variables.saved.long).toHaveLength(4_000)
  for (let at = 0; at < 300; at++) variables.save({ [`v${at}`]: 'x' })
  expect(Object.keys(variables.saved)).toHaveLength(200)
  expect(variables.save({ long: 'still changed' })).toEqual(['long'])
})
