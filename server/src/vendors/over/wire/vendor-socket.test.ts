// What a vendor's socket takes for a dead peer, where it does not connect to and what it does not repeat; its other ways
// are tested with the vendors that use it.
import { type AddressInfo, createServer, type LookupFunction } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { UnknownMessage } from './passed-over.ts'
import { VendorLate } from './vendor-failure.ts'
import { type SocketAddress, VendorSocket, type VendorSocketOptions } from './vendor-socket.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function listening() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  cleanups.push(() => server.close())
  await new Promise((ready) => server.once('listening', ready))
  return { server, port: (server.address() as AddressInfo).port }
}

it('a process that was held up does not take its vendor for silent', async () => {
  const pingMs = 40
  const { server, port } = await listening()
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
    { url: `ws://127.0.0.1:${port}` },
    {
      name: 'Acme',
      service: 'transcriber',
      mostWaiting: 1,
      onMessage: () => {},
      pace: { pingMs },
      onEnd: ({ message }) => errors.push(message),
    },
  )
  cleanups.push(() => socket.close())
  await expect.poll(() => pings > 3 || errors.length > 0).toBe(true)
  expect(errors).toEqual([])
})

const endOf = (address: SocketAddress | Promise<SocketAddress>, options: Partial<VendorSocketOptions> = {}) =>
  new Promise<string>((ended) => {
    const socket = new VendorSocket(address, {
      name: 'Acme',
      service: 'transcriber',
      mostWaiting: 1,
      onMessage: () => {},
      ...options,
      onEnd: ({ message }) => ended(message),
    })
    cleanups.push(() => socket.close())
  })

it('a key that the vendor repeats when it closes is not in the sentence', async () => {
  const { server, port } = await listening()
  server.on('connection', (client) => client.close(4001, 'key sk-12345678\nis not valid'))
  const ended = endOf({ url: `ws://127.0.0.1:${port}` }, { credentials: { apiKey: 'sk-12345678' } })
  expect(await ended).toBe('Acme closed the connection (4001: key … is not valid).')
})

/** A server that refuses every upgrade with these lines, and goes on with the body for as long as it is read. */
async function refusing(head: readonly string[], body: string, isEndless = false) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(['HTTP/1.1 402 Payment Required', ...head, '', body].join('\r\n'))
      if (isEndless) cleanups.push(() => socket.destroy())
      else socket.end()
    })
  })
  cleanups.push(() => server.close())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it.each<[string, readonly string[], string, string]>([
  [
    'JSON',
    [],
    '{"error":{"message":"The credits of sk-12345678 are used up."}}',
    ': The credits of … are used up.',
  ],
  ['a text', [], ' Come back\n tomorrow. ', ': Come back tomorrow.'],
  ['nothing', [], '', '.'],
  ['a header, before a body', ['X-Why: No such project.'], '{"message":"no"}', ': No such project.'],
])('a vendor that refuses the connection with %s is quoted', async (_, head, body, told) => {
  const address = await refusing(head, body)
  const ended = endOf(address, { refusalHeader: 'x-why', credentials: { apiKey: 'sk-12345678' } })
  expect(await ended).toBe(`Acme refused the connection (402)${told}`)
})

it.each([
  ['a page without end', `${'no '.repeat(20_000)}`],
  ['a page that never comes whole', 'no no no'],
])('a refusal with %s is told with its beginning', async (_, body) => {
  const address = await refusing(['content-length: 900000'], body, true)
  expect(await endOf(address)).toMatch(/^Acme refused the connection \(402\): no no no/)
})

it('a message of a new type is passed over, and so is a broken one that nobody waits for', async () => {
  const { server, port } = await listening()
  server.on('connection', (client) => {
    for (const text of ['new', 'broken', 'known', 'broken']) client.send(text)
  })
  const taken: string[] = []
  const ended = endOf(
    { url: `ws://127.0.0.1:${port}` },
    {
      isAwaiting: () => taken.includes('known'),
      onMessage(message) {
        if (message === 'new') throw new UnknownMessage('new')
        if (message === 'broken') throw new Error('it is broken')
        taken.push(String(message))
      },
    },
  )
  expect(await ended).toBe('Acme sent what cannot be read.')
  expect(taken).toEqual(['known'])
})

it.each(['127.0.0.1', '[::1]', '2130706433'])(
  'an answer that names a private address (%s) leads nowhere, where only public ones may be reached',
  async (host) => {
    const { server, port } = await listening()
    let connected = 0
    server.on('connection', () => connected++)
    const lookup: LookupFunction = (_name, _options, done) => done(new Error('nobody asks'), '')
    const address = Promise.resolve({ url: `ws://${host}:${port}` })
    expect(await endOf(address, { lookup })).toBe('Acme cannot be reached (not a public address).')
    expect(connected).toBe(0)
  },
)

it('a key that no header may have is a failure like any other', async () => {
  const { port } = await listening()
  const ended = endOf({ url: `ws://127.0.0.1:${port}`, headers: { authorization: 'Token sk-\u2026' } })
  expect(await ended).toBe('Acme cannot be reached (ERR_INVALID_CHAR).')
})

it('a vendor that takes a connection and says nothing is late for whoever waits', async () => {
  const silent = createServer()
  cleanups.push(() => silent.close())
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
  const ended = Promise.withResolvers<Error>()
  const url = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const socket = new VendorSocket(
    { url },
    { name: 'Acme', service: 'transcriber', mostWaiting: 1, onMessage: () => {}, onEnd: ended.resolve },
  )
  cleanups.push(() => socket.close())
  socket.openWithin(50)
  const error = await ended.promise
  expect(error).toBeInstanceOf(VendorLate)
  expect(error.message).toBe('Acme did not answer in time.')
})
