// The door over real sockets: who is let in, what becomes of a call, registrations, and what a check finds.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { alone, memoryTelephones, sipSettings } from '../../../../test/props/sip/door-stores.ts'
import { Authorities, type CertifiedKey, identityOf } from '../../../../test/props/sip/stir.ts'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import { answerText, openUdpPeer, type UdpPeer } from '../../../../test/props/sip/udp-peer.ts'
import { openGuard } from '../../../platform/guard/guard.ts'
import type { Admission, ArrivalKey } from '../../../ports/arrival.ts'
import type { Signalling } from '../../../ports/signalling.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { Door } from '../../description.ts'
import { isRight, parseAnswer } from '../auth/digest.ts'
import type { ToLine, ToSignalling } from '../line/link.ts'
import { openSipDoor } from './door.ts'

const trunkAt = (port: number, more: Partial<Trunk> = {}): Trunk =>
  trunkOf({ port, credentials: { username: 'ada', password: 'open sesame' }, register: true, ...more })

interface Open {
  readonly door: Door
  readonly port: number
  readonly asked: ArrivalKey[]
  readonly counted: string[]
  readonly toMedia: ToLine[]
  readonly kept: [string, Signalling][]
  fromMedia(message: ToSignalling): void
}

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const openPeer = async (address?: string): Promise<UdpPeer> => {
  const peer = await openUdpPeer(address)
  opened.push(peer)
  return peer
}

async function openDoor(
  allow: string[],
  admission: Admission,
  trunks: Trunk[] = [],
  more: Partial<Parameters<typeof openSipDoor>[0]> = {},
): Promise<Open> {
  const [asked, counted, toMedia]: [ArrivalKey[], string[], ToLine[]] = [[], [], []]
  const kept: [string, Signalling][] = []
  let fromMedia: (message: unknown) => void = () => {}
  const guard = openGuard({ allowPrivate: false, trustedHosts: ['127.0.0.1'] })
  opened.push(guard)
  const door = await openSipDoor({
    guard,
    sip: sipSettings({ allow }),
    log: { info() {}, warn() {}, error() {} } as never,
    admit: async (key) => {
      asked.push(key)
      return admission
    },
    link: {
      post: (message) => void toMedia.push(message as ToLine),
      onMessage: (listener) => {
        fromMedia = listener
      },
      onLost() {},
    },
    trunks: { all: async () => trunks, onChange: () => () => {} },
    leases: alone(),
    telephones: memoryTelephones(),
    isTrustedHost: (host) => host.startsWith('127.'),
    sign: (text) => createHmac('sha256', 'a key for tests').update(text).digest(),
    keepSignalling: (sessionId, signalling) => void kept.push([sessionId, signalling]),
    keepState: () => {},
    transferTargets: () => [],
    mayDial: () => false,
    countRefused: (reason) => void counted.push(reason),
    room: () => ({ free: 3, capacity: 10 }),
    ...more,
  })
  opened.push(door)
  const port = Number(/:(\d+)$/.exec(door.address ?? '')?.[1])
  return { door, port, asked, counted, toMedia, kept, fromMedia: (message) => fromMedia(message) }
}

