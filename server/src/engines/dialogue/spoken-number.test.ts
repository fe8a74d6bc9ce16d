import { expect, it } from 'vitest'
import { withAmounts } from './spoken-number.ts'

it.each([
  ['where is my order four thousand, seven hundred eleven', 'where is my order 4711'],
  ['two hundred and five dollars', '205 dollars'],
  ['order one thousand and one for two people', 'order 1001 for two people'],
  ['twenty-one people', 'twenty-one people'],
  ['a hundred', 'a hundred'],
])('%s', (said, written) => expect(withAmounts(said)).toBe(written))
