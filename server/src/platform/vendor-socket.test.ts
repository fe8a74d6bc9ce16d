// What a vendor's socket takes for a dead peer; its other ways are tested with the vendors that use it.
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { VendorSocket } from './vendor-socket.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

it('a process that was held up does not take its vendor for silent', async () => {
  const pingMs = 40
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  cleanups.push(() => server.close())
  await new Promise((listening) => server.once('listening', listening))
  let pings = 0
  server.on('connection', (client) =>
    client.on('ping', () => {
      pings += 1
      // The answer is on its way, and nobody here can read it before the next ping is due.
      const untilMs = performance.now() + 3 * pingMs
      while (pings === 1 && performance.now() < untilMs);
    }),
  )
  const errors: string[] = []
  const socket = new VendorSocket(
    { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` },
    {
      ...{ name: 'Acme', mostWaiting: 1, onMessage: () => {}, pace: { pingMs } },
      onEnd: ({ message }) => errors.push(message),
    },
  )
  cleanups.push(() => socket.close())
  await expect.poll(() => pings > 3 || errors.length > 0).toBe(true)
  expect(errors).toEqual([])
})
