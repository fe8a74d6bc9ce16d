// Calls whose messages are lost, cross each other, come twice or lead elsewhere.
import { beforeEach, describe, expect, it } from 'vitest'
import {
  alice,
  atAlice,
  bob,
  done,
  Ears,
  requestOf,
  sdp,
  sdpAt,
  Telephony,
} from '../../../../test/props/sip/agents.ts'
import { toCallee, toCaller } from '../../../../test/props/sip/in-dialog.ts'
import type { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { bodyText, headerOf, headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Call } from './call.ts'
import { lineEndOf, type SipCause } from './causes.ts'
import type { IncomingCall } from './incoming-call.ts'

let telephony: Telephony
beforeEach(() => {
  telephony = new Telephony()
})

const statuses = (peer: RawPeer) => peer.responses().map(({ status }) => status)

async function called(
  decide: (arriving: IncomingCall) => void,
  headers: Record<string, string> = {},
  body = sdp,
) {
  const peer = telephony.peer()
  const us = telephony.agent(alice, decide)
  const invite = requestOf('INVITE', { 'Content-Type': 'application/sdp', ...headers }, { body })
  peer.send(invite, atAlice)
  await telephony.clock.advance(50)
  const answer = (status: number) => peer.responses().find((one) => one.status === status) as SipResponse
  return { peer, us, invite, answer }
}

const cancelOf = (invite: SipRequest, headers: { name: string; value: string }[] = []): SipRequest => ({
  ...invite,
  method: 'CANCEL',
  headers: [
    ...invite.headers.map((h) => (h.name === 'CSeq' ? { ...h, value: '1 CANCEL' } : h)),
    ...headers,
  ].filter(({ name }) => name !== 'Content-Type'),
  body: new Uint8Array(0),
})

describe('CANCEL (row 7)', () => {
  it('before the 200: 487, with the tag of the other answers, and its reason is told', async () => {
    let cause: SipCause | null = null
    const { peer, invite, answer } = await called((arriving) => {
      arriving.onCancelled = (given) => {
        cause = given
      }
      arriving.ring()
    })
    peer.send(
      cancelOf(invite, [
        { name: 'Reason', value: 'SIP;cause=200;text="Call completed elsewhere", Q.850;cause=26' },
      ]),
      atAlice,
    )
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([100, 180, 200, 487])
    expect(new Set([answer(180), answer(200), answer(487)].map((one) => headerOf(one, 'To'))).size).toBe(1)
    expect(cause).toEqual({ status: 487, text: 'Call completed elsewhere', q850: 26 })
  })

  it('after the 200 has no effect', async () => {
    const ears = new Ears()
    const { peer, invite } = await called((arriving) => void arriving.accept(sdp, ears))
    peer.send(cancelOf(invite), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer).slice(0, 3)).toEqual([100, 200, 200])
    expect(ears.ended).toBeNull()
  })

  it('of a stranger is not answered', async () => {
    const peer = telephony.peer()
    const us = telephony.agent(alice, () => {}, { isWelcome: () => false })
    peer.send(cancelOf(requestOf('INVITE')), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([])
    expect(us.counts.strangers).toBe(1)
  })

  it('of ours carries its reason, and the 487 is acknowledged (rows 8 and 15)', async () => {
    const peer = telephony.peer()
    const call = telephony.place()
    await telephony.clock.advance(50)
    peer.received[0]?.answer(180)
    await telephony.clock.advance(50)
    call.hangUp({ status: 480, text: 'Rung out', q850: 19 })
    await telephony.clock.advance(50)
    expect(headersOf(peer.requests('CANCEL')[0] as SipRequest, 'Reason')[0]).toBe(
      'Q.850;cause=19;text="Rung out"',
    )
    peer.received[0]?.answer(487)
    await telephony.clock.advance(50)
    expect(peer.requests('ACK')).toHaveLength(1)
  })

  it('that is answered while its INVITE is forgotten ends after 32 s, and leaves nothing', async () => {
    const peer = telephony.peer()
    const us = telephony.agent(alice)
    const call = telephony.place(new Ears(), {}, us)
    await telephony.clock.advance(50)
    peer.received[0]?.answer(180)
    peer.onMessage = ({ message, answer }) =>
      message.kind === 'request' && message.method === 'CANCEL' && answer(200)
    await telephony.clock.advance(50)
    call.hangUp(done)
    await telephony.clock.advance(40_000)
    expect([us.calls, us.transactions]).toEqual([0, 0])
  })
})

describe('BYE', () => {
  it('of a callee waits for the ACK of its answer (§15)', async () => {
    let call: Call | null = null
    const { peer, answer } = await called((arriving) => {
      call = arriving.accept(sdp, new Ears())
    })
    ;(call as Call | null)?.hangUp(done)
    await telephony.clock.advance(400)
    expect(peer.requests('BYE')).toHaveLength(0)
    peer.send(toCallee(answer(200), 'ACK', { sequence: 1 }), atAlice)
    await telephony.clock.advance(50)
    expect(peer.requests('BYE')).toHaveLength(1)
    await telephony.clock.advance(5_000)
    expect(statuses(peer).filter((status) => status === 200)).toHaveLength(1)
  })

  it('of the caller may come before its ACK', async () => {
    const ears = new Ears()
    const { peer, answer } = await called((arriving) => void arriving.accept(sdp, ears))
    peer.send(toCallee(answer(200), 'BYE'), atAlice)
    await telephony.clock.advance(10_000)
    expect(ears.ended).toMatchObject({ status: 200 })
    expect(statuses(peer)).toEqual([100, 200, 200])
  })

  it('of both sides at once is answered with 200 by both', async () => {
    const { call, farCall } = await telephony.connect()
    call.hangUp(done)
    farCall.hangUp(done)
    await telephony.clock.advance(1_000)
    for (const who of [alice, bob]) expect(telephony.sent(who, /SIP\/2.0 200 OK/).length).toBeGreaterThan(0)
    expect([...telephony.sent(alice, /481/), ...telephony.sent(bob, /481/)]).toEqual([])
  })

  it('carries the reason of the network, and what it carries is read (row 15)', async () => {
    const { call, farEars } = await telephony.connect()
    call.hangUp({ status: 486, text: 'Busy "now"', q850: 17 })
    await telephony.clock.advance(50)
    expect(farEars.ended?.q850).toBe(17)
    expect(lineEndOf({ status: 503, text: '', q850: 17 })).toBe('busy')
    expect(lineEndOf({ status: 480, text: '', q850: 1 })).toBe('unreachable')
    // Says nothing that the status does not.
    expect(lineEndOf({ status: 486, text: '', q850: 31 })).toBe('busy')
    expect([404, 603].map((status) => lineEndOf({ status, text: '', q850: null }))).toEqual([
      'unreachable',
      'rejected',
    ])
  })
})

describe('redirections (row 11)', () => {
  const contacts = (value: string) => [{ name: 'Contact', value }]
  const elsewhere = '192.0.2.44'

  async function redirected(value: string, redirectedTo?: (address: string) => string | null) {
    telephony.hosts['allowed.example'] = [elsewhere]
    const [peer, other] = [telephony.peer(), telephony.peer(elsewhere)]
    const ears = new Ears()
    telephony.place(ears, redirectedTo ? { redirectedTo } : {})
    peer.onMessage = ({ message, answer }) =>
      message.kind === 'request' && message.method === 'INVITE' && answer(302, { headers: contacts(value) })
    await telephony.clock.advance(200)
    return { peer, other, ears }
  }
  const onlyAllowed = (address: string) => (address.endsWith('@allowed.example') ? address : null)

  it('are not followed where nothing is allowed', async () => {
    const { ears, other } = await redirected('<sip:premium@allowed.example>')
    expect(ears.ended).toMatchObject({ status: 302 })
    expect(other.received).toHaveLength(0)
  })

  it('are followed to what is allowed, the best first, with a new number and the same To', async () => {
    const value =
      '<sip:low@allowed.example>;q=0.1, <sip:premium@evil.example>;q=1.0, <sip:high@allowed.example>;q=0.7'
    const { other, peer } = await redirected(value, onlyAllowed)
    const [first, second] = [peer.requests('INVITE')[0], other.requests('INVITE')[0]] as [
      SipRequest,
      SipRequest,
    ]
    expect(second.uri).toBe('sip:high@allowed.example')
    expect(headerOf(second, 'CSeq')).toBe('2 INVITE')
    expect([headerOf(second, 'To'), headerOf(second, 'Call-ID')]).toEqual([
      headerOf(first, 'To'),
      headerOf(first, 'Call-ID'),
    ])
    expect(peer.requests('ACK')).toHaveLength(1)
  })

  it('that lead in a circle end', async () => {
    const { ears, peer } = await redirected('<sip:bob@bob.example>', (address) => address)
    expect(ears.ended).toMatchObject({ status: 302 })
    expect(new Set(peer.requests('INVITE').map((one) => headerOf(one, 'CSeq'))).size).toBeLessThanOrEqual(2)
  })
})

describe('a caller that waits', () => {
  it('hears 180 again every minute, so that proxies do not forget the call (§13.3.1.1)', async () => {
    const { peer } = await called((arriving) => arriving.ring())
    await telephony.clock.advance(181_000)
    expect(statuses(peer)).toEqual([100, 180, 180, 180, 180])
  })

  it('no longer than its Expires says is told 487', async () => {
    const cancelled: SipCause[] = []
    const { peer } = await called(
      (arriving) => {
        arriving.onCancelled = (cause) => void cancelled.push(cause)
        arriving.ring()
      },
      { Expires: '20' },
    )
    await telephony.clock.advance(20_100)
    expect(statuses(peer)).toContain(487)
    expect(cancelled).toHaveLength(1)
  })

  it('and is refused gets no 200, and the cause of the network (rows 13, 15 and 30)', async () => {
    const { peer, answer } = await called((arriving) => {
      arriving.ring()
      arriving.reject(486)
    })
    expect(statuses(peer)).toEqual([100, 180, 486])
    expect(headerOf(answer(486), 'Reason')).toContain('Q.850;cause=17')
  })

  it('in vain has one cause, though the answer and the end of our patience race (row 14)', async () => {
    const peer = telephony.peer()
    const ears = new Ears()
    const call = telephony.place(ears)
    await telephony.clock.advance(50)
    peer.received[0]?.answer(180)
    await telephony.clock.advance(50)
    peer.received[0]?.answer(200, { body: sdp })
    call.hangUp({ status: 480, text: 'Rung out', q850: 19 })
    await telephony.clock.advance(100)
    expect(ears.events).toEqual(['180'])
    expect([peer.requests('ACK').length, peer.requests('BYE').length]).toEqual([1, 1])
  })
})

describe('what comes with an INVITE', () => {
  it('SDP beside what a telephone network added is found', async () => {
    const body = [
      '--b',
      'Content-Type: application/sdp',
      '',
      sdp.trimEnd(),
      '--b',
      'Content-Type: application/isup',
      '',
      'xx',
      '--b--',
      '',
    ].join('\r\n')
    let offer: string | null = null
    await called(
      (arriving) => {
        offer = arriving.offer
      },
      { 'Content-Type': 'multipart/mixed;boundary=b' },
      body,
    )
    expect(offer).toContain('m=audio 4000')
  })

  it.each([
    [{ 'Content-Type': 'application/isup' }, [415]],
    [{ 'Content-Type': 'application/isup', 'Content-Disposition': 'signal;handling=optional' }, [100]],
    [{ 'Content-Encoding': 'gzip' }, [415]],
  ])('%j is answered with %j', async (headers, expected) => {
    const { peer } = await called(() => {}, headers as Record<string, string>)
    expect(statuses(peer)).toEqual(expected)
  })

  it('an answer without SDP to an INVITE with one is passed on as none', async () => {
    const { ears, peer } = await telephony.connectRaw()
    expect(bodyText(peer.requests('INVITE')[0] as SipRequest)).toBe(sdp)
    expect(ears.answer).toBe(sdp)
  })
})

describe('OPTIONS (row 12)', () => {
  it('is answered with 503 and Retry-After when there is no room', async () => {
    const peer = telephony.peer()
    telephony.agent(alice, () => {}, { room: () => ({ free: 0, capacity: 1 }) })
    peer.send(requestOf('OPTIONS'), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([503])
    expect(headerOf(peer.responses()[0] as SipResponse, 'Retry-After')).toBe('10')
  })

  it('says what we can', async () => {
    const peer = telephony.peer()
    telephony.agent(alice)
    peer.send(requestOf('OPTIONS', { 'Max-Forwards': '0' }), atAlice)
    await telephony.clock.advance(50)
    const answer = peer.responses()[0] as SipResponse
    expect(['Allow', 'Accept', 'Supported'].map((name) => headerOf(answer, name))).toEqual([
      expect.stringContaining('PRACK'),
      'application/sdp',
      '100rel, timer, replaces',
    ])
  })
})

describe('strangers (row 36)', () => {
  it('get no answer, are counted, and cannot be told from a port that is closed', async () => {
    const peer = telephony.peer()
    const us = telephony.agent(alice, () => {}, { isWelcome: () => false })
    for (const method of ['INVITE', 'OPTIONS', 'REGISTER', 'BYE'])
      peer.send(requestOf(method, {}, { branch: `z9hG4bK${method}` }), atAlice)
    peer.send({ ...requestOf('INVITE', {}, { branch: 'z9hG4bKbroken' }), uri: 'sip:a b' }, atAlice)
    await telephony.clock.advance(1_000)
    expect(peer.received).toHaveLength(0)
    expect(us.counts).toMatchObject({ strangers: 5, malformed: 1 })
  })

  it('in the middle of a call of ours are answered: the dialog is their pass (row 4)', async () => {
    const { peer, invite, ears } = await telephony.connectRaw()
    peer.send(toCaller(invite, 'BYE'), atAlice)
    await telephony.clock.advance(50)
    expect(ears.ended).not.toBeNull()
  })
})

it('branches have at least 64 random bits, and begin with the cookie (row 6)', async () => {
  const peer = telephony.peer()
  telephony.place()
  telephony.place(new Ears(), { sdp: sdpAt(1) }, telephony.agent('192.0.2.5'))
  await telephony.clock.advance(50)
  const branches = peer
    .requests('INVITE')
    .map((one) => /branch=([^;]+)/.exec(headerOf(one, 'Via') ?? '')?.[1])
  for (const branch of branches) expect(branch).toMatch(/^z9hG4bK[0-9a-f]{16,}$/)
  expect(new Set(branches).size).toBe(branches.length)
})

it('a fault of ours while a message is worked on is reported, and the others go on', async () => {
  const faults: unknown[] = []
  const peer = telephony.peer()
  const onInvite = () => {
    throw new Error('a bug')
  }
  telephony.agent(alice, onInvite, { onFault: (error) => void faults.push(error) })
  peer.send(requestOf('INVITE'), atAlice)
  peer.send(requestOf('OPTIONS', { 'Call-ID': 'c2' }, { branch: 'z9hG4bKo' }), atAlice)
  await telephony.clock.advance(50)
  expect(faults).toMatchObject([{ message: 'a bug' }])
  expect(statuses(peer)).toContain(200)
})
