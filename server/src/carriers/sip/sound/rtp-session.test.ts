// The sound of a call against a far end that sends what the test tells it to, on the test's own clock.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryMedia } from '../../../../test/props/sip/memory-media.ts'
import { DtmfPlayer } from '../../../media/dtmf.ts'
import { makeFrame } from '../../../media/frame.ts'
import { encodeG711 } from '../../../media/g711.ts'
import { isRtcp, makeRtpHeader, type RtpHeader, readRtp, wordAt, writeRtp } from '../../../media/rtp.ts'
import { type CodecName, type Coders, codecNames, codecs, openCoders } from './codecs.ts'
import type { Agreement } from './negotiate.ts'
import { RtpSession } from './rtp-session.ts'

const us = { address: '192.0.2.10', port: 10_000 }
const far = { address: '192.0.2.1', port: 4_000 }
const deadAfterMs = 20_000

const agreement = (parts: Partial<Agreement> = {}): Agreement => {
  const codec = parts.codec ?? 'PCMU'
  const { payloadType } = codecs[codec].format
  return {
    codec,
    payloadType,
    parameters: null,
    accepts: [{ payloadType, codec }],
    digits: { payloadType: 101, clockHz: 8_000, accepts: [101] },
    comfortNoise: 13,
    remote: far,
    remoteRtcp: far,
    ptimeMs: 20,
    direction: 'sendrecv',
    crypto: null,
    ...parts,
  }
}

interface Packet extends RtpHeader {
  readonly bytes: Uint8Array
}

let media: MemoryMedia
let coders: Coders
let session: RtpSession
let peer: ReturnType<MemoryMedia['socket']>
let sent: Packet[]
let reports: Uint8Array[]
let heard: Int16Array[]
let digits: string
let deaths: number
let sequence: number
let timestamp: number
const open: RtpSession[] = []

beforeEach(async () => {
  media = new MemoryMedia()
  coders = await openCoders(codecNames)
  sent = []
  reports = []
  heard = []
  digits = ''
  deaths = 0
  sequence = 500
  timestamp = 90_000
  peer = media.socket(far.address, far.port)
  peer.listen((bytes) => {
    const header = makeRtpHeader()
    if (isRtcp(bytes)) reports.push(bytes)
    else if (readRtp(bytes, header)) sent.push({ ...header, bytes })
  })
  session = start()
})

afterEach(() => {
  for (const one of open.splice(0)) one.close()
  coders.close()
})

function start(at = us): RtpSession {
  let seed = 12_345
  const { rtp, rtcp } = media.port(at.address, at.port)
  const made = new RtpSession({
    rtp,
    rtcp,
    rateHz: 16_000,
    coders,
    deadAfterMs,
    now: () => media.nowMs,
    random32: () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return seed
    },
    listener: {
      onFrame: ({ samples }) => heard.push(samples.slice()),
      onDigit: (digit) => {
        digits += digit
      },
      onDead: () => {
        deaths++
      },
    },
  })
  open.push(made)
  return made
}

/** One packet of the far end. */
function packet(
  payload: Uint8Array,
  { payloadType = 0, source = 7, marker = false, number = sequence, at = timestamp } = {},
): Uint8Array {
  const bytes = new Uint8Array(12 + payload.length)
  writeRtp(bytes, payloadType, marker, number & 0xffff, at >>> 0, source)
  bytes.set(payload, 12)
  return bytes
}

const send = (bytes: Uint8Array) => peer.send(bytes, us.address, us.port)
const tone = (samples: number, hz = 400) => {
  const wave = Int16Array.from(
    { length: samples },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * hz * (timestamp + i)) / 8_000),
  )
  const bytes = new Uint8Array(samples)
  encodeG711('mu', wave, bytes)
  return bytes
}

