// The server and the pages refuse a number with the same words.
import { expect, it } from 'vitest'
import { CallTarget, PhoneNumber } from './calls/call.ts'
import { isCallable } from './telephone-number.ts'

const sentence = (schema: typeof CallTarget | typeof PhoneNumber, given: unknown) =>
  schema.safeParse(given).error?.issues.at(-1)?.message

it.each([
  ['0800 12', '0800 12 is no telephone number with its country code, such as +15550100.'],
  ['', 'Nothing is no telephone number with its country code, such as +15550100.'],
  [undefined, 'Nothing is no telephone number with its country code, such as +15550100.'],
  ['sip:nobody', 'sip:nobody is no SIP address, such as sip:ada@example.com.'],
])('%s cannot be called', (given, message) => {
  expect(sentence(CallTarget, given)).toBe(message)
  expect(isCallable(given ?? '')).toBe(false)
})

it('a number of ours is no SIP address', () => {
  expect(sentence(PhoneNumber, 'sip:ada@example.com')).toBe(
    'sip:ada@example.com is no telephone number with its country code, such as +15550100.',
  )
})

it.each(['+15550100', 'sip:ada@example.com', 'sips:ada@example.com:5061'])('%s can be called', (given) => {
  expect(CallTarget.safeParse(given).success).toBe(true)
  expect(isCallable(given)).toBe(true)
})
