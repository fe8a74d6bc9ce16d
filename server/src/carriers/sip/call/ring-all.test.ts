// Several telephones of one user ring at once, on a network in memory: who gets the call, and what the others hear.
import { beforeEach, describe, expect, it } from 'vitest'
import { alice, done, Ears, order, sdp, sdpAt, Telephony } from '../../../../test/props/sip/agents.ts'
import type { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import type { Destination } from '../transport/transport.ts'
import type { Call } from './call.ts'
import { ringAll } from './ring-all.ts'

const places = ['192.0.2.21', '192.0.2.22', '192.0.2.23']

let telephony: Telephony
let phones: RawPeer[]
let ears: Ears
let picked: Call | null
let call: Call
beforeEach(async () => {
  telephony = new Telephony()
  phones = places.map((address) => telephony.peer(address))
  for (const phone of phones)
    phone.onMessage = ({ message, answer }) => {
      if (message.kind === 'request' && ['CANCEL', 'BYE'].includes(message.method)) answer(200)
    }
  ears = new Ears()
  picked = null
  const agent = telephony.agent(alice)
  const orders = places.map((address) => {
    const via: Destination = { transport: 'udp', address, port: 5060 }
    return { ...order(ears), to: `sip:anna@${address}`, via }
  })
  call = ringAll({
    orders,
    place: (one) => agent.place(one),
    listener: ears,
    onPicked: (answered) => {
      picked = answered
    },
  })
  await telephony.clock.advance(50)
})

const phone = (nth: number) => phones[nth] as RawPeer
const answer = (nth: number, status: number, body?: string) =>
  phone(nth).received[0]?.answer(status, body === undefined ? {} : { body })
const methods = (nth: number) =>
  phone(nth)
    .received.map(({ message }) => (message.kind === 'request' ? message.method : ''))
    .join(' ')

describe('several telephones', () => {
  it('all ring, with calls of their own', () => {
    const ids = phones.map((one) => headerOf(one.requests('INVITE')[0] as SipRequest, 'Call-ID'))
    expect(new Set(ids).size).toBe(3)
  })

  it('lose the call to the first that answers, and hear that it was answered elsewhere', async () => {
    for (const nth of [0, 1, 2]) answer(nth, 180)
    await telephony.clock.advance(50)
    answer(1, 200, sdpAt(4_700))
    await telephony.clock.advance(100)
    expect(ears.answer).toBe(sdpAt(4_700))
    expect([methods(0), methods(1), methods(2)]).toEqual(['INVITE CANCEL', 'INVITE ACK', 'INVITE CANCEL'])
    const reason = headerOf(phone(2).requests('CANCEL')[0] as SipRequest, 'Reason')
    expect(reason).toContain('Call completed elsewhere')
    for (const nth of [0, 2]) answer(nth, 487)
    await telephony.clock.advance(50)
    expect(ears.ended).toBeNull()
    picked?.hangUp(done)
    await telephony.clock.advance(50)
    expect(methods(1)).toBe('INVITE ACK BYE')
  })

  it('that answer at the same moment: one has the call, the other is acknowledged and hung up', async () => {
    answer(0, 180)
    answer(2, 180)
    await telephony.clock.advance(50)
    answer(2, 200, sdpAt(4_900))
    answer(0, 200, sdpAt(4_100))
    await telephony.clock.advance(100)
    expect(ears.answer).toBe(sdpAt(4_900))
    expect(methods(2)).toBe('INVITE ACK')
    expect(methods(0)).toMatch(/^INVITE (CANCEL )?ACK (CANCEL )?BYE$/)
    expect(ears.events.filter((event) => event === 'answered')).toHaveLength(1)
  })

  it('all stop when the caller gives up, and one that answers meanwhile is hung up', async () => {
    for (const nth of [0, 1, 2]) answer(nth, 180)
    await telephony.clock.advance(50)
    answer(0, 200, sdp)
    call.hangUp(done)
    await telephony.clock.advance(100)
    expect(methods(0)).toMatch(/ACK.* BYE$/)
    expect([methods(1), methods(2)]).toEqual(['INVITE CANCEL', 'INVITE CANCEL'])
    expect([ears.answer, ears.ended]).toEqual([null, null])
  })

  it('stop ringing when one of them declines for all', async () => {
    for (const nth of [0, 1, 2]) answer(nth, 180)
    await telephony.clock.advance(50)
    answer(1, 603)
    await telephony.clock.advance(100)
    expect(ears.ended).toMatchObject({ status: 603 })
    expect([methods(0), methods(2)]).toEqual(['INVITE CANCEL', 'INVITE CANCEL'])
  })

  it('that fail one by one end the call with what says most about the person', async () => {
    answer(0, 180)
    answer(0, 486)
    await telephony.clock.advance(100)
    expect(ears.ended).toBeNull()
    answer(1, 500)
    // The third is switched off, and says nothing.
    await telephony.clock.advance(33_000)
    expect(ears.ended).toMatchObject({ status: 486 })
  })

  it('are heard one at a time before the answer', async () => {
    answer(2, 183, sdpAt(4_300))
    await telephony.clock.advance(20)
    answer(0, 183, sdpAt(4_400))
    answer(1, 180)
    await telephony.clock.advance(50)
    expect(ears.events).toEqual(['183 early', '183', '180'])
  })
})
