// What of the form of a number is sent.
import { expect, it } from 'vitest'
import { headerLines } from '../ui/forms/fields.tsx'
import { emptyNumber, newNumber, numberChanges } from './number-draft.ts'

it('a new number has nothing that was left empty', () => {
  const draft = {
    ...emptyNumber,
    phone_number: '+4930901820',
    label: '',
    credentials: { host: 'sip.example.com' },
  }
  expect(newNumber(draft)).toEqual({
    phone_number: '+4930901820',
    provider: 'sip',
    status: 'active',
    credentials: { host: 'sip.example.com' },
  })
  expect(newNumber({ ...draft, provider: 'sandbox' }).credentials).toBeUndefined()
})

it('a change has only what changed, and null for what was emptied', () => {
  const before = { label: 'Desk', max_concurrency: 10, credentials: { host: 'a.example', port: 5060 } }
  const after = { label: 'Desk', credentials: { host: 'a.example', password: 'new' } }
  expect(numberChanges(before, after)).toEqual({
    max_concurrency: null,
    credentials: { password: 'new', port: null },
  })
})

it('headers are lines', () => {
  const headers = { 'X-Account': 'a:b', 'X-Trunk': '7' }
  expect(headerLines.read(headerLines.show(headers))).toEqual(headers)
})
