// Two user agents, and one with a peer that misbehaves, over a network in memory and a clock of the test's own.
import { beforeEach, describe, expect, it } from 'vitest'
import {
  alice,
  bob,
  done,
  Ears,
  order,
  requestOf,
  sdp,
  Telephony,
  atAlice as to,
} from '../../../../test/props/sip/agents.ts'
import type { ManualClock, MemoryNetwork } from '../../../../test/props/sip/network.ts'
import { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { printChallenge } from '../auth/digest.ts'
import { headerOf, headersOf, type SipRequest } from '../message/message.ts'
import type { SipCause } from './causes.ts'
import type { IncomingCall } from './incoming-call.ts'

let telephony: Telephony
let clock: ManualClock
let network: MemoryNetwork
let hosts: Telephony['hosts']

beforeEach(() => {
  telephony = new Telephony()
  ;({ clock, network, hosts } = telephony)
})

const agent = (address: string, onInvite?: (call: IncomingCall) => void) => telephony.agent(address, onInvite)
const connect = () => telephony.connect()
const sent = (from: string, start: RegExp) => telephony.sent(from, start)

describe('a call', () => {
  it('rings, is answered, and is hung up by the caller', async () => {
    const { call, ears, farEars } = await connect()
    expect(ears.events).toEqual(['180', 'answered'])
    call.hangUp(done)
    await clock.advance(100)
    expect(farEars.ended).toMatchObject({ status: 200 })
    expect(ears.ended).toMatchObject({ status: 200 })
  })

  it('is hung up by the callee, with the reason of the telephone network', async () => {
    const { farCall, ears } = await connect()
    farCall.hangUp({ status: 486, text: 'x', q850: 17 })
    await clock.advance(100)
    expect(ears.ended?.q850).toBe(17)
  })

  it('leaves no timer behind', async () => {
    const { call, us, them } = await connect()
    call.hangUp(done)
    await clock.advance(100_000)
    expect({ pending: clock.pending, calls: us.calls + them.calls }).toEqual({ pending: 0, calls: 0 })
  })

  it.each([2, 3, 4])('is set up and ended although every %ith message is lost', async (nth) => {
    network.loses = (_, count) => count % nth === 1
    const { call, ears, farEars } = await connect()
    expect(ears.events).toContain('answered')
    call.hangUp(done)
    await clock.advance(40_000)
    expect(farEars.ended).not.toBeNull()
  })

  it('whose ACKs are all lost is hung up after 32 s', async () => {
    network.loses = (text) => text.startsWith('ACK')
    const { ears, farEars } = await connect()
    expect(farEars.ended).toMatchObject({ status: 408 })
    expect(ears.ended).not.toBeNull()
    expect(sent(bob, /200 OK/).length).toBeGreaterThan(8)
  })

  it('to a host that does not answer fails after 32 s', async () => {
    const ears = new Ears()
    agent(alice).place(order(ears))
    await clock.advance(31_900)
    expect(ears.ended).toBeNull()
    await clock.advance(200)
    expect(ears.ended).toMatchObject({ status: 408, text: 'The trunk did not answer.', isOutOfReach: true })
    expect(sent(alice, /INVITE/)).toHaveLength(7)
  })

  it('of which nothing is heard is out of reach after 4 s, and in reach with the first word', async () => {
    const peer = new RawPeer(network, bob)
    const reach: [number, boolean][] = []
    const ears = Object.assign(new Ears(), {
      onReach: (isInReach: boolean) => void reach.push([clock.now, isInReach]),
    })
    agent(alice).place(order(ears))
    await clock.advance(5_700)
    peer.received[0]?.answer(100)
    await clock.advance(3_000)
    peer.received[0]?.answer(183)
    await clock.advance(80_000)
    expect(reach).toEqual([
      [4_000, false],
      [5_710, true],
    ])
    peer.received[0]?.answer(480)
    await clock.advance(50)
    expect(ears.ended).toEqual({ status: 480, text: 'Temporarily Unavailable', q850: null })
  })

  it('whose first server is silent and whose second refuses was in reach', async () => {
    hosts['bob.example'] = ['192.0.2.77', bob]
    const peer = new RawPeer(network, bob)
    const ears = new Ears()
    agent(alice).place(order(ears))
    await clock.advance(4_100)
    peer.received[0]?.answer(500)
    await clock.advance(50)
    expect(ears.ended).toMatchObject({ status: 500 })
    expect(ears.ended).not.toHaveProperty('isOutOfReach')
  })

  it('to a name that does not exist fails at once', async () => {
    const ears = new Ears()
    agent(alice).place(order(ears, { to: 'sip:x@nowhere.example' }))
    await clock.advance(1)
    expect(ears.ended).toMatchObject({
      text: expect.stringContaining('cannot be resolved'),
      isOutOfReach: true,
    })
  })
})

describe('a caller who gives up', () => {
  it('cancels a call that rings', async () => {
    const ears = new Ears()
    let cancelled: SipCause | null = null
    agent(bob, (arriving) => {
      arriving.ring()
      arriving.onCancelled = (cause) => (cancelled = cause)
    })
    const call = agent(alice).place(order(ears))
    await clock.advance(1_000)
    call.hangUp(done)
    await clock.advance(1_000)
    expect(cancelled).toMatchObject({ status: 487 })
    expect(sent(alice, /CANCEL/)).toHaveLength(1)
    expect(sent(alice, /ACK/)).toHaveLength(1)
  })

  it('waits with the CANCEL until the far end has said something', async () => {
    const peer = new RawPeer(network, bob)
    const call = agent(alice).place(order(new Ears()))
    await clock.advance(600)
    call.hangUp(done)
    await clock.advance(600)
    expect(peer.requests('CANCEL')).toHaveLength(0)
    peer.received[0]?.answer(180)
    await clock.advance(100)
    expect(peer.requests('CANCEL')).toHaveLength(1)
    expect(headersOf(peer.requests('CANCEL')[0] as SipRequest, 'Via')).toEqual(
      headersOf(peer.requests('INVITE')[0] as SipRequest, 'Via'),
    )
  })

  it('acknowledges and hangs up an answer that crosses the CANCEL', async () => {
    const peer = new RawPeer(network, bob)
    const call = agent(alice).place(order(new Ears()))
    await clock.advance(100)
    peer.received[0]?.answer(180)
    await clock.advance(100)
    call.hangUp(done)
    peer.received[0]?.answer(200, { body: sdp })
    await clock.advance(200)
    expect([peer.requests('ACK').length, peer.requests('BYE').length]).toEqual([1, 1])
  })
})

describe('forks (row 10)', () => {
  it('the first answer is the call, the others are acknowledged and hung up', async () => {
    const peer = new RawPeer(network, bob)
    const ears = new Ears()
    agent(alice).place(order(ears))
    await clock.advance(100)
    for (const tag of ['one', 'two', 'three']) peer.received[0]?.answer(200, { tag, body: sdp })
    await clock.advance(300)
    expect(ears.events).toEqual(['answered'])
    expect(peer.requests('ACK').map((ack) => headerOf(ack, 'To'))).toHaveLength(3)
    expect(peer.requests('BYE').map((bye) => headerOf(bye, 'To')?.slice(-5))).toEqual(['g=two', 'three'])
  })

  it('a repeated answer is acknowledged again', async () => {
    const peer = new RawPeer(network, bob)
    agent(alice).place(order(new Ears()))
    await clock.advance(100)
    for (let i = 0; i < 3; i++) peer.received[0]?.answer(200, { body: sdp })
    await clock.advance(100)
    expect(peer.requests('ACK')).toHaveLength(3)
    expect(peer.requests('BYE')).toHaveLength(0)
  })
})

describe('a trunk that asks for a password', () => {
  const credentials = { username: 'alice', password: 'secret' }
  const challenge = (nonce: string, stale = false) => ({
    name: 'Proxy-Authenticate',
    value: printChallenge({ realm: 'trunk', nonce, opaque: 'o', algorithm: 'MD5', qop: 'auth', stale }),
  })

  it('gets it, with the next number and the same dialog', async () => {
    const peer = new RawPeer(network, bob)
    const ears = new Ears()
    agent(alice).place(order(ears, { credentials }))
    await clock.advance(50)
    peer.received[0]?.answer(407, { headers: [challenge('n1')] })
    await clock.advance(50)
    const [first, second] = peer.requests('INVITE') as [SipRequest, SipRequest]
    expect(headerOf(second, 'Proxy-Authorization')).toContain('nc=00000001')
    expect(headerOf(second, 'CSeq')).toBe('2 INVITE')
    expect(headerOf(second, 'Call-ID')).toBe(headerOf(first, 'Call-ID'))
    expect(headerOf(second, 'From')).toBe(headerOf(first, 'From'))
    expect(peer.requests('ACK')).toHaveLength(1)
  })

  it('gets it again if the nonce was stale, and not a third time if it is refused', async () => {
    const peer = new RawPeer(network, bob)
    const ears = new Ears()
    agent(alice).place(order(ears, { credentials }))
    peer.onMessage = ({ message, answer }) => {
      if (message.kind !== 'request' || message.method !== 'INVITE') return
      const count = peer.requests('INVITE').length
      answer(407, { headers: [challenge(`n${count}`, count === 2)] })
    }
    await clock.advance(1_000)
    expect(peer.requests('INVITE')).toHaveLength(3)
    expect(ears.ended).toMatchObject({ status: 407 })
  })

  it('and none is configured: the call fails', async () => {
    const peer = new RawPeer(network, bob)
    const ears = new Ears()
    agent(alice).place(order(ears))
    await clock.advance(50)
    peer.received[0]?.answer(407, { headers: [challenge('n1')] })
    await clock.advance(50)
    expect(ears.ended).toMatchObject({ status: 407 })
  })
})

describe('several servers', () => {
  it('the next one is tried after 4 s of silence', async () => {
    hosts['bob.example'] = ['192.0.2.77', bob]
    const { ears } = await connect()
    expect(ears.events).toContain('answered')
  })

  it('the next one is tried after 503', async () => {
    hosts['bob.example'] = ['192.0.2.78', bob]
    const full = new RawPeer(network, '192.0.2.78')
    full.onMessage = ({ message, answer }) =>
      message.kind === 'request' && message.method === 'INVITE' && answer(503)
    const { ears } = await connect()
    expect(ears.events).toContain('answered')
  })

  it('486 is an answer: nobody else is tried', async () => {
    hosts['bob.example'] = [bob, '192.0.2.79']
    const peer = new RawPeer(network, bob)
    const ears = new Ears()
    agent(alice).place(order(ears))
    await clock.advance(50)
    peer.received[0]?.answer(486, { headers: [{ name: 'Reason', value: 'Q.850;cause=17;text="User busy"' }] })
    await clock.advance(50)
    expect(ears.ended).toEqual({ status: 486, text: 'Busy Here', q850: 17 })
  })
})

describe('an offer in the middle of a call', () => {
  it('is answered', async () => {
    const { call, farEars } = await connect()
    const answer = call.offer(sdp.replace('4000', '4002'))
    await clock.advance(100)
    expect(farEars.offers[0]?.sdp).toContain('4002')
    farEars.offers[0]?.accept(sdp.replace('4000', '5000'))
    await clock.advance(100)
    expect(await answer).toMatchObject({ sdp: expect.stringContaining('5000') })
  })

  it('is refused', async () => {
    const { farCall, ears } = await connect()
    const answer = farCall.offer(sdp)
    await clock.advance(100)
    ears.offers[0]?.refuse(488)
    await clock.advance(100)
    expect(await answer).toMatchObject({ refused: { status: 488 } })
  })

  it('of both sides at once is tried again at different moments', async () => {
    const { call, farCall, ears, farEars } = await connect()
    const both = [call.offer(sdp), farCall.offer(sdp)]
    ears.onOffer = (offer) => offer.accept(sdp)
    farEars.onOffer = (offer) => offer.accept(sdp)
    await clock.advance(10_000)
    expect(await Promise.all(both)).toEqual([{ sdp }, { sdp }])
    expect(sent(alice, /491/).length + sent(bob, /491/).length).toBeGreaterThan(0)
  })
})

describe('the session timer', () => {
  it('is refreshed by the caller, and nobody hangs up', async () => {
    const { ears, farEars } = await connect()
    await clock.advance(3 * 3_600_000)
    expect([ears.ended, farEars.ended]).toEqual([null, null])
    expect(sent(alice, /UPDATE/).length).toBeGreaterThan(8)
  })

  it('ends a call whose far end has gone', async () => {
    const { ears } = await connect()
    network.loses = () => true
    await clock.advance(1_900_000)
    expect(ears.ended).toMatchObject({ status: 408 })
  })
})

describe('a request that is not understood', () => {
  const request = (method: string, headers: Record<string, string> = {}, branch = 'z9hG4bKx') =>
    requestOf(method, headers, { branch })
  const statuses = (peer: RawPeer) => peer.responses().map(({ status }) => status)

  it.each([
    ['a method that we do not have', request('PUBLISH'), 405],
    ['an extension that we do not have', request('INVITE', { Require: 'telepathy' }), 420],
    ['CANCEL of nothing', request('CANCEL'), 481],
    ['BYE of nothing', request('BYE', { To: '<sip:parley@alice.example>;tag=x' }), 481],
    ['a number of another method', request('OPTIONS', { CSeq: '1 INVITE' }), 400],
    ['an address of another kind', { ...request('OPTIONS'), uri: 'http://x' }, 416],
    [
      'a body that is no SDP',
      { ...request('INVITE', { 'Content-Type': 'text/plain' }), body: new Uint8Array(3) },
      415,
    ],
    ['an interval of a second', request('INVITE', { 'Session-Expires': '1', Supported: 'timer' }), 422],
  ])('%s', async (_, message, status) => {
    const peer = new RawPeer(network, bob)
    agent(alice)
    peer.send(message, to)
    await clock.advance(100)
    expect(statuses(peer)).toContain(status)
  })

  it('OPTIONS is answered with what we can', async () => {
    const peer = new RawPeer(network, bob)
    agent(alice)
    peer.send(request('OPTIONS'), to)
    await clock.advance(100)
    expect(headerOf(peer.responses()[0] as never, 'Allow')).toContain('INVITE')
  })

  it('an INVITE that comes by two ways is answered once, and 482', async () => {
    const calls: IncomingCall[] = []
    const peer = new RawPeer(network, bob)
    agent(alice, (call) => calls.push(call))
    peer.send(request('INVITE', {}, 'z9hG4bK-one'), to)
    peer.send(request('INVITE', {}, 'z9hG4bK-two'), to)
    peer.send(request('INVITE', {}, 'z9hG4bK-one'), to)
    await clock.advance(100)
    expect(calls).toHaveLength(1)
    expect(statuses(peer)).toEqual([100, 482, 100])
  })

  it('requests of proxies come back through them', async () => {
    const peer = new RawPeer(network, bob)
    agent(alice, (call) => void call.accept(sdp, new Ears()))
    peer.send(request('INVITE', { 'Record-Route': '<sip:p1.example;lr>, <sip:p2.example;lr>' }), to)
    await clock.advance(100)
    const answer = peer.responses().find(({ status }) => status === 200)
    expect(headersOf(answer as never, 'Record-Route')).toEqual(['<sip:p1.example;lr>, <sip:p2.example;lr>'])
  })
})
