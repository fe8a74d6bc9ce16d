// Requests in the middle of a call that are challenged are sent again with the password (row 16).
import { beforeEach, expect, it } from 'vitest'
import { done, Ears, sdp, sdpAt, Telephony } from '../../../../test/props/sip/agents.ts'
import { headerOf } from '../message/message.ts'
import type { Call } from './call.ts'

let telephony: Telephony
beforeEach(() => {
  telephony = new Telephony()
})

it.each<[string, string, (call: Call) => unknown, number]>([
  ['BYE', 'BYE', (call) => call.hangUp(done), 50],
  ['REFER', 'REFER', (call) => call.refer('sip:carol@far.example'), 50],
  ['a re-INVITE', 'INVITE', (call) => call.offer(sdpAt(4_002)), 50],
  ['UPDATE of the session timer', 'UPDATE', () => {}, 300_000],
])('%s is sent again with the password', async (_, method, act, afterMs) => {
  const peer = telephony.peer()
  const ears = new Ears()
  const call = telephony.place(ears, { credentials: { username: 'a', password: 'p' } })
  await telephony.clock.advance(50)
  const headers = [
    { name: 'Allow', value: 'INVITE, UPDATE, REFER' },
    { name: 'Session-Expires', value: '600;refresher=uac' },
  ]
  peer.received[0]?.answer(200, { body: sdp, headers })
  await telephony.clock.advance(50)
  const before = peer.requests(method).length
  void act(call)
  await telephony.clock.advance(afterMs)
  peer.received.at(-1)?.answer(407, {
    headers: [{ name: 'Proxy-Authenticate', value: 'Digest realm="r", nonce="n", qop="auth"' }],
  })
  await telephony.clock.advance(50)
  const sent = peer.requests(method).slice(before)
  expect(sent.map((one) => headerOf(one, 'Proxy-Authorization') !== undefined)).toEqual([false, true])
  const [first, second] = sent.map((one) => Number.parseInt(headerOf(one, 'CSeq') ?? '', 10))
  expect(second).toBe((first as number) + 1)
})
