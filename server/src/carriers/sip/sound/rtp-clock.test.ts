// The sound of a call on a machine that was too busy for it: what is sent afterwards is on time, and what came meanwhile is heard.
import { expect, it } from 'vitest'
import { type Frame, frameMs, makeFrame } from '../../../media/frame.ts'
import { encodeG711 } from '../../../media/g711.ts'
import { isRtcp, makeRtpHeader, type RtpHeader, readRtp, writeRtp } from '../../../media/rtp.ts'
import { type CodecName, codecs, openCoders } from './codecs.ts'
import type { OnDatagram } from './datagrams.ts'
import { RtpSession } from './rtp-session.ts'

const far = { address: '192.0.2.1', port: 4_000 }

interface HeardFrame {
  readonly atMs: number
  readonly arrivedMs: number | undefined
  readonly isLoud: boolean
}

/** A call on the test's clock, and every packet that it sends with the time at which it leaves. */
async function call(codec: CodecName, ptimeMs = frameMs) {
  const clock = { nowMs: 77_003.4 }
  const sent: (RtpHeader & { readonly atMs: number })[] = []
  const heard: HeardFrame[] = []
  let deliver: OnDatagram | null = null
  const { payloadType, clockHz } = { ...codecs[codec].format, ...codecs[codec] }
  const session = new RtpSession({
    rtp: {
      send(bytes) {
        const header = makeRtpHeader()
        if (!isRtcp(bytes) && readRtp(bytes, header)) sent.push({ ...header, atMs: clock.nowMs })
      },
      listen: (onDatagram) => {
        deliver = onDatagram
      },
    },
    rtcp: { send() {}, listen() {} },
    rateHz: 16_000,
    coders: await openCoders([codec]),
    deadAfterMs: 20_000,
    now: () => clock.nowMs,
    random32: () => 0xffff_f000,
    listener: {
      onFrame: ({ samples }, arrivedMs) =>
        heard.push({ atMs: clock.nowMs, arrivedMs, isLoud: samples.some((sample) => sample > 4_000) }),
      onDigit() {},
      onDead() {},
    },
  })
  session.use({
    codec,
    payloadType,
    parameters: null,
    accepts: [{ payloadType, codec }],
    digits: null,
    comfortNoise: null,
    remote: far,
    remoteRtcp: far,
    ptimeMs,
    direction: 'sendrecv',
    crypto: null,
  })
  session.answered()
  const frame = makeFrame(16_000)
  frame.samples.fill(1_000)
  const tick = (afterMs = frameMs) => {
    clock.nowMs += afterMs
    session.tick(clock.nowMs)
    session.send(frame)
  }
  const receive = (bytes: Uint8Array) => deliver?.(bytes, far.address, far.port)
  const behindMs = ({ timestamp, atMs }: (typeof sent)[number]) => {
    const [first] = sent as [(typeof sent)[number]]
    return atMs - first.atMs - ((timestamp - first.timestamp) >>> 0) / (clockHz / 1_000)
  }
  return { session, clock, sent, heard, tick, receive, behindMs, frame }
}

it.each([
  ['PCMU', 20],
  ['PCMU', 60],
  ['G722', 20],
  ['opus', 20],
] as const)('%s in packets of %i ms: no stall makes what follows late', async (codec, ptimeMs) => {
  const { sent, tick, behindMs } = await call(codec, ptimeMs)
  let random = 9
  for (let minute = 0; minute < 60_000; ) {
    random = (Math.imul(random, 48_271) >>> 0) % 2_147_483_647
    // Every ninth tick or so is preceded by a stall of up to 700 ms.
    const afterMs = random % 9 === 0 ? frameMs * (1 + (random % 35)) : frameMs
    minute += afterMs
    tick(afterMs)
  }
  expect(sent.length).toBeGreaterThan(200)
  // A packet holds sound that waited for the packet to be full.
  for (const packet of sent) expect(behindMs(packet)).toBeLessThan(ptimeMs)
  expect(Math.abs(behindMs(sent.at(-1) as (typeof sent)[number]))).toBeLessThan(frameMs + ptimeMs)
  for (const [i, { sequence }] of sent.entries())
    expect(sequence).toBe(((sent[0]?.sequence as number) + i) & 0xffff)
})

