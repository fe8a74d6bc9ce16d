import { NewRecipient } from '@parley/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inspect } from '../../http/body/body.ts'
import { isPlainRecipient, noteZone } from './check-row.ts'

const odd = fc.oneof(
  fc.anything(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a\0', '\ud800', '', '+15550100', Number.NaN),
)
const mostly = <Value>(sound: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: sound as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd })
const value = mostly(fc.oneof(fc.string(), fc.integer(), fc.boolean()))
const key = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('a\0', '\ud800', ''))
const fields = {
  to_phone_number: mostly(fc.stringMatching(/^\+[1-9][0-9]{2,14}$/)),
  recipient_id: mostly(fc.string({ minLength: 1 })),
  name: mostly(fc.string()),
  variables: mostly(fc.dictionary(key, value, { noNullPrototype: true })),
  timezone: mostly(fc.constantFrom('Europe/Paris', 'europe/paris', 'Mars/Base')),
}
const plainly = { requiredKeys: ['to_phone_number' as const], noNullPrototype: true }
const like = fc.oneof(
  fc.record(fields, plainly),
  fc.record({ ...fields, metadata: odd, surprise: odd }, plainly),
)

it('accepts nothing that the schema refuses, and changes nothing', () => {
  noteZone({ to_phone_number: '+15550100', timezone: 'Europe/Paris' })
  let plain = 0
  fc.assert(
    fc.property(fc.oneof(like, odd), (raw) => {
      if (!isPlainRecipient(raw)) return
      plain++
      const faults: object[] = []
      inspect(raw, '', 0, faults as never)
      expect(faults).toEqual([])
      expect(NewRecipient.parse(raw)).toEqual(raw)
    }),
    { numRuns: 5_000 },
  )
  expect(plain).toBeGreaterThan(20)
})

it('accepts a plain recipient', () => {
  expect(
    isPlainRecipient({
      to_phone_number: '+15550100',
      recipient_id: 'a',
      name: 'Ada',
      variables: { amount: 1.5, vip: true, day: 'Monday' },
    }),
  ).toBe(true)
})
