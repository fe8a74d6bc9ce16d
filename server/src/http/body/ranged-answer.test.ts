import { expect, it } from 'vitest'
import { byteRangeOf } from './ranged-answer.ts'

it.each([
  [undefined, { of: 'all' }],
  ['bytes=0-', { of: 'part', first: 0, last: 99 }],
  ['bytes=10-19', { of: 'part', first: 10, last: 19 }],
  ['bytes=90-1000', { of: 'part', first: 90, last: 99 }],
  ['bytes=-10', { of: 'part', first: 90, last: 99 }],
  ['bytes=-1000', { of: 'part', first: 0, last: 99 }],
  ['bytes=99-', { of: 'part', first: 99, last: 99 }],
  ['bytes=100-', { of: 'nothing' }],
  ['bytes=-0', { of: 'nothing' }],
  ['bytes=-', { of: 'all' }],
  ['bytes=20-10', { of: 'all' }],
  ['bytes=0-1,3-4', { of: 'all' }],
  ['frames=0-1', { of: 'all' }],
  ['bytes=a-b', { of: 'all' }],
])('%s of 100 bytes', (header, wanted) => {
  expect(byteRangeOf(header, 100)).toEqual(wanted)
})

it('finds no satisfiable range in an empty file', () => {
  expect(byteRangeOf('bytes=0-', 0)).toEqual({ of: 'nothing' })
})