/** So many ticks of 20 ms; `each` is what happens in between. */
function run(ticks: number, each: (tick: number) => void = () => {}): void {
  for (let tick = 0; tick < ticks; tick++) {
    each(tick)
    media.advanceTo(media.nowMs + 20)
    session.tick(media.nowMs)
  }
}

/** The far end talks for so long, in packets of this length. */
function talk(ms: number, packetMs = 20, source = 7): void {
  let dueMs = 0
  run(ms / 20, (tick) => {
    for (; dueMs < (tick + 1) * 20; dueMs += packetMs) {
      send(packet(tone(packetMs * 8), { source }))
      sequence++
      timestamp += packetMs * 8
    }
  })
}

const peak = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
const loudFrames = () => heard.filter((samples) => peak(samples) > 4_000).length
const agentFrame = makeFrame(16_000)

describe('what we hear', () => {
  it.each([10, 20, 30, 40, 60])('comes in packets of %i ms', (packetMs) => {
    session.use(agreement())
    session.answered()
    talk(1_200, packetMs)
    run(6)
    expect(loudFrames()).toBeGreaterThanOrEqual(57)
    expect(session.stats).toMatchObject({
      packetsReceived: 1_200 / packetMs,
      packetsLost: 0,
      packetsLate: 0,
      concealedMs: 0,
    })
  })

  it('goes on with a new source, whatever its numbers', () => {
    session.use(agreement())
    session.answered()
    talk(500)
    sequence = 61_000
    timestamp = 4_000_000_000
    talk(500, 20, 99)
    run(6)
    // Two packets until the new one is believed, and the buffer filled anew.
    expect(loudFrames()).toBeGreaterThanOrEqual(43)
  })

  it('stays with the known source while another one is mixed in', () => {
    session.use(agreement())
    session.answered()
    run(50, () => {
      send(packet(tone(160)))
      send(packet(new Uint8Array(160).fill(0xff), { source: 99, number: sequence + 9_000, at: 1 }))
      sequence++
      timestamp += 160
    })
    run(6)
    expect(loudFrames()).toBeGreaterThanOrEqual(49)
    expect(session.stats.packetsLost).toBe(0)
  })

  it.each([
    { what: 'numbers that begin anew', number: 3, byTicks: 0, least: 47 },
    { what: 'a clock that is set back', number: null, byTicks: -5_000_000, least: 48 },
    { what: 'a clock that is set forward', number: null, byTicks: 5_000_000, least: 48 },
    { what: 'a clock that pauses', number: null, byTicks: -4_000, least: 38 },
  ])('survives $what', ({ number, byTicks, least }) => {
    session.use(agreement())
    session.answered()
    talk(500)
    sequence = number ?? sequence
    timestamp += byTicks
    talk(500)
    run(6)
    expect(loudFrames()).toBeGreaterThanOrEqual(least)
    expect(session.stats.packetsLost).toBe(0)
  })

  it('is silence, not loss, when the far end sends comfort noise or nothing', () => {
    session.use(agreement())
    session.answered()
    talk(400)
    run(100, (tick) => {
      if (tick % 20 !== 0) return
      send(packet(Uint8Array.of(70), { payloadType: 13, at: timestamp + tick * 160 }))
      sequence++
    })
    timestamp += 100 * 160
    talk(400)
    run(6)
    expect(loudFrames()).toBeGreaterThanOrEqual(38)
    expect(session.stats).toMatchObject({ packetsLost: 0, concealedMs: 0 })
  })

  it('may change between codecs that were agreed, without a word', () => {
    const accepts = [
      { payloadType: 0, codec: 'PCMU' },
      { payloadType: 9, codec: 'G722' },
    ] as const
    session.use(agreement({ accepts }))
    session.answered()
    talk(400)
    const coder = codecs.G722.open() as Awaited<ReturnType<(typeof codecs)['G722']['open']>>
    run(25, (tick) => {
      const wave = Int16Array.from(
        { length: 320 },
        (_, i) => 8_000 * Math.sin((2 * Math.PI * 400 * (tick * 320 + i)) / 16_000),
      )
      const bytes = new Uint8Array(160)
      coder.encode(wave, bytes, 0)
      send(packet(bytes, { payloadType: 9 }))
      sequence++
      timestamp += 160
    })
    run(6)
    expect(loudFrames()).toBeGreaterThanOrEqual(40)
  })

  it('is nothing that was not agreed, and nothing that is broken', () => {
    session.use(agreement())
    session.answered()
    run(20, () => {
      send(packet(tone(160), { payloadType: 96 }))
      send(Uint8Array.of(0x80, 0, 1))
      send(Uint8Array.of(0xbf, 0x80, ...new Uint8Array(11)))
      send(new Uint8Array(0))
    })
    expect(loudFrames()).toBe(0)
    expect(session.stats.packetsReceived).toBe(0)
  })

  it('comes before the answer only if somebody plays something', () => {
    session.use(agreement())
    run(50)
    expect(heard).toHaveLength(0)
    talk(200)
    expect(heard.length).toBeGreaterThan(5)
  })
})

