// When connections to an origin are opened, reused, waited for and closed.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Connect } from './connector.ts'
import { OriginPool } from './origin-pool.ts'

let server: Server
let port: number
let held: ServerResponse[]
let sockets: Socket[]
let emptied: number
let openings: (() => void)[]
let pool: OriginPool

beforeEach(async () => {
  ;[held, sockets, openings, emptied] = [[], [], [], 0]
  server = createServer((_request: IncomingMessage, response) => void held.push(response))
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  pool = openPool(anHourMs)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await pool.destroy()
  server.closeAllConnections()
  server.close()
})

const anHourMs = 3_600_000

const openPool = (mostPatienceMs: number) =>
  new OriginPool(`http://127.0.0.1:${port}`, connect, () => emptied++, mostPatienceMs)

/** Connects when the test says so. */
const connect: Connect = (_target, _signal, done) => {
  openings.push(() => {
    const socket = connectTcp(port, '127.0.0.1', () => done(null, socket))
  })
}

function ask(headers: Record<string, string> = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let status = 0
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart(_controller, code) {
      status = code
    },
    onResponseData() {},
    onResponseEnd: () => resolve(status),
    onResponseError: (_controller, error) => reject(error),
  }
  pool.dispatch({ path: '/', method: 'GET', headers }, handler)
  return promise
}

const arrived = (count: number) => expect.poll(() => held.length, { interval: 5 }).toBe(count)

/** The first request. Its connection takes an hour to open: later requests wait as long as the pool's patience allows. */
async function askSlowly(): Promise<Promise<number>[]> {
  const first = ask()
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + anHourMs)
  openings[0]?.()
  await arrived(1)
  return [first]
}

it('opens a single connection while none is open', async () => {
  const answers = [ask(), ask(), ask()]
  expect(openings).toHaveLength(3)
  for (const open of openings) open()
  await arrived(3)
  for (const response of held) response.end()
  expect(await Promise.all(answers)).toEqual([200, 200, 200])
})

it('lets requests wait for an open connection and reuses it', async () => {
  const answers = await askSlowly()
  for (let more = 0; more < 5; more++) answers.push(ask())
  expect(openings).toHaveLength(1)
  server.removeAllListeners('request').on('request', (_request, response) => response.end())
  held[0]?.end()
  expect(await Promise.all(answers)).toEqual(Array(6).fill(200))
  expect(sockets).toHaveLength(1)
})

it('opens another connection for a request that has waited long enough', async () => {
  await pool.destroy()
  pool = openPool(250)
  const [first] = await askSlowly()
  const second = ask()
  await expect.poll(() => openings.length, { interval: 5 }).toBe(2)
  openings[1]?.()
  await arrived(2)
  held[1]?.end()
  expect(await second).toBe(200)
  held[0]?.end()
  expect(await first).toBe(200)
})

it('drops a connection that was closed while idle', async () => {
  const [first] = await askSlowly()
  held[0]?.end()
  await first
  sockets[0]?.destroy()
  await expect.poll(() => emptied, { interval: 5 }).toBe(1)
  const second = ask()
  expect(openings).toHaveLength(2)
  openings[1]?.()
  await arrived(2)
  held[1]?.end()
  expect(await second).toBe(200)
})

it('continues after a failed request and one that cannot be sent', async () => {
  const [first] = await askSlowly()
  const refused = ask({ 'bad header': 'x' })
  const waiting = ask()
  const broken = expect(first).rejects.toThrow(/closed|reset/)
  const unsent = expect(refused).rejects.toThrow(/header/)
  sockets[0]?.destroy()
  await Promise.all([broken, unsent])
  await expect.poll(() => openings.length, { interval: 5 }).toBe(2)
  openings[1]?.()
  await arrived(2)
  held[1]?.end()
  expect(await waiting).toBe(200)
})

it('fails every request when it is destroyed', async () => {
  const answers = await askSlowly()
  answers.push(ask(), ask())
  const told = Promise.allSettled(answers)
  await pool.destroy()
  expect((await told).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})
