// A binding at a registrar: kept, refreshed, lost and made again (rows 16 and 17).
import { beforeEach, describe, expect, it } from 'vitest'
import { alice, bob, Telephony } from '../../../../test/props/sip/agents.ts'
import type { RawPeer, ReceivedMessage } from '../../../../test/props/sip/raw-peer.ts'
import { printChallenge } from '../auth/digest.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import { Registration, type RegistrationState } from './registration.ts'

let telephony: Telephony
let peer: RawPeer
let states: RegistrationState[]
beforeEach(() => {
  telephony = new Telephony()
  peer = telephony.peer()
  states = []
})

function register(transport: 'udp' | 'tcp' = 'udp'): Registration {
  const registration = new Registration({
    ...telephony.agent(alice).callParts(transport),
    registrar: 'sip:far.example',
    routes: [],
    addressOfRecord: 'sip:alice@far.example',
    contactUser: 'known-to-nobody',
    credentials: { username: 'alice', password: 'secret' },
    onState: (state) => states.push(state),
  })
  registration.start()
  return registration
}

const challenge = (nonce: string, more: { stale?: boolean; realm?: string } = {}) =>
  printChallenge({
    realm: 'far',
    nonce,
    opaque: null,
    algorithm: 'SHA-256',
    qop: 'auth',
    stale: false,
    ...more,
  })
const ask = (nonce: string, more = {}) => [{ name: 'WWW-Authenticate', value: challenge(nonce, more) }]
const registered = (seconds = 300) => [
  { name: 'Contact', value: `<sip:known-to-nobody@${alice}:5060>;expires=${seconds}` },
]
const last = (): SipRequest => peer.requests('REGISTER').at(-1) as SipRequest
const say = (answer: (received: ReceivedMessage, count: number) => void) => {
  peer.onMessage = (received) => answer(received, peer.requests('REGISTER').length)
}

describe('a registration', () => {
  it('is made with a password, and refreshed a minute before it lapses with the nonce used again', async () => {
    say(({ answer }, count) =>
      count === 1 ? answer(401, { headers: ask('n1') }) : answer(200, { headers: registered() }),
    )
    register()
    await telephony.clock.advance(100)
    expect(states).toEqual([{ is: 'registering' }, { is: 'registered', expiresInSeconds: 300 }])
    expect(headerOf(last(), 'Authorization')).toContain('algorithm=SHA-256')
    await telephony.clock.advance(239_000)
    expect(peer.requests('REGISTER')).toHaveLength(2)
    await telephony.clock.advance(2_000)
    expect(headerOf(last(), 'Authorization')).toContain('nc=00000002')
    expect(headerOf(last(), 'Call-ID')).toBe(headerOf(peer.requests('REGISTER')[0] as SipRequest, 'Call-ID'))
    expect(headerOf(last(), 'CSeq')).toBe('3 REGISTER')
  })

  it('takes a new nonce for a used one although the registrar does not call it stale', async () => {
    say(({ answer }, count) =>
      count % 2 === 1 ? answer(401, { headers: ask(`n${count}`) }) : answer(200, { headers: registered() }),
    )
    register()
    await telephony.clock.advance(1_000_000)
    expect(states.filter(({ is }) => is === 'failed')).toEqual([])
    expect(states.filter(({ is }) => is === 'registered').length).toBeGreaterThan(3)
  })

  it('does not try a wrong password a third time, and says what was answered', async () => {
    say(({ answer }, count) => answer(401, { headers: ask(`n${count}`) }))
    register()
    await telephony.clock.advance(1_500)
    expect(peer.requests('REGISTER')).toHaveLength(2)
    expect(states.at(-1)).toMatchObject({
      is: 'failed',
      status: 401,
      reason: 'The registrar answered 401 Unauthorized.',
    })
  })

  it('tries a stale nonce once more, and not for ever', async () => {
    say(({ answer }, count) => answer(401, { headers: ask(`n${count}`, { stale: count > 1 }) }))
    register()
    await telephony.clock.advance(1_500)
    expect(peer.requests('REGISTER')).toHaveLength(3)
  })

  it('answers a proxy and the registrar in one request (401 and 407 together)', async () => {
    say(({ answer }, count) => {
      if (count === 1)
        answer(407, { headers: [{ name: 'Proxy-Authenticate', value: challenge('p', { realm: 'proxy' }) }] })
      else if (count === 2) answer(401, { headers: ask('n') })
      else answer(200, { headers: registered() })
    })
    register()
    await telephony.clock.advance(200)
    expect(headerOf(last(), 'Authorization')).toContain('nonce="n"')
    expect(headerOf(last(), 'Proxy-Authorization')).toContain('nonce="p"')
    expect(states.at(-1)?.is).toBe('registered')
  })

  it('takes the longer interval that a 423 asks for', async () => {
    say(({ answer }, count) =>
      count === 1
        ? answer(423, { headers: [{ name: 'Min-Expires', value: '1800' }] })
        : answer(200, { headers: registered(1_800) }),
    )
    register()
    await telephony.clock.advance(200)
    expect(headerOf(last(), 'Expires')).toBe('1800')
    expect(states.at(-1)).toEqual({ is: 'registered', expiresInSeconds: 1_800 })
  })

  it('counts its own binding among those that the registrar lists, and not the shortest', async () => {
    const other = { name: 'Contact', value: '<sip:other@203.0.113.9>;expires=20' }
    say(({ answer }) => answer(200, { headers: [other, ...registered(600)] }))
    peer.onMessage = ({ answer }) => answer(200, { headers: [other, ...registered(600)] })
    register()
    await telephony.clock.advance(100)
    expect(states.at(-1)).toEqual({ is: 'registered', expiresInSeconds: 600 })
  })

  it('supports Path, and keeps the Service-Route for calls', async () => {
    say(({ answer }) =>
      answer(200, {
        headers: [
          ...registered(),
          { name: 'Service-Route', value: '<sip:p1.example;lr>, <sip:p2.example;lr>' },
        ],
      }),
    )
    const registration = register()
    await telephony.clock.advance(100)
    expect(headerOf(last(), 'Supported')).toBe('path')
    expect(registration.serviceRoutes).toEqual(['<sip:p1.example;lr>', '<sip:p2.example;lr>'])
  })

  it('is removed when it stops', async () => {
    say(({ answer }) => answer(200, { headers: registered() }))
    const registration = register()
    await telephony.clock.advance(100)
    const stopped = registration.stop()
    await telephony.clock.advance(100)
    await stopped
    expect(headerOf(last(), 'Expires')).toBe('0')
    expect(states.at(-1)).toEqual({ is: 'stopped' })
    await telephony.clock.advance(600_000)
    expect([telephony.clock.pending, telephony.network.pings.length]).toEqual([0, 0])
  })
})

