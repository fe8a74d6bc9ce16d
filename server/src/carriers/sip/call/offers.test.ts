// Changes of the sound in the middle of a call, by both sides, and the session timer that rides on them.
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
import { bodyText, headerOf, type SipRequest } from '../message/message.ts'
import type { Call } from './call.ts'

let telephony: Telephony
beforeEach(() => {
  telephony = new Telephony()
})

/** Without repetitions. */
const offersIn = (peer: RawPeer) => new Set(peer.requests('INVITE').map((one) => headerOf(one, 'CSeq'))).size
const statuses = (peer: RawPeer) => peer.responses().map(({ status }) => status)

/** The far end calls and is answered; its INVITE has no SDP if `offer` is empty. */
async function answered(offer = sdp, headers: Record<string, string> = {}) {
  const ears = new Ears()
  let call: Call | null = null
  const us = telephony.agent(alice, (arriving) => {
    call = arriving.accept(sdp, ears)
  })
  const peer = telephony.peer()
  const type = offer ? { 'Content-Type': 'application/sdp' } : {}
  peer.send(requestOf('INVITE', { ...type, ...headers }, { body: offer }), atAlice)
  await telephony.clock.advance(50)
  const response = peer.responses().find(({ status }) => status === 200)
  if (!response || !call) throw new Error('not answered')
  return { peer, us, ears, call: call as Call, response }
}

describe('an INVITE without SDP (row 31)', () => {
  it('gets our offer in the 200, and its answer comes with the ACK', async () => {
    const { peer, ears, response } = await answered('')
    expect(bodyText(response)).toContain('m=audio')
    peer.send(toCallee(response, 'ACK', { sequence: 1, body: sdpAt(6_000) }), atAlice)
    await telephony.clock.advance(50)
    expect(ears.events).toEqual([`late answer ${sdp.length}`])
  })

  it('whose ACK brings no answer is told so', async () => {
    const { peer, ears, response } = await answered('')
    peer.send(toCallee(response, 'ACK', { sequence: 1 }), atAlice)
    await telephony.clock.advance(50)
    expect(ears.events).toEqual(['late answer 0'])
  })

  it('in the middle of a call works the same', async () => {
    const { peer, ears, response } = await answered()
    peer.send(toCallee(response, 'ACK', { sequence: 1 }), atAlice)
    peer.send(toCallee(response, 'INVITE'), atAlice)
    await telephony.clock.advance(50)
    expect(ears.offers[0]?.sdp).toBeNull()
    ears.offers[0]?.accept(sdpAt(7_000))
    await telephony.clock.advance(50)
    expect(bodyText(peer.responses().at(-1) as never)).toContain('7000')
    peer.send(toCallee(response, 'ACK', { body: sdpAt(8_000) }), atAlice)
    await telephony.clock.advance(50)
    expect(ears.events).toEqual([`late answer ${sdp.length}`])
  })
})

