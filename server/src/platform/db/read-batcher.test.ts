// Lookups that share a statement: each gets its own row, and none waits without need.
import { expect, it } from 'vitest'
import { ReadBatcher } from './read-batcher.ts'

interface Row {
  readonly key: number
}

function batcher() {
  const statements: { keys: number[]; answer: (rows: Row[]) => void; fail: (error: Error) => void }[] = []
  const lookups = new ReadBatcher<number, Row>(
    (keys) => new Promise((answer, fail) => statements.push({ keys, answer, fail })),
    (row, key) => row.key === key,
  )
  return { statements, lookups }
}

it('a key that comes alone is looked up at once, and those behind it together', async () => {
  const { statements, lookups } = batcher()
  const found = [1, 2, 3, 4, 5].map((key) => lookups.find(key))
  expect(statements.map(({ keys }) => keys)).toEqual([[1], [2]])
  statements[0]?.answer([{ key: 1 }])
  await expect.poll(() => statements.length).toBe(3)
  expect(statements[2]?.keys).toEqual([3, 4, 5])
  statements[1]?.answer([])
  statements[2]?.answer([{ key: 5 }, { key: 3 }])
  expect(await Promise.all(found)).toEqual([{ key: 1 }, undefined, { key: 3 }, undefined, { key: 5 }])
})

it('a statement that fails fails its own lookups only', async () => {
  const { statements, lookups } = batcher()
  const [first, second] = [lookups.find(1), lookups.find(2)]
  statements[0]?.fail(new Error('gone'))
  statements[1]?.answer([{ key: 2 }])
  await expect(first).rejects.toThrow('gone')
  expect(await second).toEqual({ key: 2 })
  const third = lookups.find(3)
  statements[2]?.answer([])
  expect(await third).toBeUndefined()
})