describe('a registrar that disappears', () => {
  it('is tried again at growing intervals that differ, and its state is visible', async () => {
    say(() => {})
    register()
    await telephony.clock.advance(33_000)
    expect(states.at(-1)).toEqual({ is: 'failed', status: null, reason: 'The registrar does not answer.' })
    await telephony.clock.advance(900_000)
    const tries = new Set(peer.requests('REGISTER').map((one) => headerOf(one, 'CSeq'))).size
    // Each try takes 32 s; the pauses are 2, 4, 8 … 120 s, and up to half of that longer.
    expect(tries).toBeGreaterThanOrEqual(6)
    expect(tries).toBeLessThanOrEqual(12)
  })

  it('and comes back is found', async () => {
    say(({ answer }, count) => answer(count < 3 ? 503 : 200, { headers: count < 3 ? [] : registered() }))
    register()
    await telephony.clock.advance(60_000)
    expect(states.map(({ is }) => is)).toEqual(['registering', 'failed', 'failed', 'registered'])
  })

  it('and says when to come back is not asked before', async () => {
    say(({ answer }) => answer(503, { headers: [{ name: 'Retry-After', value: '60' }] }))
    register()
    await telephony.clock.advance(59_000)
    expect(peer.requests('REGISTER')).toHaveLength(1)
    await telephony.clock.advance(2_000)
    expect(peer.requests('REGISTER')).toHaveLength(2)
  })

  it('with its connection is registered at anew (row 23)', async () => {
    say(({ answer }) => answer(200, { headers: registered() }))
    register('tcp')
    await telephony.clock.advance(1_000)
    telephony.network.breakConnectionsTo(bob)
    expect(states.at(-1)).toMatchObject({ is: 'failed', reason: 'The connection to the registrar was lost.' })
    await telephony.clock.advance(4_000)
    expect(states.at(-1)?.is).toBe('registered')
    expect(peer.requests('REGISTER')).toHaveLength(2)
  })
})

it('the way to the registrar is kept open every 25 s (row 27)', async () => {
  say(({ answer }) => answer(200, { headers: registered() }))
  register()
  await telephony.clock.advance(101_000)
  expect(telephony.network.pings).toEqual(Array(4).fill(`${alice} udp ${bob}`))
})
