// Where messages go: names, routes, NAT, servers that fail, and requests too large for UDP.
import { beforeEach, describe, expect, it } from 'vitest'
import {
  alice,
  atAlice,
  bob,
  done,
  Ears,
  requestOf,
  sdp,
  Telephony,
} from '../../../../test/props/sip/agents.ts'
import { toCallee, toCaller } from '../../../../test/props/sip/in-dialog.ts'
import { headerOf, headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { type NameServer, resolveTarget } from '../transport/resolve.ts'
import type { Destination } from '../transport/transport.ts'
import type { Call } from './call.ts'
import { type Dialog, nextRequest } from './dialog.ts'
import { wayOf } from './send-request.ts'

let telephony: Telephony
beforeEach(() => {
  telephony = new Telephony()
})

describe('names (row 25)', () => {
  const none = () => Promise.reject(new Error('ENOTFOUND'))
  const names = (found: Partial<NameServer>): NameServer => ({
    resolveSrv: none,
    resolveNaptr: none,
    resolve4: none,
    resolve6: none,
    lookup: none,
    ...found,
  })
  const at = (
    address: string,
    found: Partial<NameServer>,
    transport: Destination['transport'] | null = null,
  ) => resolveTarget(address, transport, { names: names(found), random: () => 0.5 })
  const four = (table: Record<string, string[]>) => (name: string) => Promise.resolve(table[name] ?? [])

  it('an address is itself, with the usual port of its transport', async () => {
    expect(await at('sip:a@192.0.2.9', {})).toEqual([{ transport: 'udp', address: '192.0.2.9', port: 5060 }])
    expect(await at('sip:a@[2001:db8::9]:5070;transport=tcp', {})).toEqual([
      { transport: 'tcp', address: '2001:db8::9', port: 5070 },
    ])
    expect(await at('sips:a@192.0.2.9', {})).toMatchObject([{ transport: 'tls', port: 5061 }])
  })

  it('NAPTR says by what, SRV where and in which order', async () => {
    const found = await at('sip:trunk.example', {
      resolveNaptr: async () => [
        { service: 'SIP+D2U', replacement: '_sip._udp.trunk.example', order: 20, preference: 1 },
        { service: 'SIPS+D2T', replacement: '_sips._tcp.trunk.example', order: 10, preference: 1 },
      ],
      resolveSrv: async (name) =>
        name === '_sips._tcp.trunk.example'
          ? [
              { name: 'b.trunk.example', port: 5071, priority: 20, weight: 1 },
              { name: 'a.trunk.example', port: 5061, priority: 10, weight: 1 },
            ]
          : [],
      resolve4: four({ 'a.trunk.example': ['192.0.2.10'], 'b.trunk.example': ['192.0.2.11'] }),
    })
    // A certificate is for the name that was asked for, not for the one that SRV points to (RFC 5922 §7.2).
    expect(found).toEqual([
      { transport: 'tls', address: '192.0.2.10', port: 5061, serverName: 'trunk.example' },
      { transport: 'tls', address: '192.0.2.11', port: 5071, serverName: 'trunk.example' },
    ])
  })

  it('a port leaves no question for SRV, and a name without records is looked up by the system', async () => {
    const asked: string[] = []
    const resolveSrv = async (name: string) => {
      asked.push(name)
      return []
    }
    expect(await at('sip:pbx:5080', { resolveSrv, lookup: async () => ['10.0.0.5'] })).toMatchObject([
      { port: 5080 },
    ])
    expect(asked).toEqual([])
    expect(await at('sip:nowhere.example', {})).toEqual([])
  })

  it('within one priority servers are drawn by their weight', async () => {
    const rows = ['heavy', 'light'].map((name, i) => ({
      name: `${name}.example`,
      port: 5060,
      priority: 1,
      weight: i === 0 ? 90 : 10,
    }))
    const resolve4 = four({ 'heavy.example': ['192.0.2.1'], 'light.example': ['192.0.2.2'] })
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    let heavyFirst = 0
    for (let i = 0; i < 500; i++) {
      const parts = { names: names({ resolveSrv: async () => rows, resolve4 }), random }
      const [first] = await resolveTarget('sip:x.example;transport=udp', null, parts)
      if (first?.address === '192.0.2.1') heavyFirst++
    }
    expect(heavyFirst).toBeGreaterThan(420)
    expect(heavyFirst).toBeLessThan(480)
  })
})

describe('servers that fail', () => {
  const ill = '192.0.2.78'

  it('one that was silent is tried last for a while', async () => {
    telephony.hosts['bob.example'] = [ill, bob]
    const peer = telephony.peer()
    const us = telephony.agent(alice)
    telephony.place(new Ears(), {}, us)
    await telephony.clock.advance(4_100)
    expect(peer.requests('INVITE')).toHaveLength(1)
    telephony.place(new Ears(), {}, us)
    await telephony.clock.advance(100)
    expect(new Set(peer.requests('INVITE').map((one) => headerOf(one, 'Call-ID'))).size).toBe(2)
  })

  it('an answer of one that was given up gets its ACK and its BYE, and the other one is the call', async () => {
    telephony.hosts['bob.example'] = [ill, bob]
    const [slow, quick] = [telephony.peer(ill), telephony.peer()]
    const ears = new Ears()
    telephony.place(ears)
    await telephony.clock.advance(4_100)
    quick.received[0]?.answer(200, { body: sdp })
    await telephony.clock.advance(50)
    slow.received[0]?.answer(200, {
      tag: 'slow',
      body: sdp,
      headers: [{ name: 'Contact', value: `<sip:s@${ill}>` }],
    })
    await telephony.clock.advance(50)
    expect(ears.events).toEqual(['answered'])
    expect(telephony.sent(alice, /BYE/)).toHaveLength(1)
  })

  it('one that was given up and then rings is cancelled', async () => {
    telephony.hosts['bob.example'] = [ill, bob]
    const slow = telephony.peer(ill)
    telephony.place()
    await telephony.clock.advance(4_100)
    slow.received[0]?.answer(180, { tag: 'slow' })
    await telephony.clock.advance(50)
    expect(slow.requests('CANCEL')).toHaveLength(1)
  })
})

describe('a request over 1300 bytes (row 22)', () => {
  const long = [{ name: 'X-Long', value: 'x'.repeat(1_300) }]
  const transports = () =>
    telephony.network.carried
      .filter(({ start }) => start.startsWith('INVITE'))
      .map(({ transport }) => transport)

  it('goes by TCP', async () => {
    const peer = telephony.peer()
    telephony.place(new Ears(), { headers: long })
    await telephony.clock.advance(50)
    expect(headersOf(peer.requests('INVITE')[0] as SipRequest, 'Via')[0]).toMatch(/^SIP\/2\.0\/TCP /)
    expect(transports()).toEqual(['tcp'])
  })

  it('goes by UDP where the peer has no TCP, and the next one goes there at once', async () => {
    telephony.network.refusesTcp.add(bob)
    const peer = telephony.peer()
    const us = telephony.agent(alice)
    for (let i = 0; i < 2; i++) {
      telephony.place(new Ears(), { headers: long }, us)
      await telephony.clock.advance(60)
    }
    expect(transports()).toEqual(['tcp', 'udp', 'udp'])
    expect(headersOf(peer.requests('INVITE')[0] as SipRequest, 'Via')[0]).toMatch(/^SIP\/2\.0\/UDP /)
  })

  it('is cancelled by the way it went; a small one goes by UDP', async () => {
    const peer = telephony.peer()
    const us = telephony.agent(alice)
    const call = telephony.place(new Ears(), { headers: long }, us)
    await telephony.clock.advance(50)
    peer.received[0]?.answer(180)
    await telephony.clock.advance(50)
    call.hangUp(done)
    await telephony.clock.advance(50)
    expect(telephony.network.carried.find(({ start }) => start.startsWith('CANCEL'))?.transport).toBe('tcp')
    telephony.place(new Ears(), {}, us)
    await telephony.clock.advance(50)
    expect(transports()).toEqual(['tcp', 'udp'])
  })
})

describe('routes', () => {
  it('ACK and BYE of a caller go along the Record-Route of the 2xx, to its Contact (row 1)', async () => {
    telephony.hosts['p1.example'] = ['192.0.2.21']
    telephony.hosts['p2.example'] = [bob]
    const nearest = telephony.peer('192.0.2.21')
    const recorded = [{ name: 'Record-Route', value: '<sip:p2.example;lr>, <sip:p1.example;lr>' }]
    const { call } = await telephony.connectRaw(recorded)
    call.hangUp(done)
    await telephony.clock.advance(50)
    for (const method of ['ACK', 'BYE']) {
      const [request] = nearest.requests(method) as [SipRequest]
      expect(request.uri).toBe('sip:raw@far.example')
      expect(headersOf(request, 'Route')).toEqual(['<sip:p1.example;lr>', '<sip:p2.example;lr>'])
    }
    expect(headerOf(nearest.requests('ACK')[0] as SipRequest, 'CSeq')).toBe('1 ACK')
  })

  it('without routes the ACK goes to the Contact, wherever the INVITE went (row 1)', async () => {
    telephony.hosts['gateway.example'] = ['192.0.2.31']
    telephony.hosts['far.example'] = ['192.0.2.31']
    const gateway = telephony.peer('192.0.2.31')
    await telephony.connectRaw()
    expect(gateway.requests('ACK')).toHaveLength(1)
  })

  it('18x and 2xx carry the Record-Route of the INVITE (row 3)', async () => {
    const peer = telephony.peer()
    telephony.agent(alice, (arriving) => {
      arriving.ring()
      arriving.accept(sdp, new Ears())
    })
    const route = '<sip:p1.example;lr>'
    peer.send(
      requestOf('INVITE', { 'Record-Route': route, 'Content-Type': 'application/sdp' }, { body: sdp }),
      atAlice,
    )
    await telephony.clock.advance(50)
    const answers = peer.responses().filter(({ status }) => status >= 180)
    expect(answers.map((one) => headersOf(one, 'Record-Route'))).toEqual([[route], [route]])
  })

  it('a strict router gets the request addressed to itself, and is where it goes (§12.2.1.1)', () => {
    const dialog = {
      routes: ['<sip:strict.example>', '<sip:loose.example;lr>'],
      remoteTarget: 'sip:far@192.0.2.9',
    }
    const { request } = nextRequest(dialogOf(dialog), { method: 'BYE' })
    expect(request.uri).toBe('sip:strict.example')
    expect(headersOf(request, 'Route')).toEqual(['<sip:loose.example;lr>', '<sip:far@192.0.2.9>'])
    expect(wayOf(dialogOf(dialog), peerAt(bob)).hop).toBe('sip:strict.example')
  })

  it('requests of a dialog are found by Call-ID and tags, on any socket and from any address (row 4)', async () => {
    const ears = new Ears()
    const { invite } = await telephony.connectRaw([], ears)
    const elsewhere = telephony.peer('192.0.2.99')
    elsewhere.send(
      toCaller(invite, 'BYE', { headers: { Via: 'SIP/2.0/UDP 192.0.2.99;branch=z9hG4bKe' } }),
      atAlice,
    )
    await telephony.clock.advance(50)
    expect(ears.ended).toMatchObject({ status: 200 })
    expect(elsewhere.responses()[0]?.status).toBe(200)
  })
})

const dialogOf = (more: Partial<Dialog>): Dialog => ({
  callId: 'c',
  local: '<sip:a>;tag=a',
  remote: '<sip:b>;tag=b',
  localTag: 'a',
  remoteTag: 'b',
  remoteTarget: 'sip:far@far.example',
  routes: [],
  localSequence: 1,
  remoteSequence: null,
  isBehindNat: false,
  ...more,
})
const peerAt = (address: string, more: Partial<Destination> = {}): Destination => ({
  transport: 'udp',
  address,
  port: 5060,
  ...more,
})

describe('NAT (row 5)', () => {
  it.each([
    ['its Contact', 'sip:b@198.51.100.7:5070', peerAt('203.0.113.1'), false],
    [
      'where it is, for a private Contact of a public peer',
      'sip:b@192.168.1.5',
      peerAt('203.0.113.1', { port: 40_000 }),
      true,
    ],
    ['its private Contact, in a private network', 'sip:b@192.168.1.5', peerAt('192.168.1.1'), false],
    [
      'the connection that it opened',
      'sip:b@203.0.113.1:5060;transport=tcp',
      peerAt('203.0.113.1', { transport: 'tcp', port: 50_123 }),
      true,
    ],
    ['where it is, for an address of IPv6 that is its own', 'sip:b@[fd00::1]', peerAt('2001:db8::1'), true],
  ] as const)('a peer is reached at %s', (_, remoteTarget, peer, isFixed) => {
    expect(wayOf(dialogOf({ remoteTarget }), peer).fixed).toEqual(isFixed ? peer : null)
  })

  it('a caller whose Via and Contact name another address than it sends from is answered where it is', async () => {
    let call: Call | null = null
    telephony.agent(alice, (arriving) => {
      call = arriving.accept(sdp, new Ears())
    })
    const peer = telephony.peer()
    const inside = {
      Via: 'SIP/2.0/UDP 198.51.100.50:5060;branch=z9hG4bKn;rport',
      Contact: '<sip:b@198.51.100.50:5060>',
    }
    peer.send(requestOf('INVITE', { ...inside, 'Content-Type': 'application/sdp' }, { body: sdp }), atAlice)
    await telephony.clock.advance(50)
    const response = peer.responses().find(({ status }) => status === 200) as SipResponse
    expect(headerOf(response, 'Via')).toBe(
      `SIP/2.0/UDP 198.51.100.50:5060;branch=z9hG4bKn;rport=5060;received=${bob}`,
    )
    peer.send(toCallee(response, 'ACK', { sequence: 1 }), atAlice)
    await telephony.clock.advance(50)
    ;(call as Call | null)?.hangUp(done)
    await telephony.clock.advance(50)
    expect(peer.requests('BYE')[0]?.uri).toBe('sip:b@198.51.100.50:5060')
  })

  it('without rport the answer goes to the port that the Via names (§18.2.2)', async () => {
    telephony.agent(alice)
    const peer = telephony.peer()
    peer.send(requestOf('OPTIONS', { Via: `SIP/2.0/UDP ${bob}:5999;branch=z9hG4bKp` }), atAlice)
    await telephony.clock.advance(50)
    expect(telephony.network.carried.at(-1)).toMatchObject({ start: 'SIP/2.0 200 OK', port: 5_999 })
  })
})

it('calls keep their way open every 25 s while they last (row 27)', async () => {
  const { call } = await telephony.connect()
  await telephony.clock.advance(100_000)
  const before = telephony.network.pings.length
  expect(before).toBeGreaterThanOrEqual(8)
  call.hangUp(done)
  await telephony.clock.advance(100_000)
  expect(telephony.network.pings.length).toBe(before)
})
