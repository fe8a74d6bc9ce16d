// The bad network of the tests is as bad as it says, and the same in every run.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { badLine, openRelay, Spoiler } from './spoiler.ts'

it('spoils as much as it should, by seed', () => {
  const run = (seed: number) => {
    const spoiler = new Spoiler(badLine, seed)
    return { spoiler, delays: Array.from({ length: 5_000 }, () => spoiler.delaysMs()) }
  }
  const { spoiler, delays } = run(3)
  expect(run(3).delays).toEqual(delays)
  expect(spoiler.lost / spoiler.seen).toBeCloseTo(badLine.loss, 1)
  expect(spoiler.repeated / (spoiler.seen - spoiler.lost)).toBeCloseTo(badLine.duplicates, 1)
  expect(Math.max(...delays.flat())).toBeLessThanOrEqual(badLine.jitterMs)
})

it('stands between two real sockets', async () => {
  const [one, two] = [createSocket('udp4'), createSocket('udp4')]
  for (const socket of [one, two]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  const [there, back] = [new Spoiler(badLine, 1), new Spoiler({ loss: 0, duplicates: 0, jitterMs: 0 }, 2)]
  const relay = await openRelay({ address: '127.0.0.1', port: two.address().port }, there, back)
  let [heard, answered] = [0, 0]
  two.on('message', (bytes, from) => {
    heard++
    two.send(bytes, from.port, from.address)
  })
  one.on('message', () => answered++)
  for (let i = 0; i < 60; i++) one.send('sound', relay.port, '127.0.0.1')
  await vi.waitFor(() => expect(there.seen).toBe(60), 10_000)
  const arriving = there.seen - there.lost + there.repeated
  await vi.waitFor(() => expect([heard, answered]).toEqual([arriving, arriving]), 10_000)
  relay.close()
  one.close()
  two.close()
})