it('sound after a gap is marked as the beginning of a talk spurt, and half a packet from before it is not sent', async () => {
  const { sent, tick } = await call('PCMU', 40)
  for (let n = 0; n < 5; n++) tick()
  tick(frameMs * 12)
  tick()
  const first = sent[0]?.timestamp as number
  expect(sent.map(({ timestamp, marker }) => [(timestamp - first) / 8, marker])).toEqual([
    [0, true],
    [40, false],
    [320, true],
  ])
})

it('ticks that are late by less than a frame change nothing', async () => {
  const { sent, clock, session, frame } = await call('PCMU')
  const [startMs, lates] = [clock.nowMs, [0, 19, 7, 18.5, 0.2, 13, 19.9, 1]]
  for (let n = 0; n < 800; n++) {
    clock.nowMs = startMs + n * frameMs + (lates[n % lates.length] as number)
    session.send(frame)
  }
  const first = sent[0]?.timestamp as number
  expect(sent.map(({ timestamp }) => ((timestamp - first) >>> 0) / 160)).toEqual(sent.map((_, n) => n))
  expect(sent).toHaveLength(800)
})

it('frames of a source that runs ahead of the clock are left out', async () => {
  const { sent, clock, session, frame, behindMs } = await call('PCMU')
  for (let n = 0; n < 500; n++) {
    if (n % 5 > 0) clock.nowMs += frameMs
    session.send(frame)
  }
  expect(behindMs(sent.at(-1) as (typeof sent)[number])).toBeGreaterThanOrEqual(-3 * frameMs)
  expect(sent.length).toBeLessThanOrEqual(403)
})

it('a pause of ours leaves a gap of its own length', async () => {
  const { session, sent, tick, behindMs, clock } = await call('PCMA')
  for (let n = 0; n < 10; n++) tick()
  session.use({ ...agreementOf('PCMA'), direction: 'recvonly' })
  const idle: Frame = makeFrame(16_000)
  for (let n = 0; n < 211; n++) {
    clock.nowMs += frameMs
    session.send(idle)
  }
  session.use(agreementOf('PCMA'))
  tick()
  expect(sent).toHaveLength(11)
  expect(behindMs(sent.at(-1) as (typeof sent)[number])).toBeCloseTo(0, 6)
})

const agreementOf = (codec: CodecName) => {
  const { payloadType } = codecs[codec].format
  return {
    codec,
    payloadType,
    parameters: null,
    accepts: [{ payloadType, codec }],
    digits: null,
    comfortNoise: null,
    remote: far,
    remoteRtcp: far,
    ptimeMs: frameMs,
    direction: 'sendrecv',
    crypto: null,
  } as const
}

/** A packet of the far end, loud for the given number. */
function packet(number: number, isLoud: boolean): Uint8Array {
  const wave = Int16Array.from({ length: 160 }, (_, i) => (isLoud ? 9_000 * Math.sin(i / 3) : 0))
  const bytes = new Uint8Array(172)
  writeRtp(bytes, 0, false, number & 0xffff, (5_000 + number * 160) >>> 0, 5)
  encodeG711('mu', wave, bytes, 12)
  return bytes
}

it('what the far end said during a stall is heard afterwards, whole, and as old as it is', async () => {
  const { heard, clock, receive, session } = await call('PCMU')
  const startMs = clock.nowMs
  let number = 0
  const sendTo = (untilMs: number) => {
    for (; number * frameMs <= untilMs - startMs; number++)
      // Three words of 260 ms in the second second.
      receive(packet(number, number >= 60 && number < 114 && (number - 60) % 20 < 13))
  }
  const run = (ticks: number) => {
    for (let n = 0; n < ticks; n++) {
      clock.nowMs += frameMs
      sendTo(clock.nowMs)
      session.tick(clock.nowMs)
    }
  }
  run(70)
  const before = heard.length
  // For 440 ms nothing is read from the socket.
  clock.nowMs += 22 * frameMs
  sendTo(clock.nowMs)
  session.tick(clock.nowMs)
  expect(heard.length - before).toBe(22)
  run(80)
  expect(heard.filter(({ isLoud }) => isLoud).length).toBeGreaterThanOrEqual(39)
  expect(heard).toHaveLength(70 + 22 + 80)
  const word = heard.find(({ isLoud }) => isLoud) as HeardFrame
  expect(Math.abs((word.arrivedMs as number) - (startMs + 60 * frameMs))).toBeLessThanOrEqual(frameMs)
})
