// Misbehaving receivers, on loopback sockets. Whatever they do, the request ends and leaves no open socket behind.
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Guard, openGuard } from './guard/guard.ts'
import { OutboundError, type OutboundRequest, requestOutside } from './outbound.ts'

interface Receiver {
  readonly url: string
  /** Connections that are open now. */
  readonly open: Set<Socket>
  connections: number
}

const cleanups: (() => unknown)[] = []
let guard: Guard | undefined

afterEach(async () => {
  await guard?.close()
  guard = undefined
  for (const clean of cleanups.splice(0)) await clean()
})

/** Behaves as given once a request, or the beginning of a TLS handshake, has arrived. */
async function receive(behave: (socket: Socket, request: string) => void): Promise<Receiver> {
  return listen('http', createTcpServer({ noDelay: true }), 'connection', behave)
}

async function listen(
  scheme: string,
  server: Server,
  event: 'connection' | 'secureConnection',
  behave: (socket: Socket, request: string) => void,
): Promise<Receiver> {
  const open = new Set<Socket>()
  const receiver = { url: '', open, connections: 0 }
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  server.on(event, (socket: Socket) => {
    let heard = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      heard += data.toString('latin1')
      if (!isWhole(heard)) return
      behave(socket, heard)
      heard = ''
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  receiver.url = `${scheme}://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  return receiver
}

function isWhole(heard: string): boolean {
  const [head = '', body] = heard.split('\r\n\r\n')
  const length = Number(head.match(/content-length: (\d+)/)?.[1] ?? 0)
  return heard.startsWith('\x16') || (body !== undefined && body.length >= length)
}

/** Repeatedly until the peer disconnects. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5)
  socket.on('close', () => clearInterval(timer))
}

/** As fast as the peer reads. */
function pour(socket: Socket, chunk: Buffer, count: number): void {
  let left = count
  const more = () => {
    while (left-- > 0) if (!socket.write(chunk)) return
    socket.end()
  }
  socket.on('drain', more)
  more()
}

function send(url: string, request: Partial<OutboundRequest> = {}, allowPrivate = true) {
  guard ??= openGuard({ allowPrivate, trustedHosts: [] })
  return requestOutside(guard, {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs: 30_000,
    responseLimitBytes: 65_536,
    ...request,
  })
}

const failure = async (url: string, request?: Partial<OutboundRequest>): Promise<OutboundError> => {
  const error = await send(url, request).then(
    (answer) => new Error(`answered with ${answer.status}`),
    (reason) => reason,
  )
  if (!(error instanceof OutboundError)) throw error
  return error
}

const allClosed = (receiver: Receiver) => expect.poll(() => receiver.open.size).toBe(0)

describe('a receiver that answers', () => {
  it('receives method, headers and body, and its status and body are returned', async () => {
    let seen = ''
    const receiver = await receive((socket, request) => {
      seen = request
      socket.write('HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok')
    })
    const answer = await send(`${receiver.url}in?x=1`, { headers: { 'x-signature': 's' }, body: '{"a":1}' })
    expect(answer).toEqual({ status: 201, latencyMs: expect.any(Number), body: Buffer.from('ok') })
    expect(seen).toMatch(/^POST \/in\?x=1 HTTP\/1.1\r\n/)
    expect(seen).toMatch(/x-signature: s\r\n/)
  })

  it('is sent further requests on an open connection', async () => {
    const receiver = await receive((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    for (let turn = 0; turn < 20; turn++) await send(receiver.url)
    // undici opens a second one if the next request comes before the first connection is released.
    expect(receiver.connections).toBeLessThanOrEqual(2)
  })

  it('may redirect, which is not followed', async () => {
    const target = await receive((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const receiver = await receive((socket) =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${target.url}\r\ncontent-length: 0\r\n\r\n`),
    )
    expect(await send(receiver.url, { method: 'GET' })).toMatchObject({ status: 302 })
    expect(target.connections).toBe(0)
  })

  it('may send more than we read: the rest is dropped with its connection', async () => {
    const receiver = await receive((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
      pour(socket, Buffer.alloc(10_000, 'x'), 100)
    })
    const answer = await send(receiver.url, { responseLimitBytes: 10 })
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('xxxxxxxxxx') })
    await allClosed(receiver)
  })

  it('may stall after the part that we read', async () => {
    const receiver = await receive((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n0123456789'),
    )
    const answer = await send(receiver.url, { responseLimitBytes: 10 })
    expect(answer.body.toString()).toBe('0123456789')
    await allClosed(receiver)
  })

  it('sees no idle reconnect after its response was cut off', async () => {
    const receiver = await receive((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n0123456789'),
    )
    const another = await receive((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    await send(receiver.url, { responseLimitBytes: 10 })
    await allClosed(receiver)
    // By the time these are done, any such connection would have been seen.
    for (let turn = 0; turn < 5; turn++) await send(another.url)
    expect(receiver.connections).toBe(1)
  })

  it('may send a gzip bomb: it is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const receiver = await receive((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    const answer = await send(receiver.url)
    expect(answer.body.equals(bomb.subarray(0, 65_536))).toBe(true)
  })
})

describe('a request that waits for success only', () => {
  const until = 'success' as const
  const head = 'HTTP/1.1 200 OK\r\n'

  it.each<[string, (socket: Socket) => void]>([
    ['promises a body and sends none', (socket) => socket.write(`${head}content-length: 5\r\n\r\n`)],
    ['never ends its body', (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n`)],
    [
      'drips its body',
      (socket) => {
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
        drip(socket, '1\r\nx\r\n')
      },
    ],
    [
      'sends more than is read',
      (socket) => {
        socket.write(`${head}content-length: 1000000000\r\n\r\n`)
        pour(socket, Buffer.alloc(10_000, 'x'), 100_000)
      },
    ],
    ['hangs up within its body', (socket) => socket.end(`${head}content-length: 100\r\n\r\nhalf`)],
  ])('is answered when the receiver %s, and its connection is closed', async (_name, behave) => {
    const receiver = await receive(behave)
    expect(await send(receiver.url, { until })).toMatchObject({ status: 200, body: Buffer.alloc(0) })
    await allClosed(receiver)
  })

  it('has the body of a refusal, even if it does not end', async () => {
    const refused = 'HTTP/1.1 500 Oops\r\ncontent-length: 100\r\n\r\nno such customer'
    const ending = await receive((socket) => socket.end(refused))
    expect(await send(ending.url, { until })).toMatchObject({
      status: 500,
      body: Buffer.from('no such customer'),
    })
    const endless = await receive((socket) => socket.write(refused))
    expect(await send(endless.url, { until, timeoutMs: 500 })).toMatchObject({
      status: 500,
      body: Buffer.from('no such customer'),
    })
    await allClosed(endless)
  })

  it('does not take an informational response for the answer', async () => {
    const receiver = await receive((socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    )
    expect(await send(receiver.url, { until })).toMatchObject({ status: 204 })
  })

  it('leaves a connection whose body has ended for the next request', async () => {
    const receiver = await receive((socket) => socket.write(`${head}content-length: 2\r\n\r\nok`))
    for (let turn = 0; turn < 20; turn++) await send(receiver.url, { until })
    expect(receiver.connections).toBeLessThanOrEqual(2)
    expect(receiver.open.size).toBeGreaterThan(0)
  })

  it('is aborted at its deadline when no status comes', async () => {
    const receiver = await receive(() => {})
    expect(await failure(receiver.url, { until, timeoutMs: 500 })).toMatchObject({ kind: 'timeout' })
    await allClosed(receiver)
  })
})

describe('a request is aborted at its deadline', () => {
  const head = 'HTTP/1.1 200 OK\r\n'

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    [
      'drips its headers',
      (socket) => {
        socket.write(head)
        drip(socket, 'x')
      },
    ],
    [
      'drips informational responses',
      (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'),
    ],
    ['promises a body and sends none', (socket) => socket.write(`${head}content-length: 5\r\n\r\n`)],
    ['never ends its body', (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n`)],
    [
      'drips its body',
      (socket) => {
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
        drip(socket, '1\r\nx\r\n')
      },
    ],
    [
      'drips a chunk that never begins',
      (socket) => {
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n1`)
        drip(socket, ';x=y')
      },
    ],
    ['never closes a body without a length', (socket) => socket.write(`${head}connection: close\r\n\r\nok`)],
  ])('when the receiver %s', async (_name, behave) => {
    const receiver = await receive(behave)
    const error = await failure(receiver.url, { timeoutMs: 1_000 })
    expect(error).toMatchObject({ kind: 'timeout', message: 'timed out after 1 s' })
    expect(error.latencyMs).toBeGreaterThan(900)
    await allClosed(receiver)
  })

  it('when the receiver never finishes the TLS handshake', async () => {
    const receiver = await receive(() => {})
    const error = await failure(receiver.url.replace('http:', 'https:'), { timeoutMs: 1_000 })
    expect(error.kind).toBe('timeout')
    await allClosed(receiver)
  })

  it('and requests that wait for one of the 128 connections keep their own deadline', async () => {
    const receiver = await receive(() => {})
    const holding = Array.from({ length: 128 }, () => failure(receiver.url, { timeoutMs: 3_000 }))
    const waiting = Array.from({ length: 6 }, () => failure(receiver.url, { timeoutMs: 500 }))
    const errors = [...(await Promise.all(waiting)), ...(await Promise.all(holding))]
    expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['timeout']))
    await allClosed(receiver)
    expect(receiver.connections).toBe(128)
  })

  it('and the next request to the receiver is unaffected', async () => {
    let answers = false
    const receiver = await receive((socket) => {
      if (answers) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    await failure(receiver.url, { timeoutMs: 500 })
    answers = true
    expect(await send(receiver.url)).toMatchObject({ status: 200 })
  })
})

describe('a request fails', () => {
  it.each<[string, OutboundError['kind'], string, (socket: Socket) => void]>([
    ['resets', 'reset', 'the connection was reset', (socket) => socket.resetAndDestroy()],
    ['hangs up', 'reset', 'the connection was reset', (socket) => socket.end()],
    [
      'hangs up within its body',
      'reset',
      'the connection was reset',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    ],
    ['speaks another protocol', 'protocol', 'valid HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['speaks gibberish', 'protocol', 'valid HTTP', (socket) => socket.end(Buffer.alloc(5_000, 0xfe))],
    [
      'sends two different lengths',
      'protocol',
      'valid HTTP',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nok'),
    ],
    [
      'sends headers without end',
      'protocol',
      'valid HTTP',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        pour(socket, Buffer.from(`x-more: ${'x'.repeat(1_000)}\r\n`), 100_000)
      },
    ],
    [
      'switches protocols unasked',
      'reset',
      'reset',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('when the receiver %s', async (_name, kind, message, behave) => {
    const receiver = await receive(behave)
    const error = await failure(receiver.url)
    expect(error).toMatchObject({ kind, message: expect.stringContaining(message) })
    await allClosed(receiver)
  })

  it('when nothing listens', async () => {
    const receiver = await receive(() => {})
    for (const clean of cleanups.splice(0)) await clean()
    expect(await failure(receiver.url)).toMatchObject({
      kind: 'connect',
      message: 'no connection (ECONNREFUSED)',
    })
  })
})

describe('an https receiver', () => {
  const day = 86_400_000
  let key = ''
  const certs = { trustworthy: '', expired: '' }

  beforeAll(async () => {
    const name = [{ name: 'commonName', value: 'hooks.example' }]
    const made = await generate(name, { keyType: 'ec', algorithm: 'sha256' })
    key = made.private
    certs.trustworthy = made.cert
    const keyPair = { privateKey: made.private, publicKey: made.public }
    const past = { notBeforeDate: new Date(Date.now() - 2 * day), notAfterDate: new Date(Date.now() - day) }
    certs.expired = (await generate(name, { keyType: 'ec', algorithm: 'sha256', keyPair, ...past })).cert
  })

  it.each<[string, keyof typeof certs]>([
    ['self-signed', 'trustworthy'],
    ['expired', 'expired'],
  ])('with a certificate that is %s receives nothing', async (_name, cert) => {
    let heard = 0
    const server = createTlsServer({ key, cert: certs[cert] })
    const receiver = await listen('https', server, 'secureConnection', () => (heard += 1))
    const error = await failure(receiver.url)
    expect(error.kind).toBe('tls')
    expect(error.message).toMatch(/^the certificate (is not trusted \(|has expired)/)
    await allClosed(receiver)
    expect(heard).toBe(0)
  })

  it('that does not speak TLS fails the request', async () => {
    const receiver = await receive((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const error = await failure(receiver.url.replace('http:', 'https:'))
    expect(error).toMatchObject({ kind: 'tls', message: expect.stringMatching(/^no TLS connection \(/) })
    await allClosed(receiver)
  })
})

describe('with the guard', () => {
  it('a private address is refused without a connection', async () => {
    const receiver = await receive(() => {})
    const attempt = send(receiver.url.replace('http:', 'https:'), {}, false)
    await expect(attempt).rejects.toMatchObject({
      kind: 'refused',
      message: 'refused: points at 127.0.0.1, which is not a public address',
    })
    expect(receiver.connections).toBe(0)
  })

  it('plain http is refused', async () => {
    await expect(send('http://hooks.example.com/', {}, false)).rejects.toMatchObject({
      kind: 'refused',
      message: 'refused: must use https',
    })
  })
})

it('a header that cannot be sent fails before anything is sent', async () => {
  const receiver = await receive(() => {})
  const error = await failure(receiver.url, { headers: { 'x-split': 'a\r\nb: c' } })
  expect(error).toMatchObject({ kind: 'protocol', message: 'the request has a header that cannot be sent' })
  expect(receiver.connections).toBe(0)
})

it('closing the guard aborts requests, both connecting and connected', async () => {
  const receiver = await receive(() => {})
  const attempts = [receiver.url, receiver.url.replace('http:', 'https:')].map((url) => failure(url))
  await expect.poll(() => receiver.connections).toBe(2)
  await guard?.close()
  await Promise.all(attempts)
  await allClosed(receiver)
})

it('memory stays flat however much the receiver sends', async () => {
  const chunk = Buffer.alloc(1_000_000, 'x')
  const receiver = await receive((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n')
    pour(socket, chunk, 300)
  })
  const held = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  await send(receiver.url)
  const before = held()
  let most = 0
  for (let turn = 0; turn < 20; turn++) {
    const answer = await send(receiver.url)
    expect(answer.body.length).toBe(65_536)
    most = Math.max(most, held() - before)
  }
  expect(most).toBeLessThan(50_000_000)
  await allClosed(receiver)
})
