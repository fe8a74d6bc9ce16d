// A line as the engine has it, between a signalling that is played by the test and a far end on a network in memory.
import { describe, expect, it, vi } from 'vitest'
import { MemoryMedia } from '../../../../test/props/sip/memory-media.ts'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import { makeFrame } from '../../../media/frame.ts'
import type { LineEvent, LineListener } from '../../../ports/line.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { causeOfStatus } from '../call/causes.ts'
import { openCoders } from '../sound/codecs.ts'
import { makeOffer, type OwnMedia, readAnswer } from '../sound/negotiate.ts'
import { RtpSession } from '../sound/rtp-session.ts'
import { SipLine } from './line.ts'
import { type ToSignalling, termsFor } from './link.ts'

const termsOf = (more: Partial<Trunk> = {}) => termsFor(trunkOf({ codecs: ['PCMU'], ...more }), '192.0.2.1')
const far: OwnMedia = {
  sessionId: '7',
  address: '192.0.2.2',
  port: 5_000,
  codecs: ['PCMU'],
  srtp: 'off',
  key: Buffer.alloc(30, 1).toString('base64'),
}
const offerOf = (direction: 'sendrecv' | 'sendonly', version = 1) => makeOffer(far, version, direction)

async function answeredLine(offer = offerOf('sendrecv'), terms = termsOf()) {
  const media = new MemoryMedia()
  const posted: ToSignalling[] = []
  const events: LineEvent[] = []
  const seconds: SipLine[] = []
  const ticks = new Set<(nowMs: number) => void>()
  const ticker = {
    add(onTick: (nowMs: number) => void) {
      ticks.add(onTick)
      return { end: () => void ticks.delete(onTick) }
    },
  }
  let lastPort = 3_998
  const nextPort = () => {
    lastPort += 2
    return lastPort
  }
  const open = (listener: LineListener): SipLine =>
    new SipLine({
      call: `call-${lastPort + 2}`,
      callSid: 'sid',
      resumed: null,
      ticker,
      listener,
      post: (message) => void posted.push(message),
      openPort: async () => media.port(terms.address, nextPort()),
      now: () => media.nowMs,
      placeSecond: (_, heard) => {
        const second = open(heard)
        seconds.push(second)
        return second
      },
      onClosed() {},
    })
  const line = open({ onEvent: (event) => void events.push(event), onFrame() {} })
  await line.answer(terms, offer)
  line.pickUp()
  const accepted = posted.find(({ type }) => type === 'accept')
  const answer = readAnswer(accepted?.type === 'accept' ? accepted.sdp : '', far)
  if (answer.is === 'refused') throw new Error(answer.reason)
  const digits: string[] = []
  const { rtp, rtcp } = media.port(far.address, far.port)
  const phone = new RtpSession({
    rtp,
    rtcp,
    rateHz: 16_000,
    deadAfterMs: 3_600_000,
    random32: () => 42,
    now: () => media.nowMs,
    coders: await openCoders(['PCMU']),
    listener: { onFrame() {}, onDigit: (digit) => void digits.push(digit), onDead() {} },
  })
  phone.use(answer.agreement)
  phone.answered()
  const frame = makeFrame(16_000)
  /** Both send all the time, unless the far end has fallen silent. */
  const run = (ms: number, isSilent = false) => {
    for (let passed = 0; passed < ms; passed += 20) {
      if (!isSilent) phone.send(frame)
      line.send(frame)
      media.advanceTo(media.nowMs + 20)
      for (const onTick of [...ticks]) onTick(media.nowMs)
      // Its reports are silent, too.
      if (!isSilent) phone.tick(media.nowMs)
    }
  }
  const types = () => events.map(({ type }) => type)
  return { line, phone, run, events, types, posted, digits, seconds }
}

describe('a line that goes dead', () => {
  it('ends with its reason after 20 s, and the far end is told', async () => {
    const { run, events, posted } = await answeredLine()
    run(1_000)
    run(19_800, true)
    expect(events.map(({ type }) => type)).toEqual(['answered'])
    run(400, true)
    expect(events.at(-1)).toMatchObject({
      type: 'ended',
      cause: 'failed',
      reason: 'No sound has come from the far end for 20 s.',
    })
    expect(posted.at(-1)).toMatchObject({ type: 'hang-up', cause: { status: 408 } })
  })

  it.each([
    [true, ['answered']],
    [false, ['answered', 'ended']],
  ])(
    'with symmetric RTP %s, when sound comes from elsewhere than announced: %o (row 37)',
    async (symmetricRtp, types) => {
      const elsewhere = makeOffer({ ...far, address: '192.0.2.99' }, 1, 'sendrecv')
      const line = await answeredLine(elsewhere, termsOf({ symmetricRtp }))
      line.run(21_000)
      expect(line.types()).toEqual(types)
    },
  )

  it('is not one that is on hold, by either side', async () => {
    const { line, run, types, posted } = await answeredLine()
    line.receive({ type: 'offered', call: 'call-4000', offer: 1, sdp: offerOf('sendonly', 2) })
    run(60_000, true)
    expect(types()).toEqual(['answered', 'held'])
    line.receive({ type: 'offered', call: 'call-4000', offer: 2, sdp: offerOf('sendrecv', 3) })
    const held = line.hold(true)
    const asked = posted.at(-1)
    if (asked?.type !== 'offer') throw new Error('nothing was offered')
    const answer = offerOf('sendrecv', 4).replace('a=sendrecv', 'a=recvonly')
    const result = { is: 'accepted', sdp: answer } as const
    line.receive({ type: 'result', call: 'call-4000', request: asked.request, result })
    await held
    run(60_000, true)
    expect(types()).toEqual(['answered', 'held', 'resumed'])
  })
})

