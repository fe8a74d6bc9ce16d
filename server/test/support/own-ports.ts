// Ports for tests that have to name them: below those that the system hands out, and a thousand for each worker of a
// test run, so that one that is free stays free until it is used.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

const lowest = 20_000
const perWorker = 1_000
const workers = 10

const first = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % workers) * perWorker
// Another run on this machine most likely begins elsewhere.
let taken = 2 * randomInt(perWorker / 2)

/** Returns the first of so many ports in a row, an even one. */
export function ownPorts(count: number): number {
  const needed = count + (count % 2)
  if (taken + needed > perWorker) taken = 0
  const port = first + taken
  taken += needed
  return port
}

/** Finds a port that is free for UDP and TCP. */
export async function ownPort(): Promise<number> {
  const port = ownPorts(1)
  const datagrams = createSocket({ type: 'udp4' })
  const server = createServer()
  try {
    await once(datagrams.bind(port), 'listening')
    await once(server.listen(port), 'listening')
    return port
  } catch {
    return ownPort()
  } finally {
    datagrams.close()
    server.close()
  }
}