describe('what we send', () => {
  const say = (ticks: number) => run(ticks, () => session.send(agentFrame))

  it.each(
    codecNames.flatMap((codec) =>
      [10, 20, 30, 40, 50, 60].map((ms) => [codec, codecs[codec].ptimeMs(ms)] as const),
    ),
  )('is %s in packets of %i ms on a clock without gaps', (codec: CodecName, ptimeMs) => {
    session.use(agreement({ codec, ptimeMs }))
    say(60)
    const clockPerMs = codecs[codec].clockHz / 1_000
    expect(sent).toHaveLength(1_200 / ptimeMs)
    expect(new Set(sent.map(({ source }) => source)).size).toBe(1)
    expect(sent.map(({ marker }) => marker)).toEqual(sent.map((_, i) => i === 0))
    sent.slice(1).forEach((one, i) => {
      const before = sent[i] as Packet
      expect((one.timestamp - before.timestamp) >>> 0).toBe(ptimeMs * clockPerMs)
      expect((one.sequence - before.sequence) & 0xffff).toBe(1)
    })
    if (codec !== 'opus') expect(sent[0]?.bytes.length).toBe(12 + ptimeMs * 8)
  })

  it('keeps its source and its clock over keys, holds and changes of the codec, with a marker after each', () => {
    session.use(agreement())
    say(5)
    session.use(agreement({ direction: 'recvonly' }))
    say(10)
    session.use(agreement())
    say(5)
    session.use(agreement({ codec: 'PCMA' }))
    say(5)
    expect(sent).toHaveLength(15)
    expect(new Set(sent.map(({ source }) => source)).size).toBe(1)
    expect(sent.flatMap(({ marker }, i) => (marker ? [i] : []))).toEqual([0, 5])
    const [first, , , , , afterHold] = sent
    expect(((afterHold?.timestamp ?? 0) - (first?.timestamp ?? 0)) >>> 0).toBe(15 * 160)
  })

  it('has keys as events: one timestamp, growing length, three ends, a gap, and the clock of the sound', async () => {
    session.use(agreement({ ptimeMs: 30 }))
    say(4)
    const done = session.sendDigits('1#')
    say(22)
    await done
    say(3)
    const events = sent.filter(({ payloadType }) => payloadType === 101)
    const times = [...new Set(events.map(({ timestamp: at }) => at))]
    expect(times).toHaveLength(2)
    expect(((times[1] as number) - (times[0] as number)) >>> 0).toBe(11 * 160)
    const first = events.filter(({ timestamp: at }) => at === times[0])
    expect(first.map(({ bytes }) => bytes[12])).toEqual(first.map(() => 1))
    expect(first.map(({ bytes }) => wordAt(bytes, 14) / 160)).toEqual([1, 2, 3, 4, 5, 5, 5, 5])
    expect(first.map(({ bytes }) => (bytes[13] as number) >> 7)).toEqual([0, 0, 0, 0, 0, 1, 1, 1])
    expect(first.map(({ marker }) => marker)).toEqual([true, ...first.slice(1).map(() => false)])
    expect(events.at(-1)?.bytes[12]).toBe(11)
    const sound = sent.filter(({ payloadType }) => payloadType === 0)
    // 80 ms before the keys are two packets of 30 ms and one of 20; 22 frames later it goes on.
    expect(sound.slice(0, 3).map(({ bytes }) => bytes.length - 12)).toEqual([240, 240, 160])
    expect(((sound[3]?.timestamp ?? 0) - (sound[2]?.timestamp ?? 0)) >>> 0).toBe(160 + 22 * 160)
    expect(sound[3]?.marker).toBe(true)
  })

  it('goes where packets come from', () => {
    session.use(agreement())
    const nat = { address: '198.51.100.7', port: 61_000 }
    let atNat = 0
    const behind = media.socket(nat.address, nat.port)
    behind.listen(() => {
      atNat++
    })
    run(10, () => {
      behind.send(packet(tone(160)), us.address, us.port)
      sequence++
      timestamp += 160
      session.send(agentFrame)
    })
    expect(atNat).toBeGreaterThanOrEqual(6)
    expect(sent.length).toBeLessThanOrEqual(4)
  })
})

