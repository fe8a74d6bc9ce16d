// The calls of a process on a network in memory: second calls and their messages, transfers that the far end wants, and
// encryption that it refuses.
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { alice, atAlice, bob, requestOf, sdp, sdpAt, Telephony } from '../../../../test/props/sip/agents.ts'
import { toCaller } from '../../../../test/props/sip/in-dialog.ts'
import type { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import type { Admission, Arrival } from '../../../ports/arrival.ts'
import type { Signalling as Messages } from '../../../ports/signalling.ts'
import type { Telephone } from '../../../ports/telephones.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { SipCaller } from '../auth/identity.ts'
import type { IncomingCall } from '../call/incoming-call.ts'
import type { Order, ToLine } from '../line/link.ts'
import { bodyText, headerOf, type SipRequest } from '../message/message.ts'
import { Trace } from '../transport/trace.ts'
import { CallSignalling } from './signalling.ts'

const carol = '192.0.2.3'
const order: Order = { sessionId: 's1', legOf: null, to: '+4930123456', from: null, trunkId: 't1' }

let telephony: Telephony
let toMedia: ToLine[]
let kept: [string, Messages][]
let states: (string | null)[]
let targets: string[]
let arrivals: Arrival[]
let mayDial: (to: string) => boolean
/** The telephones that anna has logged in with. */
let annas: Telephone[]
beforeEach(() => {
  telephony = new Telephony()
  ;[toMedia, kept, states, targets, arrivals] = [[], [], [], [], []]
  mayDial = () => false
  annas = []
})

function open(more: Partial<Trunk> = {}, admission: Admission = { is: 'unknown' }): CallSignalling {
  const trunk = trunkOf({ id: 't1', host: 'bob.example', ...more })
  const trace = new Trace(() => false)
  const agent = telephony.agent(alice, () => {}, {
    onTrace: (direction, message, peer) => trace.add(direction, message, peer, new Date(telephony.clock.now)),
  })
  const signalling: CallSignalling = new CallSignalling({
    agent,
    trace,
    telephones: { of: async (_, username) => (username === 'anna' ? annas : []) },
    book: {
      byId: (id) => (id === 't1' ? trunk : null),
      routesOf: () => [],
      usersNamed: (username) => (username === 'anna' ? [{ trunk, username, password: '' }] : []),
      at: (address) => (address === bob || address === carol ? [trunk] : []),
    },
    edge: { routes: [] },
    room: () => ({ free: 1, capacity: 1 }),
    after: telephony.clock.after,
    random: (bytes) => randomBytes(bytes).toString('hex'),
    resolve: async () => [{ transport: 'udp', address: bob, port: 5060 }],
    addressTowards: () => alice,
    verify: async (_, { variables }) => ({ variables, refusal: null }),
    admit: async (_, arrival) => {
      arrivals.push(arrival)
      return admission
    },
    post: (message) => void toMedia.push(message),
    keepSignalling: (sessionId, messages) => void kept.push([sessionId, messages]),
    keepState: (_, state) => void states.push(state),
    transferTargets: () => targets,
    mayDial: (_, to) => mayDial(to),
    log: { warn() {} },
  })
  return signalling
}

/** Places the call and describes it, as its line does. */
async function place(signalling: CallSignalling, call: string, more: Partial<Order> = {}): Promise<void> {
  signalling.receive({ type: 'place', call, ...order, ...more })
  await telephony.clock.advance(50)
  signalling.receive({ type: 'described', call, sdp })
  await telephony.clock.advance(50)
}

const posted = <Type extends ToLine['type']>(type: Type) =>
  toMedia.filter((message): message is Extract<ToLine, { type: Type }> => message.type === type)

/** The last INVITE that came to a peer. */
const lastInvite = (peer: RawPeer) =>
  peer.received.findLast(({ message }) => message.kind === 'request' && message.method === 'INVITE')

const notified = (peer: RawPeer) => peer.requests('NOTIFY').map((request) => bodyText(request).trim())

/** Peers that answer everything but INVITE with 200. */
function polite(address: string): RawPeer {
  const peer = telephony.peer(address)
  peer.onMessage = (received) => {
    const { message } = received
    if (message.kind === 'request' && !['INVITE', 'ACK'].includes(message.method)) received.answer(200)
  }
  return peer
}

async function connect(signalling: CallSignalling, peer: RawPeer): Promise<SipRequest> {
  await place(signalling, 'c1')
  lastInvite(peer)?.answer(200, { body: sdp })
  await telephony.clock.advance(50)
  return lastInvite(peer)?.message as SipRequest
}

describe('a call that is not taken (row 13)', () => {
  const arrive = async (signalling: CallSignalling) => {
    const rejected: [number, string[]][] = []
    const incoming: Partial<IncomingCall> = {
      request: requestOf('INVITE'),
      peer: atAlice,
      offer: sdp,
      ring() {},
      early() {},
      reject: (status, headers = []) => void rejected.push([status, headers.map(({ name }) => name)]),
      onCancelled: () => {},
      accept: () => null,
    }
    const trunk = trunkOf({ id: 't1' })
    const caller: SipCaller = {
      trunk,
      policy: 'off',
      trunkId: 't1',
      called: '+4930901820',
      caller: null,
      variables: {},
    }
    await signalling.arrive(incoming as IncomingCall, 'c1', caller)
    return rejected
  }

  it.each([
    [{}, [503, ['Retry-After']]],
    [{ fullStatus: 486 }, [486, []]],
  ])('for want of room is answered as the trunk wants it: %o', async (more, answer) =>
    expect(await arrive(open(more, { is: 'full' }))).toEqual([answer]),
  )

  it.each(['draining', 'overloaded'] as const)(
    'because the process is %s is answered 503, whatever the trunk wants for a full line',
    async (is) => expect(await arrive(open({ fullStatus: 486 }, { is }))).toEqual([[503, ['Retry-After']]]),
  )

  it.each([
    [{}, 480],
    [{ unansweredStatus: 603 }, 603],
  ])('by the agent is answered as the trunk wants it: %o', async (more, status) => {
    const rejected = await arrive(open(more, { is: 'in', sessionId: 's1' }))
    arrivals[0]?.refuse('Nobody is there.')
    expect(rejected).toEqual([[status, []]])
  })
})

describe('a call with encryption that the trunk need not take (row 44)', () => {
  it('is placed once more in plain after a 488, and not a third time', async () => {
    const peer = polite(bob)
    const signalling = open({ srtp: 'optional' })
    await place(signalling, 'c1')
    expect(posted('describe').map(({ terms }) => terms.srtp)).toEqual(['optional'])
    lastInvite(peer)?.answer(488)
    await telephony.clock.advance(50)
    expect(posted('describe').map(({ terms }) => terms.srtp)).toEqual(['optional', 'off'])
    expect(posted('ended')).toEqual([])
    signalling.receive({ type: 'described', call: 'c1', sdp: sdpAt(4_002) })
    await telephony.clock.advance(50)
    expect(bodyText(lastInvite(peer)?.message as SipRequest)).toContain('4002')
    lastInvite(peer)?.answer(488)
    await telephony.clock.advance(50)
    expect(posted('ended')).toMatchObject([{ call: 'c1', cause: { status: 488 } }])
  })

  it.each(['off', 'required'] as const)('is over after a 488 where it is %s', async (srtp) => {
    const peer = polite(bob)
    await place(open({ srtp }), 'c1')
    lastInvite(peer)?.answer(488)
    await telephony.clock.advance(50)
    expect(posted('ended')).toMatchObject([{ cause: { status: 488 } }])
  })
})

describe('a trunk that redirects (row 11)', () => {
  /** Bob redirects every call, to each of these in turn. */
  function redirecting(contacts: readonly string[]): RawPeer {
    const peer = polite(bob)
    const { onMessage } = peer
    peer.onMessage = (received) => {
      const { message, answer } = received
      if (message.kind === 'request' && message.method === 'INVITE') {
        const contact = contacts[(peer.requests('INVITE').length - 1) % contacts.length]
        if (contact) answer(302, { headers: [{ name: 'Contact', value: `<${contact}>;q=1` }] })
      } else onMessage(received)
    }
    return peer
  }
  const uris = (peer: RawPeer) => peer.requests('INVITE').map(({ uri }) => uri)

  it('is followed to a number that the workspace may call', async () => {
    const asked: string[] = []
    mayDial = (to) => asked.push(to) > 0
    const peer = redirecting(['sip:+4930555111@bob.example', ''])
    await place(open(), 'c1')
    expect(uris(peer)).toEqual(['sip:+4930123456@bob.example', 'sip:+4930555111@bob.example'])
    expect(asked).toEqual(['+4930555111'])
    lastInvite(peer)?.answer(200, { body: sdp })
    await telephony.clock.advance(50)
    expect(posted('answered')).toHaveLength(1)
  })

  it('is not followed to a number that it may not call, and the record says why', async () => {
    mayDial = (to) => !to.startsWith('+1900')
    const peer = redirecting(['sip:+19005551234@bob.example'])
    await place(open(), 'c1')
    expect(uris(peer)).toHaveLength(1)
    const text = 'Redirected to where this call may not go'
    expect(posted('ended')).toMatchObject([{ cause: { status: 302, text } }])
  })

  it('without end is given up, though each address is new', async () => {
    mayDial = () => true
    const contacts = Array.from({ length: 40 }, (_, nth) => `sip:+49305550${100 + nth}@bob.example`)
    const peer = redirecting(contacts)
    await place(open(), 'c1')
    await telephony.clock.advance(2_000)
    expect(uris(peer)).toHaveLength(6)
    expect(posted('ended')).toMatchObject([{ cause: { status: 302 } }])
  })

  it('is followed for a second call by the rules of the first one’s workspace', async () => {
    mayDial = (to) => to === '+4930777333'
    const peer = redirecting(['sip:+4930777333@bob.example', ''])
    await place(open(), 'c2', { sessionId: null, legOf: 's1' })
    expect(uris(peer).at(-1)).toBe('sip:+4930777333@bob.example')
  })
})

describe('a trunk that says nothing', () => {
  it('is out of reach, and the line is told so', async () => {
    telephony.peer(bob)
    await place(open(), 'c1')
    await telephony.clock.advance(33_000)
    expect(posted('reach')).toMatchObject([{ isInReach: false }])
    expect(posted('ended')).toMatchObject([
      { cause: { isOutOfReach: true, text: 'The trunk did not answer.' } },
    ])
  })
})

describe('a user who has logged in with several telephones', () => {
  const telephoneAt = (address: string): Telephone => ({
    numberId: 't1',
    username: 'anna',
    contact: `sip:anna@${address}:5062`,
    transport: 'udp',
    address,
    port: 5060,
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  const call = (signalling: CallSignalling) => place(signalling, 'c1', { to: 'sip:anna@parley' })

  it('is called at all of them; their messages are in the record of the call', async () => {
    annas = [telephoneAt(bob), telephoneAt(carol)]
    const [first, second] = [polite(bob), polite(carol)]
    const signalling = open()
    await call(signalling)
    expect([first, second].map((peer) => peer.requests('INVITE')[0]?.uri)).toEqual([
      `sip:anna@${bob}:5062`,
      `sip:anna@${carol}:5062`,
    ])
    lastInvite(second)?.answer(180)
    lastInvite(first)?.answer(180)
    await telephony.clock.advance(50)
    lastInvite(second)?.answer(200, { body: sdpAt(6_000) })
    await telephony.clock.advance(50)
    expect(posted('answered')).toMatchObject([{ sdp: sdpAt(6_000) }])
    expect(first.requests('CANCEL')).toHaveLength(1)
    signalling.receive({ type: 'hang-up', call: 'c1', cause: { status: 200, text: 'Done', q850: null } })
    await telephony.clock.advance(3_000)
    expect(second.requests('BYE')).toHaveLength(1)
    expect(kept[0]?.[1].messages.filter(({ text }) => text.startsWith('INVITE'))).toHaveLength(2)
  })

  it('and nothing is heard of them: the person did not answer, and no trunk is blamed', async () => {
    annas = [telephoneAt(carol)]
    telephony.peer(carol)
    await call(open())
    await telephony.clock.advance(33_000)
    expect(posted('reach')).toEqual([])
    expect(posted('ended')).toEqual([
      {
        type: 'ended',
        call: 'c1',
        cause: { status: 408, text: 'The telephone does not answer.', q850: null },
      },
    ])
  })
})

it('keeps the messages of a second call with those of the first, in the order of time', async () => {
  const peer = polite(bob)
  const signalling = open()
  await connect(signalling, peer)
  await place(signalling, 'c2', { sessionId: null, legOf: 's1', to: '+4930999999' })
  lastInvite(peer)?.answer(486)
  await telephony.clock.advance(3_000)
  expect(kept).toEqual([])
  signalling.receive({ type: 'hang-up', call: 'c1', cause: { status: 200, text: 'Hung up', q850: null } })
  await telephony.clock.advance(3_000)
  expect(kept).toHaveLength(1)
  const [sessionId, { messages }] = kept[0] as [string, Messages]
  expect(sessionId).toBe('s1')
  expect(messages.map(({ direction, text }) => `${direction} ${text.split(/ SIP|\r\n/)[0]}`)).toEqual([
    'out INVITE sip:+4930123456@bob.example',
    'in SIP/2.0 200 OK',
    'out ACK sip:raw@far.example',
    'out INVITE sip:+4930999999@bob.example',
    'in SIP/2.0 486 Busy Here',
    'out ACK sip:+4930999999@bob.example',
    'out BYE sip:raw@far.example',
    'in SIP/2.0 200 OK',
  ])
})

describe('a transfer that the far end wants (row 46)', () => {
  const replaces = '?Replaces=other%40pbx%3Bto-tag%3Da%3Bfrom-tag%3Db'
  const refer = (invite: SipRequest, to: string) =>
    toCaller(invite, 'REFER', { headers: { 'Refer-To': `<${to}>`, 'Referred-By': '<sip:bob@bob.example>' } })

  async function referred(to: string, more: { targets?: string[] } = {}) {
    targets = more.targets ?? []
    telephony.hosts['carol.example'] = [carol]
    const [peer, other] = [polite(bob), polite(carol)]
    const signalling = open()
    const invite = await connect(signalling, peer)
    peer.send(refer(invite, to), atAlice)
    await telephony.clock.advance(50)
    const [offered] = posted('offered')
    if (offered)
      signalling.receive({ type: 'answer-offer', call: 'c1', offer: offered.offer, sdp: sdpAt(4_004) })
    await telephony.clock.advance(50)
    return { peer, other, signalling, invite, answer: peer.responses().at(-1)?.status }
  }

  it('to a call within its own PBX moves the line there, and the old dialog is hung up', async () => {
    const { peer, signalling, answer } = await referred(`sip:carol@bob.example${replaces}`)
    expect(answer).toBe(202)
    const invite = lastInvite(peer)?.message as SipRequest
    expect(invite.uri).toBe('sip:carol@bob.example')
    expect(headerOf(invite, 'Replaces')).toBe('other@pbx;to-tag=a;from-tag=b')
    expect(headerOf(invite, 'Require')).toBe('replaces')
    expect(headerOf(invite, 'Referred-By')).toBe('<sip:bob@bob.example>')
    expect(bodyText(invite)).toContain('4004')
    lastInvite(peer)?.answer(180)
    await telephony.clock.advance(50)
    lastInvite(peer)?.answer(200, { tag: 'new', body: sdpAt(5_000) })
    await telephony.clock.advance(100)
    expect(notified(peer)).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing', 'SIP/2.0 200 OK'])
    expect(posted('late-answer')).toEqual([{ type: 'late-answer', call: 'c1', sdp: sdpAt(5_000) }])
    expect(peer.requests('BYE').map((bye) => headerOf(bye, 'Call-ID'))).toEqual(['c1'])
    expect(posted('ended')).toEqual([])
    // What another process would go on with is the new dialog.
    const newId = headerOf(invite, 'Call-ID') as string
    expect(states.at(-1)).toContain(newId)
    signalling.receive({ type: 'hang-up', call: 'c1', cause: { status: 200, text: 'Hung up', q850: null } })
    await telephony.clock.advance(3_000)
    expect(headerOf(peer.requests('BYE').at(-1) as SipRequest, 'Call-ID')).toBe(newId)
    expect(kept[0]?.[1].messages.filter(({ text }) => text.includes(newId))).not.toEqual([])
  })

  it('that fails leaves the call as it was, and the far end is told why', async () => {
    const { peer } = await referred(`sip:carol@bob.example${replaces}`)
    lastInvite(peer)?.answer(481)
    await telephony.clock.advance(100)
    expect(notified(peer).at(-1)).toMatch(/^SIP\/2\.0 481 /)
    expect([posted('ended'), posted('late-answer'), peer.requests('BYE')]).toEqual([[], [], []])
  })

  it('is seen through when the far end hangs up without waiting for it', async () => {
    const { peer, invite } = await referred(`sip:carol@bob.example${replaces}`)
    peer.send(toCaller(invite, 'BYE', { sequence: 2 }), atAlice)
    await telephony.clock.advance(50)
    expect(posted('ended')).toEqual([])
    lastInvite(peer)?.answer(200, { tag: 'new', body: sdpAt(5_000) })
    await telephony.clock.advance(100)
    expect(posted('late-answer')).toHaveLength(1)
    expect(posted('ended')).toEqual([])
  })

  it('that fails after the far end has left ends the call', async () => {
    const { peer, invite } = await referred(`sip:carol@bob.example${replaces}`)
    peer.send(toCaller(invite, 'BYE', { sequence: 2 }), atAlice)
    await telephony.clock.advance(50)
    lastInvite(peer)?.answer(486)
    await telephony.clock.advance(100)
    expect(posted('ended')).toMatchObject([{ cause: { status: 200 } }])
  })

  it.each([
    ['to a destination of the agent', 'sip:004930777777@bob.example', ['+4930777777'], 202],
    ['to an address of the agent', 'sip:desk@bob.example', ['sip:desk@bob.example'], 202],
    ['to a number that is not configured', 'sip:+19005551234@bob.example', ['+4930777777'], 603],
    ['to a number of another host', 'sip:+4930777777@evil.example', ['+4930777777'], 603],
    ['with Replaces to another host', `sip:carol@carol.example${replaces}`, [], 603],
    ['with Replaces and a second header in it', 'sip:carol@bob.example?Replaces=a%0D%0AX-Evil%3A1', [], 603],
  ])('%s is answered accordingly', async (_, to, configured, status) => {
    const { peer, other, answer } = await referred(to, { targets: configured })
    expect(answer).toBe(status)
    expect(peer.requests('INVITE')).toHaveLength(status === 202 ? 2 : 1)
    expect(other.received).toEqual([])
  })
})
