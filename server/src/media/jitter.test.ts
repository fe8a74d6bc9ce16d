// A network that loses, delays, duplicates and reorders packets in front of a jitter buffer with its own clock.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PacketDecoder } from './coded-packets.ts'
import { JitterBuffer } from './jitter.ts'
import { maxTargetMs } from './jitter-delay.ts'

interface Packet {
  sequence: number
  timestamp: number
  samples: Int16Array
  atMs: number
}

/** Every sample encodes its position in the stream and is never 0. */
const marked = (from: number, length: number) =>
  Int16Array.from({ length }, (_, i) => ((from + i) % 32_000) + 1)

const stream = (count: number, packetMs = 20, sequence = 0, timestamp = 0): Packet[] =>
  Array.from({ length: count }, (_, i) => ({
    sequence: (sequence + i) & 0xffff,
    timestamp: (timestamp + i * packetMs * 8) >>> 0,
    samples: marked(i * packetMs * 8, packetMs * 8),
    atMs: i * packetMs,
  }))

/** Delivers the packets at their times and takes a frame every 20 ms; returns everything played. */
function run(buffer: JitterBuffer, packets: Packet[], untilMs: number, each?: () => void): number[] {
  const queue = [...packets].sort((a, b) => a.atMs - b.atMs)
  const frame = new Int16Array(160)
  const heard: number[] = []
  for (let nowMs = 3; nowMs < untilMs; nowMs += 20) {
    for (let next = queue[0]; next && next.atMs <= nowMs; next = queue[0]) {
      buffer.put(next.sequence, next.timestamp, next.samples, next.atMs)
      queue.shift()
    }
    buffer.take(frame, nowMs)
    heard.push(...frame)
    each?.()
  }
  return heard
}

// Without concealment, so that every output sample is either an input sample or 0.
const bare = () => new JitterBuffer(8_000, 0)
const sound = (heard: number[]) => heard.filter((sample) => sample !== 0)