let calls = 0
const requestOf = (peer: UdpPeer, method: string, user = 'agent', more: string[] = []): string =>
  [
    `${method} sip:${user}@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bK${++calls};rport`,
    'From: "Bob" <sip:+15551234567@127.0.0.1>;tag=far',
    'To: <sip:+4930901820@127.0.0.1>',
    `Call-ID: call-${calls}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:bob@127.0.0.1:${peer.port}>`,
    'Max-Forwards: 70',
    ...more,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
const statuses = (peer: UdpPeer) =>
  peer.received.filter((text) => text.startsWith('SIP/2.0')).map((text) => Number(text.slice(8, 11)))
const everyone = ['127.0.0.1']
const isIn = { is: 'in', sessionId: 's1' } as const

describe('whoever comes', () => {
  it('gets no answer if nobody knows it, whatever it asks', async () => {
    const peer = await openPeer()
    const { port, counted, asked } = await openDoor([], isIn)
    for (const method of ['INVITE', 'OPTIONS', 'REGISTER', 'BYE']) peer.send(requestOf(peer, method), port)
    await vi.waitFor(() => expect(counted).toHaveLength(4))
    expect([peer.received, asked]).toEqual([[], []])
  })

  it.each([
    ['unknown', 404],
    ['full', 503],
  ] as const)('is refused when its call is %s, with %i', async (is, status) => {
    const peer = await openPeer()
    const { port } = await openDoor(everyone, { is })
    peer.send(requestOf(peer, 'INVITE'), port)
    await vi.waitFor(() => expect(statuses(peer)).toContain(status))
    expect(statuses(peer)).not.toContain(180)
    if (is === 'full') expect(peer.received.at(-1)).toContain('Retry-After: ')
    // A workspace may have as many calls as it may: others have room.
    peer.send(requestOf(peer, 'OPTIONS'), port)
    await vi.waitFor(() => expect(statuses(peer).at(-1)).toBe(200))
  })

  it('through a proxy of ours is known by the address that the proxy saw', async () => {
    // 127.0.0.1 is the edge, and one of its callers has the address of the trunk.
    const peer = await openPeer()
    const trunk = trunkOf({ host: '127.0.0.9', register: false })
    const sip = sipSettings({ allow: [], edge: { address: '127.0.0.1', port: peer.port } })
    const { port, asked, counted } = await openDoor([], isIn, [trunk], { sip })
    const from = (address: string) => [`X-Parley-Source: sip:${address}:5060;transport=udp`]
    peer.send(requestOf(peer, 'INVITE', 'agent', from('127.0.0.8')), port)
    await vi.waitFor(() => expect(counted).toEqual(['stranger']))
    await vi.waitFor(() => {
      peer.send(requestOf(peer, 'INVITE', 'agent', from('127.0.0.9')), port)
      expect(statuses(peer)).toContain(180)
    })
    expect(asked[0]).toMatchObject({ trunkId: trunk.id })
    peer.send(requestOf(peer, 'OPTIONS'), port)
    await vi.waitFor(() => expect(statuses(peer)).toContain(200))
  })

  it('hears from OPTIONS how much room there is, and none once the process is full or stops', async () => {
    const peer = await openPeer()
    let free = 3
    const room = () => ({ free, capacity: 10 })
    const { door, port } = await openDoor(everyone, isIn, [], { room })
    const ask = async () => {
      const before = peer.received.length
      peer.send(requestOf(peer, 'OPTIONS'), port)
      await vi.waitFor(() => expect(peer.received.length).toBeGreaterThan(before))
      const text = peer.received.at(-1) ?? ''
      return [text.slice(8, 11), /^X-Parley-Capacity: (.*)$/m.exec(text)?.[1]?.trim()]
    }
    expect(await ask()).toEqual(['200', 'free=3;of=10'])
    free = 0
    expect(await ask()).toEqual(['503', 'free=0;of=10'])
    free = 1
    expect(await ask()).toEqual(['200', 'free=1;of=10'])
    door.drain?.()
    expect(await ask()).toEqual(['503', 'free=0;of=10'])
    peer.send(requestOf(peer, 'INVITE'), port)
    await vi.waitFor(() => expect(statuses(peer).at(-1)).toBe(503))
    expect(peer.received.at(-1)).toMatch(/^Retry-After: \d+/m)
  })

  it.each([
    ['an agent, where it needs no trunk', everyone, 180],
    ['nobody, where it does', [], 404],
  ] as const)(
    'from an address with several trunks and a number of none reaches %s',
    async (_, allow, status) => {
      const peer = await openPeer()
      const silent = { register: false, credentials: null }
      const trunks = [
        trunkAt(9, { ...silent, number: '+4930901821' }),
        trunkAt(9, { ...silent, id: '2', number: '+49309018' }),
      ]
      const { port, door } = await openDoor([...allow], isIn, trunks)
      await door.checkTrunk?.({ ...trunkAt(9, silent), host: 'nowhere.invalid' })
      peer.send(requestOf(peer, 'INVITE'), port)
      await vi.waitFor(() => expect(statuses(peer)).toContain(status))
    },
  )

  it('is sent away while we are stopping', async () => {
    const peer = await openPeer()
    const { port, door, asked } = await openDoor(everyone, isIn)
    door.drain?.()
    peer.send(requestOf(peer, 'INVITE'), port)
    peer.send(requestOf(peer, 'OPTIONS'), port)
    await vi.waitFor(() => expect(statuses(peer).filter((status) => status === 503)).toHaveLength(2))
    expect(asked).toEqual([])
  })
})

describe('a call', () => {
  it('rings when it is admitted, may be cancelled, and its messages are kept after the end', async () => {
    const peer = await openPeer()
    peer.onRequest = (text) => answerText(text, '200 OK')
    const { port, asked, kept } = await openDoor(everyone, isIn)
    const invite = requestOf(peer, 'INVITE', 'agent', ['X-Ticket: 42'])
    peer.send(invite, port)
    await vi.waitFor(() => expect(statuses(peer)).toEqual([100, 180]))
    expect(asked[0]).toEqual({
      by: 'number',
      provider: 'sip',
      trunkId: null,
      called: 'agent',
      caller: '+15551234567',
      variables: { caller_name: 'Bob', x_ticket: '42' },
    })
    peer.send(invite.replace('INVITE sip', 'CANCEL sip').replace('1 INVITE', '1 CANCEL'), port)
    await vi.waitFor(() => expect(statuses(peer)).toEqual([100, 180, 200, 487]))
    await vi.waitFor(() => expect(kept).toHaveLength(1), { timeout: 20_000 })
    const [sessionId, { messages }] = kept[0] as [string, Signalling]
    expect(sessionId).toBe('s1')
    expect(messages.map(({ text }) => text.slice(0, 11)).slice(0, 4)).toEqual([
      'INVITE sip:',
      'SIP/2.0 100',
      'SIP/2.0 180',
      'CANCEL sip:',
    ])
  })

  it('is cancelled only from where it came, whoever knows its messages', async () => {
    const [peer, stranger] = [await openPeer(), await openPeer('127.0.0.2')]
    const { port } = await openDoor(['127.0.0.1'], isIn)
    const invite = requestOf(peer, 'INVITE', 'agent')
    peer.send(invite, port)
    await vi.waitFor(() => expect(statuses(peer)).toEqual([100, 180]))
    const cancel = invite.replace('INVITE sip', 'CANCEL sip').replace('1 INVITE', '1 CANCEL')
    stranger.send(cancel, port)
    // Answered after it.
    peer.send(requestOf(peer, 'OPTIONS'), port)
    await vi.waitFor(() => expect(statuses(peer)).toEqual([100, 180, 200]))
    expect(stranger.received).toEqual([])
    peer.send(cancel, port)
    await vi.waitFor(() => expect(statuses(peer)).toEqual([100, 180, 200, 200, 487]))
  })

  it('goes out through a proxy of ours, which is told how to reach the trunk; so does a check', async () => {
    const edge = await openPeer()
    edge.onRequest = (text) => answerText(text, '200 OK')
    const sip = sipSettings({ edge: { address: '127.0.0.1', port: edge.port } })
    const trunk = trunkOf({ host: '127.0.0.2', port: 5_071, transport: 'tls', register: false })
    const { door, fromMedia, toMedia } = await openDoor([], isIn, [trunk], { sip })
    expect(await door.checkTrunk?.(trunk)).toMatchObject({ ok: true })
    const order = { sessionId: 's1', legOf: null, to: '+15551234567', from: null, trunkId: trunk.id }
    fromMedia({ type: 'place', call: 'c1', ...order })
    await vi.waitFor(() => expect(toMedia).toMatchObject([{ type: 'describe', call: 'c1' }]))
    fromMedia({ type: 'described', call: 'c1', sdp: 'v=0' })
    const route = `Route: <sip:127.0.0.1:${edge.port};transport=udp;lr>`
    await vi.waitFor(() => expect(edge.received.some((text) => text.startsWith('INVITE'))).toBe(true))
    const sent = edge.received.filter((text) => !text.startsWith('SIP/2.0')).map((text) => text.split('\r\n'))
    expect(sent.map(([line = '']) => line)).toEqual(
      expect.arrayContaining([
        'OPTIONS sip:127.0.0.2:5071;transport=tls SIP/2.0',
        'INVITE sip:+15551234567@127.0.0.2:5071;transport=tls SIP/2.0',
      ]),
    )
    for (const lines of sent.filter(([line = '']) => !line.startsWith('ACK'))) expect(lines).toContain(route)
  })

  it('through a number without a trunk ends before anything is sent', async () => {
    const { fromMedia, toMedia } = await openDoor(everyone, isIn)
    const order = { sessionId: 's1', legOf: null, to: '+15551234567', from: null, trunkId: 'gone' }
    fromMedia({ type: 'place', call: 'c1', ...order })
    await vi.waitFor(() =>
      expect(toMedia).toEqual([
        {
          type: 'ended',
          call: 'c1',
          cause: expect.objectContaining({ status: 503, text: expect.stringContaining('no trunk') }),
        },
      ]),
    )
  })
})

describe('a number that requires verified callers', () => {
  /** A door with such a number, a provider, and where its certificate is; `holds`: it is asked for, and not answered. */
  async function openStrict(holds?: (response: ServerResponse) => void) {
    const authorities = new Authorities()
    const root = authorities.root()
    const provider = authorities.provider(root)
    const server = createServer((_, response) => (holds ? holds(response) : response.end(provider.pem)))
    opened.push(authorities, {
      close: () => {
        server.closeAllConnections()
        server.close()
      },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const x5u = `http://127.0.0.1:${(server.address() as AddressInfo).port}/provider.pem`
    const peer = await openPeer()
    const sip = sipSettings({ stirAnchors: `${root.file}.pem` })
    const strict = trunkOf({ callerVerification: 'require' })
    const open = await openDoor([], isIn, [strict], { sip })
    await open.door.checkTrunk?.({ ...strict, host: 'nowhere.invalid' })
    const signedBy = (by: CertifiedKey) => [`Identity: ${identityOf({ by, x5u, now: new Date() })}`]
    const invite = (by: CertifiedKey | null) =>
      requestOf(peer, 'INVITE', strict.number, by ? signedBy(by) : [])
    return { ...open, peer, root, provider, invite }
  }

  it('takes those, and refuses what is not signed with 428 and what is false with 438', async () => {
    const { peer, port, root, provider, invite, asked, counted } = await openStrict()
    peer.send(invite(null), port)
    await vi.waitFor(() => expect(peer.received.at(-1)).toMatch(/^SIP\/2\.0 428 Use Identity Header/))
    // The certificate is another one's.
    peer.send(invite({ ...provider, key: root.key }), port)
    await vi.waitFor(() => expect(peer.received.at(-1)).toMatch(/^SIP\/2\.0 438 Invalid Identity Header/))
    expect([asked, counted]).toEqual([[], ['unverified', 'unverified']])
    peer.send(invite(provider), port)
    await vi.waitFor(() => expect(statuses(peer)).toContain(180))
    expect(asked).toMatchObject([{ variables: { verstat: 'TN-Validation-Passed', attestation: 'A' } }])
  })

  it('does not admit a call that was cancelled while its certificate was fetched', async () => {
    const held: ServerResponse[] = []
    const { peer, port, provider, invite, asked } = await openStrict((response) => void held.push(response))
    const text = invite(provider)
    peer.send(text, port)
    await vi.waitFor(() => expect(held).toHaveLength(1))
    peer.send(text.replace('INVITE sip', 'CANCEL sip').replace('1 INVITE', '1 CANCEL'), port)
    await vi.waitFor(() => expect(statuses(peer)).toContain(487))
    held[0]?.end(provider.pem)
    // Of the next one the certificate is known.
    peer.send(invite(provider), port)
    await vi.waitFor(() => expect(statuses(peer)).toContain(180))
    expect(asked).toHaveLength(1)
  })
})

/** A registrar that knows one password, and what it has registered. */
function register(peer: UdpPeer, password: string): { contact: string | null } {
  const bound: { contact: string | null } = { contact: null }
  peer.onRequest = (text) => {
    if (!text.startsWith('REGISTER')) return answerText(text, '200 OK')
    const header = /^Authorization: (.*)$/m.exec(text)?.[1]?.trim()
    if (!header)
      return answerText(text, '401 Unauthorized', [
        'WWW-Authenticate: Digest realm="r", nonce="n1", qop="auth"',
      ])
    const answer = parseAnswer(header)
    if (!answer || !isRight(answer, password, 'REGISTER')) return answerText(text, '403 Forbidden')
    bound.contact = /^Contact: <sip:([^@]*)@/m.exec(text)?.[1] ?? null
    return answerText(text, '200 OK', ['Expires: 300'])
  }
  return bound
}

describe('a trunk that registers', () => {
  it('knows its calls by the secret in its Contact, and the number by To', async () => {
    const [registrar, proxy] = [await openPeer('127.0.0.2'), await openPeer()]
    const bound = register(registrar, 'open sesame')
    // Its host is another address than that which the call comes from.
    const trunk = trunkAt(registrar.port, { host: '127.0.0.2' })
    const { port, door, asked } = await openDoor([], isIn, [trunk])
    await vi.waitFor(() => expect(bound.contact).toMatch(/^[0-9a-f]{24}$/), { timeout: 20_000 })
    expect(await door.checkTrunk?.(trunk)).toMatchObject({ ok: true, registered: true })
    proxy.send(requestOf(proxy, 'INVITE', bound.contact ?? ''), port)
    await vi.waitFor(() => expect(asked[0]).toMatchObject({ trunkId: trunk.id, called: '+4930901820' }))
  })

  it('with a wrong password is found out by a check, which says what to do', async () => {
    const registrar = await openPeer()
    register(registrar, 'another')
    const trunk = trunkAt(registrar.port)
    const { door } = await openDoor([], isIn, [trunk])
    expect(await door.checkTrunk?.(trunk)).toMatchObject({
      ok: false,
      registered: false,
      optionsMs: expect.any(Number),
      message: expect.stringContaining('Check user name and password.'),
    })
  })
})

describe('a check', () => {
  it.each<[string, Partial<Trunk>, RegExp]>([
    ['a name that does not exist', { host: 'nowhere.invalid' }, /cannot be found by DNS/],
    ['a port where nobody listens', { transport: 'tcp', port: 9 }, /refuses connections/],
  ])('names the fault: %s', async (_, more, message) => {
    const { door } = await openDoor([], isIn)
    const trunk = trunkAt(9, { register: false, credentials: null, ...more })
    expect(await door.checkTrunk?.(trunk)).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    })
  })
})
