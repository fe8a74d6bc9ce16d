// Connections of gRPC: that they are kept, and given up when the other side is gone. Calls over them are tested with the
// vendors that use them.
import { createServer, type ServerHttp2Session } from 'node:http2'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { GrpcConnection } from './grpc-stream.ts'
import { VendorLate } from './vendor-failure.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function listening(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function setUp() {
  const http = createServer()
  const sessions: ServerHttp2Session[] = []
  let pings = 0
  http.on('session', (session) => {
    sessions.push(session)
    session.on('ping', () => pings++)
    cleanups.push(() => session.destroy())
  })
  const origin = await listening(http as unknown as Server)
  const connection = new GrpcConnection({ name: 'Acme', origin })
  cleanups.push(() => connection.close())
  return { origin, connection, sessions, pings: () => pings }
}

it('an idle connection is kept through a minute of silence', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { connection, sessions, pings } = await setUp()
  await connection.ready()
  for (let minute = 1; minute <= 3; minute++) {
    vi.advanceTimersByTime(20_000)
    await expect.poll(pings).toBe(minute)
  }
  await connection.ready()
  expect(sessions.length).toBe(1)
})

it('a connection whose other side is gone is replaced', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { origin, sessions } = await setUp()
  const dialled: Socket[] = []
  const router = createTcpServer((client) => {
    dialled.push(client)
    const server = connect(Number(new URL(origin).port), '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const side of [client, server]) side.on('error', () => side.destroy())
    cleanups.push(() => client.destroy())
  })
  const connection = new GrpcConnection({ name: 'Acme', origin: await listening(router) })
  cleanups.push(() => connection.close())
  await connection.ready()
  await expect.poll(() => sessions.length).toBe(1)
  // The router has forgotten it: nothing gets through, and nobody is told.
  dialled[0]?.unpipe()
  vi.advanceTimersByTime(40_000)
  await connection.ready()
  await expect.poll(() => sessions.length).toBe(2)
})

it('a server that takes a connection and says nothing is late', async () => {
  const origin = await listening(createTcpServer())
  const connection = new GrpcConnection({
    name: 'Acme',
    origin: origin.replace('http', 'https'),
    connectMs: 50,
  })
  cleanups.push(() => connection.close())
  const ended = Promise.withResolvers<Error | undefined>()
  connection.call({ path: '/x', headers: {}, onMessage: () => {}, onEnd: ended.resolve })
  const error = await ended.promise
  expect(error?.message).toBe('Acme did not answer in time.')
  const causes = [error?.cause, (error?.cause as Error | undefined)?.cause]
  expect(causes.some((cause) => cause instanceof VendorLate)).toBe(true)
})