describe('a jitter buffer', () => {
  it.each([10, 20, 30, 60])('plays a steady stream of %i ms packets completely and in order', (packetMs) => {
    const packets = stream(1_200 / packetMs, packetMs)
    const heard = run(bare(), packets, 1_500)
    expect(sound(heard)).toEqual(packets.flatMap(({ samples }) => [...samples]))
    const first = heard.findIndex((sample) => sample !== 0)
    expect(heard.slice(first, first + 1_200 * 8)).not.toContain(0)
  })

  it('starts within its initial 60 ms and then shortens the delay on a quiet line', () => {
    const buffer = bare()
    const heard = run(buffer, stream(400), 8_000)
    expect(heard.findIndex((sample) => sample !== 0) / 8).toBeLessThanOrEqual(80)
    expect(buffer.targetMs).toBeLessThanOrEqual(30)
  })

  it('delays more when packets arrive late, and then loses almost none', () => {
    const buffer = bare()
    const packets = stream(1_500).map((packet, i) => ({ ...packet, atMs: packet.atMs + ((i * 37) % 90) }))
    const lateAt: number[] = []
    run(buffer, packets, 30_000, () => lateAt.push(buffer.counts.late))
    expect(buffer.targetMs).toBeGreaterThanOrEqual(100)
    expect((lateAt.at(-1) ?? 0) - (lateAt[750] ?? 0)).toBeLessThan(750 * 0.04)
  })

  it('reorders packets and drops duplicates', () => {
    const packets = stream(50)
    const shuffled = packets.map((packet, i) => ({ ...packet, atMs: packet.atMs + (i % 5 === 1 ? 25 : 0) }))
    const buffer = bare()
    const heard = run(buffer, [...shuffled, ...shuffled], 1_400)
    expect(sound(heard)).toEqual(packets.flatMap(({ samples }) => [...samples]))
    expect(buffer.counts.duplicate).toBe(50)
    expect(buffer.counts.reordered).toBe(10)
    expect(buffer.lost).toBe(0)
  })

  it('plays the first two packets in order even if they arrive swapped', () => {
    const packets = stream(10).map((packet, i) => ({
      ...packet,
      atMs: i === 0 ? 21 : Math.max(20, packet.atMs),
    }))
    expect(sound(run(bare(), packets, 500))).toEqual(packets.flatMap(({ samples }) => [...samples]))
  })

  it('counts lost packets', () => {
    const buffer = bare()
    run(
      buffer,
      stream(100).filter((_, i) => i % 10 !== 5),
      2_200,
    )
    expect(buffer.lost).toBe(10)
    // One of the gaps is where the delay became shorter.
    expect(buffer.counts.concealedSamples).toBeGreaterThanOrEqual(9 * 160)
    expect(buffer.counts.concealedSamples).toBeLessThanOrEqual(10 * 160)
  })

  it('continues across the wrap of sequence number and timestamp', () => {
    const packets = stream(60, 20, 65_510, 2 ** 32 - 3_000)
    const buffer = bare()
    expect(sound(run(buffer, packets, 1_500))).toEqual(packets.flatMap(({ samples }) => [...samples]))
    expect(buffer.counts.restarts).toBe(0)
  })

  it('follows a sender that restarts, from the second packet on', () => {
    const again = stream(50, 20, 40_000, 9_000_000).map((packet) => ({
      ...packet,
      atMs: packet.atMs + 1_000,
    }))
    const buffer = bare()
    const heard = sound(run(buffer, [...stream(50), ...again], 2_300))
    expect(buffer.counts.restarts).toBe(1)
    expect(heard.slice(-49 * 160)).toEqual(again.slice(1).flatMap(({ samples }) => [...samples]))
  })

  it('follows a new source from its first packet on when told so, even if its numbers go on', () => {
    const again = stream(20, 20, 50, 1_600).map((packet) => ({ ...packet, atMs: packet.atMs + 1_000 }))
    const buffer = bare()
    const heard = run(buffer, stream(50), 1_000)
    buffer.restart()
    heard.push(...run(buffer, again, 1_600))
    expect(sound(heard).slice(-20 * 160)).toEqual(again.flatMap(({ samples }) => [...samples]))
    expect(buffer.counts.restarts).toBe(1)
  })

  it('is silent for a moment only when the clock of the sender pauses', () => {
    // 600 ms in which neither packets nor timestamps went on.
    const packets = stream(200).map((packet, i) => ({ ...packet, atMs: packet.atMs + (i < 50 ? 0 : 600) }))
    const buffer = bare()
    const heard = sound(run(buffer, packets, 5_000))
    expect(heard.length).toBeGreaterThan(185 * 160)
    expect(heard.at(-1)).toBe(packets.at(-1)?.samples.at(-1))
    expect(buffer.counts.restarts).toBe(1)
  })

  it('does not take silence that was not sent for loss', () => {
    // The sender stops for 400 ms, its clock goes on, and no number is missing.
    const packets = stream(100)
      .filter((_, i) => i < 30 || i >= 50)
      .map((packet, i) => ({ ...packet, sequence: i }))
    const buffer = bare()
    run(buffer, packets, 2_300)
    expect(buffer.lost).toBe(0)
    expect(buffer.counts.concealedSamples).toBe(0)
  })

  it('misses no number that belongs to a packet without sound', () => {
    const buffer = bare()
    run(buffer, stream(10), 200)
    buffer.passOver(10)
    run(
      buffer,
      stream(10, 20, 11, 11 * 160).map((packet) => ({ ...packet, atMs: packet.atMs + 220 })),
      600,
    )
    expect(buffer.lost).toBe(0)
  })

  it('ignores a single packet of another stream', () => {
    const packets = stream(50)
    const buffer = bare()
    const stranger = { sequence: 33_000, timestamp: 77, samples: marked(5, 160), atMs: 500 }
    expect(sound(run(buffer, [...packets, stranger], 1_300))).toEqual(
      packets.flatMap(({ samples }) => [...samples]),
    )
  })

  it('catches up after its own clock stalled, instead of staying late', () => {
    const buffer = bare()
    const frame = new Int16Array(160)
    const packets = stream(200)
    for (const packet of packets) {
      buffer.put(packet.sequence, packet.timestamp, packet.samples, packet.atMs)
      const stalled = packet.atMs > 1_000 && packet.atMs < 1_400
      if (!stalled) buffer.take(frame, packet.atMs + 3)
    }
    expect(buffer.counts.skippedSamples).toBeGreaterThanOrEqual(300 * 8)
    expect(buffer.bufferedSamples).toBeLessThanOrEqual((buffer.targetMs + 80) * 8)
  })

  it('refuses malformed packets', () => {
    expect(bare().put(1, 1, new Int16Array(0), 0)).toBe('strange')
    expect(bare().put(1, 1, new Int16Array(8_000), 0)).toBe('strange')
  })
})

