// Provisional answers that must be acknowledged, in both roles (row 28), and early media (rows 29 and 30).
import { beforeEach, describe, expect, it } from 'vitest'
import {
  alice,
  atAlice,
  done,
  Ears,
  requestOf,
  sdp,
  sdpAt,
  Telephony,
} from '../../../../test/props/sip/agents.ts'
import { toCallee, toCaller } from '../../../../test/props/sip/in-dialog.ts'
import type { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { headerOf, headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Call } from './call.ts'
import type { IncomingCall } from './incoming-call.ts'

let telephony: Telephony
beforeEach(() => {
  telephony = new Telephony()
})

const statuses = (peer: RawPeer) => peer.responses().map(({ status }) => status)
const reliable = (number: number) => [
  { name: 'Require', value: '100rel' },
  { name: 'RSeq', value: String(number) },
]

describe('we call, and the far end wants its answers acknowledged', () => {
  async function ringing() {
    const peer = telephony.peer()
    const ears = new Ears()
    const call = telephony.place(ears)
    await telephony.clock.advance(50)
    return { peer, ears, call, answer: peer.received[0]?.answer }
  }

  it('each gets its PRACK once, with a number of its own; a repeated one is not reported again', async () => {
    const { peer, ears, answer } = await ringing()
    answer?.(183, { headers: reliable(7), body: sdp })
    answer?.(183, { headers: reliable(7), body: sdp })
    answer?.(180, { headers: reliable(8) })
    await telephony.clock.advance(50)
    expect(peer.requests('PRACK').map((prack) => headerOf(prack, 'RAck'))).toEqual([
      '7 1 INVITE',
      '8 1 INVITE',
    ])
    expect(peer.requests('PRACK').map((prack) => headerOf(prack, 'CSeq'))).toEqual(['2 PRACK', '3 PRACK'])
    expect(ears.events).toEqual(['183 early', '180'])
  })

  it('one that comes before its turn waits for its repetition', async () => {
    const { peer, answer } = await ringing()
    answer?.(180, { headers: reliable(3) })
    answer?.(183, { headers: reliable(5), body: sdp })
    await telephony.clock.advance(50)
    expect(peer.requests('PRACK')).toHaveLength(1)
  })

  it('the answer itself needs no SDP then', async () => {
    const { ears, answer } = await ringing()
    answer?.(183, { headers: reliable(1), body: sdpAt(7_777) })
    await telephony.clock.advance(50)
    answer?.(200)
    await telephony.clock.advance(50)
    expect(ears.answer).toContain('7777')
  })

  it('later requests count on from the PRACKs', async () => {
    const { peer, call, answer } = await ringing()
    answer?.(183, { headers: reliable(1), body: sdp })
    await telephony.clock.advance(50)
    answer?.(200, { body: sdp })
    await telephony.clock.advance(50)
    call.hangUp(done)
    await telephony.clock.advance(50)
    expect(headerOf(peer.requests('BYE')[0] as SipRequest, 'CSeq')).toBe('3 BYE')
    expect(headerOf(peer.requests('ACK')[0] as SipRequest, 'CSeq')).toBe('1 ACK')
  })

  it('UPDATE before the answer changes the sound after a reliable one, and is put off before', async () => {
    const { peer, ears, answer } = await ringing()
    const invite = peer.requests('INVITE')[0] as SipRequest
    answer?.(180)
    await telephony.clock.advance(50)
    peer.send(toCaller(invite, 'UPDATE', { body: sdp }), atAlice)
    await telephony.clock.advance(50)
    answer?.(183, { headers: reliable(1), body: sdp })
    await telephony.clock.advance(50)
    peer.send(toCaller(invite, 'UPDATE', { body: sdpAt(5_002), sequence: 2 }), atAlice)
    await telephony.clock.advance(50)
    ears.offers[0]?.accept(sdp)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([500, 200])
  })
})

it('180 after 183 is told, and early sound is not taken for an answer (row 29)', async () => {
  const peer = telephony.peer()
  const ears = new Ears()
  telephony.place(ears)
  await telephony.clock.advance(50)
  peer.received[0]?.answer(183, { body: sdpAt(7_001) })
  peer.received[0]?.answer(180)
  peer.received[0]?.answer(200, { body: sdpAt(7_002) })
  await telephony.clock.advance(50)
  expect(ears.events).toEqual(['183 early', '180', 'answered'])
  expect(ears.answer).toContain('7002')
})

describe('we are called, and the caller requires it', () => {
  async function called(
    decide: (arriving: IncomingCall) => void,
    headers: Record<string, string> = {},
    body = sdp,
  ) {
    const peer = telephony.peer()
    telephony.agent(alice, decide)
    const type = body ? { 'Content-Type': 'application/sdp' } : {}
    peer.send(requestOf('INVITE', { Require: '100rel', ...type, ...headers }, { body }), atAlice)
    await telephony.clock.advance(50)
    return peer
  }
  const prackOf = (response: SipResponse, sequence = 2) =>
    toCallee(response, 'PRACK', { sequence, headers: { RAck: `${headerOf(response, 'RSeq')} 1 INVITE` } })
  const first = (peer: RawPeer, status: number) =>
    peer.responses().find((one) => one.status === status) as SipResponse

  it('180 is repeated until its PRACK', async () => {
    const peer = await called((arriving) => arriving.ring())
    await telephony.clock.advance(4_000)
    expect(statuses(peer)).toEqual([100, 180, 180, 180, 180])
    peer.send(prackOf(first(peer, 180)), atAlice)
    await telephony.clock.advance(20_000)
    expect(statuses(peer)).toEqual([100, 180, 180, 180, 180, 200])
  })

  it('without one the call is refused after 32 s', async () => {
    const cancelled: unknown[] = []
    const peer = await called((arriving) => {
      arriving.onCancelled = (cause) => void cancelled.push(cause)
      arriving.ring()
    })
    await telephony.clock.advance(33_000)
    expect(statuses(peer)).toContain(504)
    expect(cancelled).toMatchObject([{ status: 504 }])
  })

  it('a second waits for the PRACK of the first', async () => {
    const peer = await called((arriving) => {
      arriving.ring()
      arriving.early(sdp)
    })
    expect(statuses(peer)).toEqual([100, 180])
    peer.send(prackOf(first(peer, 180)), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([100, 180, 200, 183])
    expect(Number(headerOf(first(peer, 183), 'RSeq'))).toBe(Number(headerOf(first(peer, 180), 'RSeq')) + 1)
  })

  it('the 200 waits for the PRACK of early sound', async () => {
    const peer = await called((arriving) => {
      arriving.early(sdp)
      arriving.accept(sdp, new Ears())
    })
    expect(statuses(peer)).toEqual([100, 183])
    peer.send(prackOf(first(peer, 183)), atAlice)
    await telephony.clock.advance(50)
    expect(peer.responses().map((one) => `${one.status} ${headersOf(one, 'CSeq')}`)).toEqual([
      '100 1 INVITE',
      '183 1 INVITE',
      '200 2 PRACK',
      '200 1 INVITE',
    ])
  })

  it('hung up while the 200 waits, the call is refused', async () => {
    let call: Call | null = null
    const peer = await called((arriving) => {
      arriving.early(sdp)
      call = arriving.accept(sdp, new Ears())
    })
    ;(call as Call | null)?.hangUp(done)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toEqual([100, 183, 480])
    expect(peer.requests('BYE')).toHaveLength(0)
  })

  it('without an offer there is nothing to say before the 200', async () => {
    const peer = await called(
      (arriving) => {
        arriving.ring()
        arriving.accept(sdp, new Ears())
      },
      {},
      '',
    )
    expect(statuses(peer)).toEqual([100, 200])
  })

  it('PRACK of nothing is refused', async () => {
    const peer = await called((arriving) => arriving.ring())
    peer.send(toCallee(first(peer, 180), 'PRACK', { headers: { RAck: '1 1 INVITE' } }), atAlice)
    await telephony.clock.advance(50)
    expect(statuses(peer)).toContain(481)
  })
})
