// Keys with and without crypto.randomUUID.
import { expect, it } from 'vitest'
import { newIdempotencyKey } from './idempotency-key.ts'

it('is a UUID if the runtime has randomUUID', () => {
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

it.each([
  ['Node 18, which has no global crypto', null],
  ['a page that is not secure, whose crypto makes no UUIDs', {}],
])('is unique on %s', (_where, crypto) => {
  const keys = Array.from({ length: 1_000 }, () => newIdempotencyKey(crypto))
  expect(new Set(keys).size).toBe(1_000)
  for (const key of keys) expect(key).toMatch(/^[0-9a-z-]{12,64}$/)
})
