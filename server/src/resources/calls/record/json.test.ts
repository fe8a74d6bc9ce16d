import { expect, it } from 'vitest'
import { toJson } from './json.ts'

it('replaces what PostgreSQL would refuse, at any depth', () => {
  expect(toJson([{ a: 'x\0y', b: { c: '\ud800' } }])).toBe('[{"a":"x\uFFFDy","b":{"c":"\uFFFD"}}]')
})
