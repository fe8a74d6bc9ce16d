// A few at a time, in order.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inOrder } from './in-order.ts'

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i
}

async function gathered<T>(things: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const thing of things) all.push(thing)
  return all
}

it('hands on in order what is finished out of order, never more than allowed under way', async () => {
  let [underWay, most] = [0, 0]
  const work = async (number: number) => {
    most = Math.max(most, ++underWay)
    await sleep(number % 3 === 0 ? 20 : 1)
    underWay--
    return number
  }
  expect(await gathered(inOrder(numbers(20), work, { ahead: 4 }))).toEqual([...numbersUpTo(20)])
  expect(most).toBe(4)
})

it('throws the first error and waits for those under way', async () => {
  let finished = 0
  const work = async (number: number) => {
    if (number === 1) throw new Error('not this one')
    await sleep(5)
    finished++
  }
  await expect(gathered(inOrder(numbers(20), work, { ahead: 3 }))).rejects.toThrow('not this one')
  const whenThrown = finished
  await sleep(20)
  expect(finished).toBe(whenThrown)
})

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, i) => i)
