import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('forgets everything when one more than it holds is remembered', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2)
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  map.set('c', 3)
  expect([...map]).toEqual([['c', 3]])
})

test('forgets nothing when it is full and told anew what it knows', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
})