describe('keys of the far end', () => {
  const event = (key: number, length: number, isEnd = false) =>
    Uint8Array.of(key, (isEnd ? 0x80 : 0) | 10, (length * 160) >> 8, (length * 160) & 0xff)

  it('count once, whatever is lost, and their sound is kept from the recognizer', () => {
    session.use(agreement({ digits: { payloadType: 96, clockHz: 8_000, accepts: [96, 97] } }))
    session.answered()
    talk(300)
    const before = heard.length
    const pressed = timestamp
    run(10, (tick) => {
      // The sound of the key is sent beside its events.
      send(packet(tone(160)))
      sequence++
      timestamp += 160
      if (tick !== 0 && tick !== 4)
        send(packet(event(5, tick + 1, tick > 7), { payloadType: 97, at: pressed }))
      sequence++
    })
    for (let i = 0; i < 3; i++)
      send(packet(event(5, 10, true), { payloadType: 97, at: pressed, number: sequence++ }))
    run(4)
    expect(digits).toBe('5')
    const pressing = heard.slice(before + 3, before + 10)
    expect(pressing.filter((samples) => peak(samples) > 0)).toHaveLength(0)
    expect(session.stats.packetsLost).toBe(2)
  })

  it('are heard as tones only if the far end sends no events, and not if it sends INFO', () => {
    const press = (key: string) => {
      const player = new DtmfPlayer(key, 8_000)
      const frame = new Int16Array(160)
      const bytes = new Uint8Array(160)
      run(15, () => {
        player.fill(frame)
        encodeG711('mu', frame, bytes)
        send(packet(bytes))
        sequence++
        timestamp += 160
      })
    }
    session.use(agreement())
    session.answered()
    press('1')
    expect(digits).toBe('')
    session.use(agreement({ digits: null }))
    press('2')
    expect(digits).toBe('2')
    // What may reach the recognizer is the first instant of the tone.
    session.use(agreement({ digits: null }))
    const before = heard.length
    press('3')
    expect(heard.slice(before).filter((samples) => peak(samples) > 4_000).length).toBeLessThanOrEqual(2)
    session.ignoreTones()
    session.use(agreement({ digits: null }))
    press('4')
    expect(digits).toBe('23')
  })
})

