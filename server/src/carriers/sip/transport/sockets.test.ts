// Real sockets of this machine: connections that are used again, lost, pinged, encrypted and flooded (rows 23 and 24).
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type OpenSockets, openSockets, type SocketSettings } from './sockets.ts'
import type { Destination, Flow } from './transport.ts'

const message = (name: string) =>
  new TextEncoder().encode(`OPTIONS sip:${name} SIP/2.0\r\nContent-Length: 0\r\n\r\n`)

/** Nothing is asserted of how long it takes. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 100_000 })

const opened: OpenSockets[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sockets) => sockets.close()))
})

async function open(settings: Partial<SocketSettings> = {}) {
  const received: { text: string; flow: Flow }[] = []
  const sockets = await openSockets(
    { host: '127.0.0.1', port: 0, tls: null, advertisedHost: null, ...settings },
    { onMessage: (bytes, flow) => void received.push({ text: new TextDecoder().decode(bytes), flow }) },
  )
  opened.push(sockets)
  return { sockets, received }
}

const at = (port: number, transport: Destination['transport'] = 'tcp', serverName?: string): Destination => ({
  transport,
  address: '127.0.0.1',
  port,
  ...(serverName && { serverName }),
})
const certificate = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  })

describe('TCP', () => {
  it('answers come back on the connection of their request, and the next request uses it again', async () => {
    const [us, them] = [await open(), await open()]
    us.sockets.send(message('one'), at(them.sockets.port), () => {})
    await eventually(() => expect(them.received).toHaveLength(1))
    them.received[0]?.flow.send(message('answer'))
    us.sockets.send(message('two'), at(them.sockets.port), () => {})
    await eventually(() => expect([us.received.length, them.received.length]).toEqual([1, 2]))
    expect(them.received[0]?.flow.peer.port).toBe(them.received[1]?.flow.peer.port)
  })

  it('a connection that is lost fails what waits for an answer, is told, and is opened anew', async () => {
    const accepted: Socket[] = []
    const server = createServer((socket) => void accepted.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { sockets } = await open()
    const [onFailure, onLost] = [vi.fn(), vi.fn()]
    sockets.send(message('one'), at(port), onFailure)
    sockets.watch(at(port), onLost)
    await eventually(() => expect(accepted).toHaveLength(1))
    accepted[0]?.resetAndDestroy()
    await eventually(() => expect([onFailure.mock.calls.length, onLost.mock.calls.length]).toEqual([1, 1]))
    sockets.send(message('two'), at(port), () => {})
    await eventually(() => expect(accepted).toHaveLength(2))
    for (const socket of accepted) socket.destroy()
    server.close()
  })

  it('where nobody listens fails', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    server.close()
    await once(server, 'close')
    const { sockets } = await open()
    const onFailure = vi.fn()
    sockets.send(message('one'), at(port), onFailure)
    await eventually(() => expect(onFailure).toHaveBeenCalledTimes(1))
  })

  it('pings are answered once the peer was worth an answer, and ours are sent on the connection that is there', async () => {
    const { sockets, received } = await open()
    const client = connect(sockets.port, '127.0.0.1')
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    client.write('\r\n\r\n')
    client.write(message('one'))
    await eventually(() => expect(received).toHaveLength(1))
    expect(text).toBe('')
    received[0]?.flow.send(message('answer'))
    client.write('\r\n\r\n')
    await eventually(() => expect(text).toMatch(/^OPTIONS(?:.|[\r\n])*\r\n\r\n\r\n$/))
    if (received[0]) sockets.ping(received[0].flow.peer)
    await eventually(() => expect(text).toMatch(/\r\n\r\n\r\n\r\n\r\n$/))
    client.destroy()
  })

  it('a stream that is no SIP is closed', async () => {
    const { sockets } = await open()
    const client = connect(sockets.port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'close')
  })

  it('one address has no more than its share of connections', async () => {
    const { sockets } = await open()
    const clients = Array.from({ length: 220 }, () =>
      connect(sockets.port, '127.0.0.1').on('error', () => {}),
    )
    await eventually(() =>
      expect(clients.filter((client) => client.closed || client.readableEnded).length).toBeGreaterThanOrEqual(
        20,
      ),
    )
    for (const client of clients) client.destroy()
  })
})

describe('TLS (row 24)', () => {
  it('a peer is spoken with if its certificate is for the name that was asked for, and not otherwise', async () => {
    const { cert, private: key } = await certificate('trunk.example')
    const them = await open({ tls: { cert, key, port: 0 } })
    const { sockets } = await open({ trustedAuthorities: [cert] })
    const port = them.sockets.tlsPort as number
    const onFailure = vi.fn()
    sockets.send(message('wrong'), at(port, 'tls', 'other.example'), onFailure)
    await eventually(() => expect(onFailure).toHaveBeenCalledTimes(1))
    sockets.send(message('right'), at(port, 'tls', 'trunk.example'), () => {})
    await eventually(() =>
      expect(them.received.map(({ text }) => text)).toEqual([expect.stringContaining('right')]),
    )
  })

  it('a trunk that asks for a certificate gets ours, and the name that it was called by', async () => {
    const [theirs, ours] = [await certificate('trunk.example'), await certificate('parley.example')]
    const seen: unknown[] = []
    const server = createTlsServer(
      { cert: theirs.cert, key: theirs.private, ca: [ours.cert], requestCert: true },
      (socket) => {
        seen.push([socket.authorized, socket.getPeerCertificate().subject.CN, socket.servername])
        socket.destroy()
      },
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const tls = { cert: ours.cert, key: ours.private, port: 0 }
    const { sockets } = await open({ tls, trustedAuthorities: [theirs.cert] })
    sockets.send(message('one'), at(port, 'tls', 'trunk.example'), () => {})
    await eventually(() => expect(seen).toEqual([[true, 'parley.example', 'trunk.example']]))
    server.close()
  })
})

it('IPv6 carries UDP and TCP', async () => {
  const [us, them] = [await open({ host: '::1' }), await open({ host: '::1' })]
  for (const transport of ['udp', 'tcp'] as const)
    us.sockets.send(message(transport), { transport, address: '::1', port: them.sockets.port }, () => {})
  await eventually(() => expect(them.received).toHaveLength(2))
  expect(them.received.map(({ flow }) => flow.peer.address)).toEqual(['::1', '::1'])
})

it('one set of sockets for both families speaks with IPv4 under its own addresses', async () => {
  const [us, them] = [await open({ host: '::' }), await open()]
  for (const transport of ['udp', 'tcp'] as const) {
    us.sockets.send(message(transport), at(them.sockets.port, transport), () => {})
    them.sockets.send(message(transport), at(us.sockets.port, transport), () => {})
  }
  await eventually(() => expect([us.received.length, them.received.length]).toEqual([2, 2]))
  expect(us.received.map(({ flow }) => flow.peer.address)).toEqual(['127.0.0.1', '127.0.0.1'])
  us.received[0]?.flow.send(message('answer'))
  await eventually(() => expect(them.received).toHaveLength(3))
})

it('a datagram to an impossible place fails, and keep-alives are not messages', async () => {
  const { sockets, received } = await open()
  const onFailure = vi.fn()
  sockets.send(message('one'), at(0, 'udp'), onFailure)
  await eventually(() => expect(onFailure).toHaveBeenCalledTimes(1))
  sockets.ping(at(sockets.port, 'udp'))
  sockets.send(message('two'), at(sockets.port, 'udp'), () => {})
  await eventually(() => expect(received).toHaveLength(1))
})
