import { expect, it } from 'vitest'
import { toJson } from './json.ts'

it('writes nothing that PostgreSQL would refuse, wherever it stands', () => {
  expect(toJson([{ a: 'x\0y', b: { c: '\ud800' } }])).toBe('[{"a":"x\uFFFDy","b":{"c":"\uFFFD"}}]')
})