describe('a line', () => {
  const wait = (ms: number) => run(ms / 20, () => session.send(agentFrame))

  it('is dead when nothing has come for 20 s', () => {
    session.use(agreement())
    session.answered()
    wait(19_900)
    expect(deaths).toBe(0)
    wait(200)
    expect(deaths).toBe(1)
  })

  it('is not dead before the answer, on hold from either side, or while reports come', () => {
    session.use(agreement())
    wait(25_000)
    session.answered()
    for (const direction of ['recvonly', 'sendonly', 'inactive'] as const) {
      session.use(agreement({ direction }))
      wait(25_000)
    }
    session.use(agreement())
    for (let i = 0; i < 3; i++) {
      wait(15_000)
      send(Uint8Array.of(0x80, 201, 0, 1, 0, 0, 0, 7))
    }
    expect(deaths).toBe(0)
  })

  it('is not kept alive by strangers', () => {
    session.use(agreement())
    session.answered()
    talk(200)
    const stranger = media.socket('203.0.113.6', 9)
    run(1_010, (tick) => {
      stranger.send(packet(tone(160), { source: 5, number: tick }), us.address, us.port)
      stranger.send(Uint8Array.of(0x80, 201, 0, 1, 0, 0, 0, 5), us.address, us.port)
    })
    expect(deaths).toBe(1)
  })
})

describe('reports', () => {
  it('tell both sides about loss, jitter and the round trip', () => {
    const other = { address: '192.0.2.1', port: 4_100 }
    media.delayMs = 30
    session.use(agreement({ remote: other, remoteRtcp: { ...other, port: 4_101 } }))
    const theirs = start(other)
    theirs.use(agreement({ remote: us, remoteRtcp: { ...us, port: 10_001 } }))
    session.answered()
    run(1_500, (tick) => {
      if (tick % 10 !== 9) theirs.send(agentFrame)
      else theirs.send(makeFrame(16_000))
      session.send(agentFrame)
      theirs.tick(media.nowMs)
    })
    expect(session.stats.roundTripMs).toBeGreaterThanOrEqual(59)
    expect(session.stats.roundTripMs).toBeLessThan(62)
    expect(session.stats).toMatchObject({ packetsLost: 0, farLossShare: 0 })
    expect(session.stats.opinionScore).toBeGreaterThan(4.2)
  })

  it('come from a far end that only listens, and say goodbye at the end', () => {
    session.use(agreement({ direction: 'recvonly' }))
    talk(8_000)
    expect(reports.length).toBeGreaterThan(0)
    expect(reports.every((report) => report[1] === 201)).toBe(true)
    session.close()
    media.advanceTo(media.nowMs + 20)
    const last = reports.at(-1) as Uint8Array
    expect(last[last.length - 7]).toBe(203)
  })
})

describe('encrypted sound', () => {
  const key = (fill: number) => Buffer.alloc(30, fill).toString('base64')
  const keys = (ours: number, theirs: number) =>
    ({ suite: 'AES_CM_128_HMAC_SHA1_80', ours: key(ours), theirs: key(theirs), theirMkiBytes: 0 }) as const

  it('goes both ways with its reports, over new keys of one side, and nothing plain is heard', () => {
    const other = { address: '192.0.2.1', port: 4_100 }
    const theirs = start(other)
    const ours = agreement({ remote: other, remoteRtcp: other, crypto: keys(1, 2) })
    session.use(ours)
    theirs.use(agreement({ remote: us, remoteRtcp: us, crypto: keys(2, 1) }))
    session.answered()
    const both = (ticks: number) =>
      run(ticks, () => {
        theirs.send(agentFrame)
        session.send(agentFrame)
        theirs.tick(media.nowMs)
        send(packet(tone(160)))
      })
    both(500)
    session.use({ ...ours, crypto: keys(1, 3) })
    theirs.use(agreement({ remote: us, remoteRtcp: us, crypto: keys(3, 1) }))
    both(500)
    expect(session.stats.packetsReceived).toBe(1_000)
    expect(theirs.stats.packetsReceived).toBe(1_000)
    expect(session.stats.roundTripMs).not.toBeNull()
    expect(loudFrames()).toBe(0)
  })
})
