// Transfers by REFER, asked for by us and of us, and calls that take the place of others (rows 45 and 46).
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
  WillingEars,
} from '../../../../test/props/sip/agents.ts'
import type { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import { parseUri, printUri } from '../message/uri.ts'
import type { Dialog } from './dialog.ts'

/** What a Replaces header says of this dialog to the far end: the tags are seen from there (RFC 3891). */
const replacesValue = ({ callId, localTag, remoteTag }: Dialog): string =>
  `${callId};to-tag=${remoteTag};from-tag=${localTag}`

/** Refer-To of an attended transfer: the far end is to call the other party and take the place of our call with it. */
function referToReplacing(other: Dialog): string {
  const uri = parseUri(other.remoteTarget)
  const target = uri && uri.scheme !== 'tel' ? printUri({ ...uri, headers: null }) : other.remoteTarget
  return `<${target}?Replaces=${encodeURIComponent(replacesValue(other))}>`
}

let telephony: Telephony
beforeEach(() => {
  telephony = new Telephony()
})

/** The next request of the far end in the call that Alice placed. */
function inDialog(
  invite: SipRequest,
  method: string,
  headers: Record<string, string>,
  body = '',
  sequence = 1,
) {
  return requestOf(
    method,
    {
      From: `<sip:bob@bob.example>;tag=raw`,
      To: headerOf(invite, 'From') as string,
      'Call-ID': headerOf(invite, 'Call-ID') as string,
      CSeq: `${sequence} ${method}`,
      ...headers,
    },
    { branch: `z9hG4bK${method}${sequence}`, body },
  )
}

const lastStatus = (peer: RawPeer) => peer.responses().at(-1)?.status

describe('a transfer that we ask for (row 45)', () => {
  const notify = (invite: SipRequest, state: string, line: string, sequence: number) =>
    inDialog(
      invite,
      'NOTIFY',
      { Event: 'refer', 'Subscription-State': state, 'Content-Type': 'message/sipfrag' },
      line,
      sequence,
    )

  async function referred() {
    const connected = await telephony.connectRaw()
    const result = connected.call.refer('sip:carol@far.example')
    await telephony.clock.advance(50)
    const refer = connected.peer.received.find(
      ({ message }) => message.kind === 'request' && message.method === 'REFER',
    )
    return { ...connected, result, refer }
  }

  it('is not done with the 202: its progress comes by NOTIFY, and its end is reported once', async () => {
    const { peer, invite, ears, refer, result } = await referred()
    expect(headerOf(refer?.message as SipRequest, 'Refer-To')).toBe('<sip:carol@far.example>')
    expect(headerOf(refer?.message as SipRequest, 'Referred-By')).toBe('<sip:alice@alice.example>')
    refer?.answer(202)
    await telephony.clock.advance(50)
    expect(await result).toMatchObject({ status: 202 })
    for (const [at, line] of ['SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing', 'SIP/2.0 200 OK'].entries())
      peer.send(
        notify(invite, at === 2 ? 'terminated;reason=noresource' : 'active;expires=60', line, at + 1),
        atAlice,
      )
    await telephony.clock.advance(50)
    expect(ears.events.slice(1)).toEqual(['transfer 100', 'transfer 180', 'transfer 200'])
    expect(ears.ended).toBeNull()
  })

  it('whose first NOTIFY overtakes the 202 is told all the same', async () => {
    const { peer, invite, ears, refer } = await referred()
    peer.send(notify(invite, 'active', 'SIP/2.0 100 Trying', 1), atAlice)
    await telephony.clock.advance(50)
    refer?.answer(202)
    await telephony.clock.advance(50)
    expect(ears.events).toContain('transfer 100')
  })

  it('that fails leaves the call as it was', async () => {
    const { peer, invite, ears, refer, call } = await referred()
    refer?.answer(202)
    peer.send(notify(invite, 'terminated', 'SIP/2.0 486 Busy Here', 1), atAlice)
    await telephony.clock.advance(50)
    expect(ears.events).toContain('transfer 486')
    expect(ears.ended).toBeNull()
    call.hangUp(done)
    await telephony.clock.advance(50)
    expect(peer.requests('BYE')).toHaveLength(1)
  })

  it.each([
    ['that is refused has its result at once', 405, []],
    ['whose NOTIFYs end without a result has failed', 202, ['transfer 408']],
  ])('%s', async (_, status, events) => {
    const { peer, invite, ears, refer, result } = await referred()
    refer?.answer(status)
    await telephony.clock.advance(50)
    expect(await result).toMatchObject({ status })
    peer.send(notify(invite, 'terminated;reason=timeout', 'SIP/2.0 100 Trying', 1), atAlice)
    await telephony.clock.advance(50)
    expect(ears.events.slice(1)).toEqual(events)
    expect(lastStatus(peer)).toBe(status === 202 ? 200 : 481)
  })

  it('of which nothing more is heard has failed after two minutes', async () => {
    const { ears, refer } = await referred()
    refer?.answer(202)
    await telephony.clock.advance(119_000)
    expect(ears.events).toEqual(['answered'])
    await telephony.clock.advance(2_000)
    expect(ears.events).toEqual(['answered', 'transfer 408'])
  })

  it('NOTIFY of another kind is refused with 489, one that nobody asked for with 481', async () => {
    const { peer, invite } = await telephony.connectRaw()
    peer.send(inDialog(invite, 'NOTIFY', { Event: 'presence' }), atAlice)
    await telephony.clock.advance(50)
    expect(lastStatus(peer)).toBe(489)
    peer.send(notify(invite, 'active', 'SIP/2.0 100 Trying', 2), atAlice)
    await telephony.clock.advance(50)
    expect(lastStatus(peer)).toBe(481)
  })
})

describe('a transfer that the far end asks for', () => {
  it('is declined where nobody has said what to do with it', async () => {
    const { farCall } = await telephony.connect()
    const result = farCall.refer('sip:carol@far.example')
    await telephony.clock.advance(100)
    expect(await result).toMatchObject({ status: 603 })
  })

  it('is accepted, and its progress is told', async () => {
    const ears = new WillingEars()
    const { farCall, farEars } = await telephony.connect(ears)
    const result = farCall.refer('sip:carol@far.example')
    await telephony.clock.advance(100)
    expect(await result).toMatchObject({ status: 202 })
    expect(ears.refers[0]).toMatchObject({ to: 'sip:carol@far.example', replaces: null })
    ears.progress[0]?.(180, 'Ringing')
    ears.progress[0]?.(200, 'OK')
    ears.progress[0]?.(200, 'OK')
    await telephony.clock.advance(100)
    expect(farEars.events).toEqual(['transfer 100', 'transfer 180', 'transfer 200'])
  })

  it('outside of any call is declined', async () => {
    const peer = telephony.peer()
    telephony.agent(alice)
    peer.send(requestOf('REFER', { 'Refer-To': '<sip:premium@far.example>' }), atAlice)
    await telephony.clock.advance(50)
    expect(lastStatus(peer)).toBe(603)
  })
})

describe('an attended transfer (row 46)', () => {
  const carol = '192.0.2.3'

  it('Refer-To names the call that is to be replaced, with the tags as the other party sees them', async () => {
    const { call } = await telephony.connect()
    const dialog = call.dialog
    if (!dialog) throw new Error('no dialog')
    const value = referToReplacing(dialog)
    const replaces = decodeURIComponent(/Replaces=([^>]+)/.exec(value)?.[1] ?? '')
    expect(replaces).toBe(`${dialog.callId};to-tag=${dialog.remoteTag};from-tag=${dialog.localTag}`)
  })

  it('Bob transfers Alice to Carol: she takes the place of his call, and Alice hears it as an offer', async () => {
    const { call, ears, farCall, farEars } = await telephony.connect()
    const dialog = farCall.dialog
    if (!dialog) throw new Error('no dialog')
    ears.onOffer = (offer) => offer.accept(sdpAt(4_444))
    const carolsEars = new Ears()
    telephony.agent(carol).place({
      to: dialog.remoteTarget,
      from: '<sip:carol@far.example>',
      sdp: sdpAt(5_555),
      credentials: null,
      headers: [
        {
          name: 'Replaces',
          value: `${dialog.callId};to-tag=${dialog.remoteTag};from-tag=${dialog.localTag}`,
        },
        { name: 'Require', value: 'replaces' },
      ],
      routes: [],
      transport: null,
      listener: carolsEars,
    })
    await telephony.clock.advance(1_000)
    expect(carolsEars.answer).toContain('4444')
    expect(farEars.ended).toMatchObject({ status: 200 })
    expect(ears.ended).toBeNull()
    call.hangUp(done)
    await telephony.clock.advance(1_000)
    expect(carolsEars.ended).not.toBeNull()
    expect(telephony.sent(alice, /BYE/)).toHaveLength(2)
  })

  it.each([
    ['of a call that we do not have', 'nobody;to-tag=a;from-tag=b', 481],
    ['that cannot be read', 'nobody', 400],
  ])('Replaces %s is refused', async (_, value, status) => {
    const peer = telephony.peer()
    telephony.agent(alice)
    peer.send(
      requestOf('INVITE', { Replaces: value, 'Content-Type': 'application/sdp' }, { body: sdp }),
      atAlice,
    )
    await telephony.clock.advance(50)
    expect(lastStatus(peer)).toBe(status)
  })

  it('Replaces of early calls only is refused for one that is answered', async () => {
    const { farCall, us } = await telephony.connect()
    const dialog = farCall.dialog
    expect(us.calls).toBe(1)
    const peer = telephony.peer(carol)
    const replaces = `${dialog?.callId};to-tag=${dialog?.remoteTag};from-tag=${dialog?.localTag};early-only`
    peer.send(
      requestOf('INVITE', { Via: `SIP/2.0/UDP ${carol};branch=z9hG4bKr`, Replaces: replaces }),
      atAlice,
    )
    await telephony.clock.advance(50)
    expect(lastStatus(peer)).toBe(486)
  })

  it('a wish of the far end names the call that is to be replaced', async () => {
    const ears = new WillingEars()
    const { farCall } = await telephony.connect(ears)
    void farCall.refer('<sip:carol@far.example?Replaces=abc%3Bto-tag%3D1%3Bfrom-tag%3D2>')
    await telephony.clock.advance(100)
    expect(ears.refers[0]).toMatchObject({ to: 'sip:carol@far.example', replaces: 'abc;to-tag=1;from-tag=2' })
  })
})

it('a wish that cannot be read is refused', async () => {
  const { peer, invite } = await telephony.connectRaw()
  for (const [at, value] of ['<sip:a@b?Replaces=%zz>', 'no address <', '<mailto:a@b>'].entries()) {
    peer.send(inDialog(invite, 'REFER', { 'Refer-To': value }, '', at + 1), atAlice)
    await telephony.clock.advance(50)
    expect([400, 603]).toContain(lastStatus(peer))
  }
})