describe('whatever the network does', () => {
  const network = fc.array(
    fc.record({
      delayMs: fc.integer({ min: 0, max: 150 }),
      fate: fc.constantFrom('once', 'once', 'once', 'once', 'lost', 'twice'),
      againMs: fc.integer({ min: 0, max: 400 }),
    }),
    { minLength: 1, maxLength: 150 },
  )
  const packetsOf = (fates: { delayMs: number; fate: string; againMs: number }[], packetMs: number) =>
    stream(fates.length, packetMs).flatMap((packet, i) => {
      const { delayMs = 0, fate, againMs = 0 } = fates[i] ?? {}
      const first = { ...packet, atMs: packet.atMs + delayMs }
      if (fate === 'lost') return []
      return fate === 'twice' ? [first, { ...packet, atMs: first.atMs + againMs }] : [first]
    })

  it('no sample is played twice, out of order or altered', () => {
    fc.assert(
      fc.property(network, fc.constantFrom(10, 20, 30), (fates, packetMs) => {
        const heard = sound(run(bare(), packetsOf(fates, packetMs), fates.length * packetMs + 600))
        for (let i = 1; i < heard.length; i++) expect(heard[i]).toBeGreaterThan(heard[i - 1] as number)
      }),
      { numRuns: 150 },
    )
  })

  it('the buffer stays under a second and its delay under the limit', () => {
    fc.assert(
      fc.property(network, (fates) => {
        const buffer = bare()
        run(buffer, packetsOf(fates, 20), fates.length * 20 + 600, () => {
          expect(buffer.bufferedSamples).toBeLessThanOrEqual(8_000)
          expect(buffer.targetMs).toBeLessThanOrEqual(maxTargetMs)
        })
      }),
      { numRuns: 50 },
    )
  })

  it('arbitrary numbers neither throw nor grow the buffer, and no sample is played more often than it was put', () => {
    const wild = fc.record({
      sequence: fc.oneof(fc.nat(65_535), fc.nat(20)),
      timestamp: fc.oneof(fc.nat(2 ** 32 - 1), fc.nat(5_000)),
      length: fc.constantFrom(0, 1, 80, 160, 240, 1_600, 20_000),
      gapMs: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(wild, { maxLength: 120 }), (packets) => {
        const buffer = bare()
        const frame = new Int16Array(160)
        const heard = new Map<number, number>()
        let nowMs = 0
        let kept = 0
        for (const [i, { sequence, timestamp, length, gapMs }] of packets.entries()) {
          nowMs += gapMs
          if (buffer.put(sequence, timestamp, new Int16Array(length).fill(i + 1), nowMs) === 'kept')
            kept += length
          buffer.take(frame, nowMs)
          for (const sample of frame) if (sample) heard.set(sample, (heard.get(sample) ?? 0) + 1)
          expect(buffer.bufferedSamples).toBeLessThanOrEqual(8_000)
        }
        for (const [mark, count] of heard) expect(count).toBeLessThanOrEqual(packets[mark - 1]?.length ?? 0)
        expect([...heard.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(kept)
      }),
      { numRuns: 150 },
    )
  })
})

describe('concealment', () => {
  const tone = (count: number) =>
    stream(count).map((packet, p) => ({
      ...packet,
      samples: Int16Array.from({ length: 160 }, (_, i) =>
        Math.round(8_000 * Math.sin(((p * 160 + i) * 2 * Math.PI) / 37)),
      ),
    }))
  const steepest = (heard: number[]) =>
    Math.max(...heard.slice(1).map((x, i) => Math.abs(x - (heard[i] as number))))

  it('enters and leaves a gap without a click', () => {
    const whole = steepest(run(new JitterBuffer(8_000), tone(60), 1_100))
    const holed = steepest(
      run(
        new JitterBuffer(8_000),
        tone(60).filter((_, i) => i % 12 !== 6),
        1_100,
      ),
    )
    expect(holed).toBeLessThan(whole * 1.7)
  })

  it('fades to silence when the sender stops', () => {
    const heard = run(new JitterBuffer(8_000), tone(50), 1_500)
    expect(heard.slice(-1_600).every((sample) => sample === 0)).toBe(true)
  })
})

describe('packets that build on each other', () => {
  /** Notes the order; a payload is its number, each holds 160 samples with that value. */
  class NotingDecoder implements PacketDecoder {
    readonly order: string[] = []
    readonly #samples = new Int16Array(160)
    samplesIn = () => 160
    decode = (payload: Uint8Array) => this.#make(`${payload[0]}`, payload[0] as number)
    recover = (payload: Uint8Array, _start: number, _end: number, samples: number) =>
      this.#make(`before ${payload[0]}`, (payload[0] as number) - 1).subarray(0, samples)
    conceal = (samples: number) => this.#make(`${samples} lost`, 99).subarray(0, samples)
    #make(what: string, value: number): Int16Array {
      this.order.push(what)
      return this.#samples.fill(value)
    }
  }

  function play(arrivals: readonly (readonly [number: number, atMs: number])[], untilMs: number) {
    const decoder = new NotingDecoder()
    const buffer = new JitterBuffer(8_000, 0, decoder)
    const frame = new Int16Array(160)
    const heard: number[] = []
    const queue = arrivals.toSorted((a, b) => a[1] - b[1])
    for (let nowMs = 3; nowMs < untilMs; nowMs += 20) {
      for (let next = queue[0]; next && next[1] <= nowMs; next = queue[0]) {
        buffer.putCoded(next[0], next[0] * 160, Uint8Array.of(0, next[0], 0), 1, 3, next[1])
        queue.shift()
      }
      buffer.take(frame, nowMs)
      heard.push(frame[0] as number)
    }
    return { order: decoder.order, heard: heard.filter((value) => value !== 0) }
  }

  it('are decoded in the order of the stream', () => {
    const arrivals = Array.from({ length: 30 }, (_, i) => [i + 1, i * 20 + (i % 3) * 15] as const)
    const { order, heard } = play(arrivals, 800)
    expect(order).toEqual(arrivals.map(([number]) => `${number}`))
    expect(heard).toEqual(arrivals.map(([number]) => number))
  })

  it('are recovered from the next one, and concealed before that', () => {
    const arrivals = Array.from({ length: 20 }, (_, i) => [i + 1, i * 20] as const)
    const { order, heard } = play(
      arrivals.filter(([number]) => number !== 6 && number !== 12 && number !== 13),
      700,
    )
    expect(order.slice(5, 7)).toEqual(['before 7', '7'])
    expect(order.slice(11, 14)).toEqual(['160 lost', 'before 14', '14'])
    expect(heard.slice(4, 14)).toEqual([5, 6, 7, 8, 9, 10, 11, 99, 13, 14])
  })
})
