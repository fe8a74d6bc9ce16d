// A call that another process goes on with (row 49): printed as JSON, restored, and moved to a new address.
import { expect, it } from 'vitest'
import { alice, bob, done, Ears, sdpAt, Telephony } from '../../../../test/props/sip/agents.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import { type CallState, parseState, printState, readSavedCall, sdpOrigin } from './saved-call.ts'

const second = '192.0.2.66'

class StoringEars extends Ears {
  stored = ''
  onState = (state: CallState): void => {
    this.stored = printState(state)
  }
}

const restored = (telephony: Telephony, stored: string, ears = new Ears()) => {
  const state = parseState(stored)
  if (!state) throw new Error('not a state')
  return {
    ears,
    call: telephony.agent(second).restore(state, { credentials: null, transport: null, listener: ears }),
  }
}

it.each(['caller', 'callee'] as const)(
  'a %s dies, and another process goes on with its call',
  async (who) => {
    const telephony = new Telephony()
    const ears = new StoringEars()
    const connected =
      who === 'caller' ? await telephony.connect(ears) : await telephony.connect(new Ears(), ears)
    const theirs = who === 'caller' ? connected.farEars : connected.ears
    // Nothing of the first process is heard any more.
    telephony.network.loses = (text) =>
      text.includes(`;branch=`) && text.includes(`${who === 'caller' ? alice : bob}:5060;branch`)
    const { call, ears: goingOn } = restored(telephony, ears.stored)
    const moved = call.offer(sdpAt(6_000))
    await telephony.clock.advance(50)
    expect(theirs.offers[0]?.sdp).toContain('6000')
    theirs.offers[0]?.accept(sdpAt(7_000))
    await telephony.clock.advance(50)
    expect(await moved).toEqual({ sdp: sdpAt(7_000) })
    // What the far end sends comes to the new address; and it can be hung up from there.
    const other = who === 'caller' ? connected.farCall : connected.call
    expect(other.dialog?.remoteTarget).toContain(second)
    other.hangUp(done)
    await telephony.clock.advance(50)
    expect(goingOn.ended).toMatchObject({ status: 200 })
  },
)

it('numbers of requests are not used twice, though some were sent after the state was stored', async () => {
  const telephony = new Telephony()
  const ears = new StoringEars()
  const { peer, call } = await telephony.connectRaw([], ears)
  const { stored } = ears
  for (let i = 0; i < 3; i++) void call.info('application/dtmf', String(i))
  await telephony.clock.advance(50)
  const { call: again } = restored(telephony, stored)
  void again.info('application/dtmf', '9')
  await telephony.clock.advance(50)
  const numbers = peer.requests('INFO').map((one) => Number.parseInt(headerOf(one, 'CSeq') ?? '', 10))
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
})

it('a far end that hangs up on the process that has left the call is heard, and nothing else ends it there', async () => {
  const telephony = new Telephony()
  const ears = new StoringEars()
  const { call, farCall } = await telephony.connect(ears)
  let hungUp = 0
  call.abandon(() => void hungUp++)
  const asked = farCall.info('application/dtmf', '1')
  await telephony.clock.advance(50)
  expect(await asked).toMatchObject({ status: 500 })
  farCall.hangUp(done)
  await telephony.clock.advance(50)
  expect(hungUp).toBe(1)
  expect(ears.ended).toBeNull()
})

it('routes, peer and session timer are kept', async () => {
  const telephony = new Telephony()
  telephony.hosts['p1.example'] = [bob]
  const ears = new StoringEars()
  const { peer } = await telephony.connectRaw(
    [
      { name: 'Record-Route', value: '<sip:p1.example;lr>' },
      { name: 'Session-Expires', value: '600;refresher=uac' },
    ],
    ears,
  )
  const before = peer.requests('UPDATE').length
  restored(telephony, ears.stored)
  await telephony.clock.advance(301_000)
  const refresh = peer.requests('UPDATE').slice(before) as SipRequest[]
  expect(
    refresh.some(
      (one) => headerOf(one, 'Via')?.includes(second) && headerOf(one, 'Route') === '<sip:p1.example;lr>',
    ),
  ).toBe(true)
})

it.each(['', '{}', '{"format":2}', 'null', '[1]'])('%s is no call', (text) =>
  expect(parseState(text)).toBeNull(),
)

it('is kept with the id of its trunk, and what cannot be read is not resumed', () => {
  expect(readSavedCall('nonsense')).toBeNull()
  expect(readSavedCall(JSON.stringify({ trunkId: null, state: '{"format":2}' }))).toBeNull()
  expect(sdpOrigin('v=0\r\no=parley 12 7 IN IP4 192.0.2.1\r\n')).toEqual({ sessionId: '12', version: 7 })
})
