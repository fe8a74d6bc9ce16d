// Bounded parallel mapping with ordered results.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapInOrder } from './map-in-order.ts'

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i
}

async function gathered<T>(things: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const thing of things) all.push(thing)
  return all
}

it('yields results in input order with bounded concurrency', async () => {
  let [underWay, most] = [0, 0]
  const work = async (number: number) => {
    most = Math.max(most, ++underWay)
    await sleep(number % 3 === 0 ? 20 : 1)
    underWay--
    return number
  }
  expect(await gathered(mapInOrder(numbers(20), work, { ahead: 4 }))).toEqual([...numbersUpTo(20)])
  expect(most).toBe(4)
})

it('throws the first error after the running ones have settled', async () => {
  let finished = 0
  const work = async (number: number) => {
    if (number === 1) throw new Error('broken on purpose')
    await sleep(5)
    finished++
  }
  await expect(gathered(mapInOrder(numbers(20), work, { ahead: 3 }))).rejects.toThrow('broken on purpose')
  const whenThrown = finished
  await sleep(20)
  expect(finished).toBe(whenThrown)
})

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, i) => i)