it.each([
  [481, 'hangup'],
  [488, 'failed'],
  [408, 'no-answer'],
])('a call of another process that the far end answers with %i ends as %s', async (status, cause) => {
  const media = new MemoryMedia()
  const events: LineEvent[] = []
  const posted: ToSignalling[] = []
  const line = new SipLine({
    call: 'call',
    callSid: 'sid',
    resumed: { sessionId: '7', version: 3 },
    ticker: { add: () => ({ end() {} }) },
    listener: { onEvent: (event) => void events.push(event), onFrame() {} },
    post: (message) => void posted.push(message),
    openPort: async () => media.port(termsOf().address, 4_000),
    placeSecond: null,
    onClosed() {},
  })
  const resumed = line.resume(termsOf())
  await vi.waitFor(() => expect(posted).toMatchObject([{ type: 'offer' }]))
  const result = { is: 'refused', cause: causeOfStatus(status) } as const
  line.receive({ type: 'result', call: 'call', request: 1, result })
  await resumed
  expect(events).toMatchObject([{ type: 'ended', cause, carrierCause: { code: status } }])
})

describe('keys', () => {
  it('come as events and by INFO, and go as events', async () => {
    const { line, phone, run, events, digits } = await answeredLine()
    run(200)
    void phone.sendDigits('5')
    run(400)
    const body = 'Signal=#\r\nDuration=160\r\n'
    line.receive({ type: 'info', call: 'call-4000', contentType: 'application/dtmf-relay', body })
    expect(events.filter(({ type }) => type === 'digit')).toEqual([
      { type: 'digit', digit: '5' },
      { type: 'digit', digit: '#' },
    ])
    const sent = line.sendDigits('47')
    run(1_000)
    await sent
    expect(digits).toEqual(['4', '7'])
  })

  it('are tones for a far end that takes no events', async () => {
    const { line, run, digits } = await answeredLine(
      offerOf('sendrecv')
        .replace(/m=audio (\d+) RTP\/AVP .*/, 'm=audio $1 RTP/AVP 0')
        .replace(/a=(rtpmap|fmtp):101.*\r\n/g, ''),
    )
    run(200)
    const sent = line.sendDigits('47')
    run(1_000)
    await sent
    expect(digits).toEqual(['4', '7'])
  })
})

describe('a second call', () => {
  it('is one at a time, and is hung up with the first', async () => {
    const { line, seconds, posted } = await answeredLine()
    line.consult?.('+15550114', { onEvent() {}, onFrame() {} })
    expect(() => line.consult?.('+15550115', { onEvent() {}, onFrame() {} })).toThrow('a second one already')
    await expect(line.transfer({ to: '+15550115', mode: 'blind' })).rejects.toThrow('already')
    line.hangUp()
    expect(seconds.map(({ isOver }) => isOver)).toEqual([true])
    expect(posted.filter(({ type }) => type === 'hang-up')).toHaveLength(2)
  })
})

describe('a transfer by the far end', () => {
  it('is reported, and complete when the far end says so', async () => {
    const { line, posted, events } = await answeredLine()
    const result = line.transfer({ to: '+15550114', mode: 'blind' })
    const refer = posted.at(-1)
    if (refer?.type !== 'refer') throw new Error('nobody was referred')
    const accepted = { is: 'accepted', sdp: null } as const
    line.receive({ type: 'result', call: 'call-4000', request: refer.request, result: accepted })
    await Promise.resolve()
    await Promise.resolve()
    line.receive({ type: 'transfer-progress', call: 'call-4000', status: 180 })
    line.receive({ type: 'transfer-progress', call: 'call-4000', status: 200 })
    expect(await result).toEqual({ is: 'completed' })
    expect(events.slice(1)).toEqual([
      { type: 'transfer-progress', is: 'trying' },
      { type: 'transfer-progress', is: 'ringing' },
    ])
  })

  it('that it refuses says so, and another way can be tried', async () => {
    const { line, posted, seconds } = await answeredLine()
    const result = line.transfer({ to: '+15550114', mode: 'blind' })
    const refer = posted.at(-1)
    if (refer?.type !== 'refer') throw new Error('nobody was referred')
    const refused = { is: 'refused', cause: causeOfStatus(405) } as const
    line.receive({ type: 'result', call: 'call-4000', request: refer.request, result: refused })
    expect(await result).toMatchObject({ is: 'failed', reason: 'Method Not Allowed', isRefused: true })
    void line.transfer({ to: '+15550114', mode: 'bridged' })
    expect(seconds).toHaveLength(1)
  })

  it('fails when the call ends before anything was accepted', async () => {
    const { line } = await answeredLine()
    const result = line.transfer({ to: '+15550114', mode: 'blind' })
    line.hangUp()
    expect(await result).toMatchObject({ is: 'failed' })
    await expect(line.hold(true)).rejects.toThrow('over')
  })
})