describe('two offers at once (row 9)', () => {
  it('the far end gets 491 while ours is open, and ours is made again later', async () => {
    const { peer, call, invite, ears } = await telephony.connectRaw()
    const result = call.offer(sdpAt(4_002))
    await telephony.clock.advance(50)
    peer.send(toCaller(invite, 'INVITE', { body: sdp }), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([491])
    const ours = peer.received.filter(
      ({ message }) => message.kind === 'request' && message.method === 'INVITE',
    )
    ours[1]?.answer(491)
    await telephony.clock.advance(2_000)
    // The Call-ID is ours: between 2.1 and 4 s.
    expect(offersIn(peer)).toBe(2)
    await telephony.clock.advance(2_200)
    expect(offersIn(peer)).toBe(3)
    peer.received.findLast(({ message }) => message.kind === 'request')?.answer(200, { body: sdpAt(9_000) })
    await telephony.clock.advance(50)
    expect(await result).toEqual({ sdp: sdpAt(9_000) })
    expect(ears.offers).toHaveLength(0)
  })

  it('a callee makes its own again within 2 s', async () => {
    const { peer, call, response } = await answered()
    peer.send(toCallee(response, 'ACK', { sequence: 1 }), atAlice)
    await telephony.clock.advance(50)
    void call.offer(sdp)
    await telephony.clock.advance(50)
    peer.received.at(-1)?.answer(491)
    await telephony.clock.advance(2_100)
    expect(offersIn(peer)).toBe(2)
  })

  it('a second offer of the far end before the first is decided gets 500 with Retry-After', async () => {
    const { peer, invite, ears } = await telephony.connectRaw()
    peer.send(toCaller(invite, 'INVITE', { body: sdp }), atAlice)
    peer.send(toCaller(invite, 'UPDATE', { body: sdp, sequence: 2 }), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([500])
    expect(Number(headerOf(peer.responses()[0] as never, 'Retry-After'))).toBeLessThanOrEqual(10)
    ears.offers[0]?.accept(sdp)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toContain(200)
  })

  it('two offers of our own follow each other', async () => {
    const { call, farEars } = await telephony.connect()
    farEars.onOffer = (offer) => offer.accept(sdp)
    const both = Promise.all([call.offer(sdpAt(4_002)), call.offer(sdpAt(4_004))])
    await telephony.clock.advance(1_000)
    expect(await both).toEqual([{ sdp }, { sdp }])
    expect(telephony.sent(bob, /491/)).toHaveLength(0)
  })

  it('an offer after our BYE gets 481', async () => {
    const { peer, call, invite } = await telephony.connectRaw()
    call.hangUp(done)
    peer.send(toCaller(invite, 'INVITE', { body: sdp }), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([481])
  })
})

describe('an offer of the far end', () => {
  it('is given to the listener, and never answered from memory (row 33)', async () => {
    const { peer, invite, ears } = await telephony.connectRaw()
    for (const [at, port] of [5_002, 5_004].entries()) {
      peer.send(toCaller(invite, 'INVITE', { body: sdpAt(port), sequence: at * 2 + 1 }), atAlice)
      await telephony.clock.advance(50)
      expect(ears.offers[at]?.sdp).toContain(String(port))
      ears.offers[at]?.accept(sdpAt(6_000 + at))
      await telephony.clock.advance(50)
      expect(bodyText(peer.responses().at(-1) as never)).toContain(String(6_000 + at))
      peer.send(toCaller(invite, 'ACK', { sequence: at * 2 + 1 }), atAlice)
      await telephony.clock.advance(50)
    }
  })

  it('that is cancelled gets 487, and is not answered afterwards', async () => {
    const { peer, invite, ears } = await telephony.connectRaw()
    const offer = toCaller(invite, 'INVITE', { body: sdp })
    peer.send(offer, atAlice)
    peer.send(
      {
        ...offer,
        method: 'CANCEL',
        headers: offer.headers.map((h) => (h.name === 'CSeq' ? { ...h, value: '1 CANCEL' } : h)),
      },
      atAlice,
    )
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([200, 487])
    ears.offers[0]?.accept(sdp)
    await telephony.clock.advance(50)
    expect(statuses(peer).filter((status) => status === 200)).toHaveLength(1)
  })

  it('that is open when the call ends gets 487', async () => {
    const { peer, invite } = await telephony.connectRaw()
    peer.send(toCaller(invite, 'INVITE', { body: sdp }), atAlice)
    peer.send(toCaller(invite, 'BYE', { sequence: 2 }), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer).sort()).toEqual([200, 487])
  })

  it('by UPDATE is answered in its 200', async () => {
    const { peer, invite, ears } = await telephony.connectRaw()
    peer.send(toCaller(invite, 'UPDATE', { body: sdpAt(5_002) }), atAlice)
    await telephony.clock.advance(50)
    ears.offers[0]?.accept(sdpAt(6_000))
    await telephony.clock.advance(50)
    expect(bodyText(peer.responses()[0] as never)).toContain('6000')
  })

  it('moves the address that our requests go to (target refresh)', async () => {
    const { peer, invite, ears, call } = await telephony.connectRaw()
    telephony.hosts['moved.example'] = [bob]
    ears.onOffer = (offer) => offer.accept(sdp)
    peer.send(
      toCaller(invite, 'INVITE', { body: sdp, headers: { Contact: '<sip:new@moved.example>' } }),
      atAlice,
    )
    await telephony.clock.advance(50)
    call.hangUp(done)
    await telephony.clock.advance(50)
    expect(peer.requests('BYE')[0]?.uri).toBe('sip:new@moved.example')
  })

  it.each([
    ['keys', 'application/dtmf-relay; charset=utf-8', 'Signal=7', 200],
    ['keys in the short form', 'Application/DTMF', '7', 200],
    ['a wish for a whole picture', 'application/media_control+xml', '<media_control/>', 415],
    ['a text without its type', '', 'hello', 415],
    ['nothing', 'text/plain', '', 200],
  ])('INFO with %s (%s) is answered accordingly', async (_, type, body, status) => {
    const { peer, invite, ears } = await telephony.connectRaw()
    const info = toCaller(invite, 'INFO', { body, headers: { 'Content-Type': type } })
    const headers = info.headers.filter(({ value }) => value !== '')
    peer.send({ ...info, headers }, atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([status])
    expect(ears.events.filter((event) => event.startsWith('info'))).toHaveLength(
      body !== '' && status === 200 ? 1 : 0,
    )
    const [answer] = peer.responses()
    expect(answer && headerOf(answer, 'Accept')).toBe(
      status === 415 ? 'application/dtmf-relay, application/dtmf' : undefined,
    )
  })

  it('out of order is refused with 500', async () => {
    const { peer, invite } = await telephony.connectRaw()
    peer.send(toCaller(invite, 'INFO', { sequence: 5 }), atAlice)
    peer.send(toCaller(invite, 'INFO', { sequence: 4 }), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([200, 500])
  })
})

describe('an offer of ours', () => {
  it.each([
    [481, true],
    [408, true],
    [488, false],
  ])('that is answered with %i ends the call: %s (row 35)', async (status, isEnd) => {
    const { peer, call, ears } = await telephony.connectRaw()
    const result = call.offer(sdp)
    await telephony.clock.advance(50)
    peer.received.at(-1)?.answer(status)
    await telephony.clock.advance(50)
    expect(await result).toMatchObject({ refused: { status } })
    expect(ears.ended !== null).toBe(isEnd)
  })

  it('that is not answered at all ends the call after 32 s (row 35)', async () => {
    const { call, ears } = await telephony.connectRaw()
    void call.offer(sdp)
    await telephony.clock.advance(31_900)
    expect(ears.ended).toBeNull()
    await telephony.clock.advance(200)
    expect(ears.ended).toMatchObject({ status: 408 })
  })
})

describe('session timers (row 26)', () => {
  const updates = (peer: RawPeer) => peer.requests('UPDATE')

  it('we refresh at half time by UPDATE, and stay the one who does', async () => {
    const { peer } = await telephony.connectRaw([{ name: 'Session-Expires', value: '600;refresher=uac' }])
    await telephony.clock.advance(300_000)
    expect(headerOf(updates(peer)[0] as SipRequest, 'Session-Expires')).toBe('600;refresher=uac')
    peer.received.at(-1)?.answer(200, { headers: [{ name: 'Session-Expires', value: '600;refresher=uac' }] })
    await telephony.clock.advance(299_000)
    expect(updates(peer)).toHaveLength(1)
    await telephony.clock.advance(1_400)
    expect(updates(peer)).toHaveLength(2)
  })

  it('we refresh by re-INVITE with the same SDP where UPDATE is not allowed', async () => {
    const peer = telephony.peer()
    telephony.place()
    await telephony.clock.advance(50)
    const headers = [
      { name: 'Session-Expires', value: '600;refresher=uac' },
      { name: 'Allow', value: 'INVITE, ACK, BYE' },
    ]
    peer.received[0]?.answer(200, { body: sdp, headers })
    await telephony.clock.advance(301_000)
    expect(updates(peer)).toHaveLength(0)
    expect(bodyText(peer.requests('INVITE')[1] as SipRequest)).toBe(sdp)
  })

  it('422 to our INVITE: it is made again with what is asked for', async () => {
    const peer = telephony.peer()
    const ears = new Ears()
    telephony.place(ears)
    await telephony.clock.advance(50)
    peer.received[0]?.answer(422, { headers: [{ name: 'Min-SE', value: '3600' }] })
    await telephony.clock.advance(50)
    const again = peer.requests('INVITE')[1] as SipRequest
    expect([headerOf(again, 'Session-Expires'), headerOf(again, 'Min-SE')]).toEqual(['3600', '3600'])
  })

  it('422 to our refresh: it is made again with what is asked for', async () => {
    const { peer } = await telephony.connectRaw([{ name: 'Session-Expires', value: '600;refresher=uac' }])
    await telephony.clock.advance(300_050)
    peer.received.at(-1)?.answer(422, { headers: [{ name: 'Min-SE', value: '2400' }] })
    await telephony.clock.advance(50)
    expect(headerOf(updates(peer)[1] as SipRequest, 'Session-Expires')).toBe('2400;refresher=uac')
  })

  it('a refresh that the far end refuses ends the call before the interval does', async () => {
    const { peer, ears } = await telephony.connectRaw([
      { name: 'Session-Expires', value: '600;refresher=uac' },
    ])
    peer.onMessage = ({ message, answer }) =>
      message.kind === 'request' && message.method !== 'BYE' && message.method !== 'ACK' && answer(500)
    await telephony.clock.advance(567_000)
    expect(ears.ended).toBeNull()
    await telephony.clock.advance(2_000)
    expect(ears.ended).toMatchObject({ status: 408 })
  })

  it('a far end that does not refresh is hung up before the interval ends', async () => {
    const { peer, ears, response } = await answered(sdp, {
      'Session-Expires': '300;refresher=uac',
      Supported: 'timer',
    })
    expect(headerOf(response, 'Session-Expires')).toBe('300;refresher=uac')
    expect(headerOf(response, 'Require')).toBe('timer')
    peer.send(toCallee(response, 'ACK', { sequence: 1 }), atAlice)
    await telephony.clock.advance(150_000)
    peer.send(
      toCallee(response, 'UPDATE', {
        headers: { 'Session-Expires': '300;refresher=uac', Supported: 'timer' },
      }),
      atAlice,
    )
    await telephony.clock.advance(200_000)
    expect(ears.ended).toBeNull()
    await telephony.clock.advance(100_000)
    expect(ears.ended).toMatchObject({ status: 408 })
    expect(peer.requests('BYE')).not.toHaveLength(0)
  })

  it('a far end that knows no timers is refreshed by us', async () => {
    const { peer, response } = await answered(sdp, { Allow: 'INVITE, UPDATE' })
    peer.send(toCallee(response, 'ACK', { sequence: 1 }), atAlice)
    expect(headerOf(response, 'Session-Expires')).toBe('1800;refresher=uas')
    expect(headerOf(response, 'Require')).toBeUndefined()
    await telephony.clock.advance(901_000)
    expect(updates(peer).length).toBeGreaterThan(0)
  })
})
