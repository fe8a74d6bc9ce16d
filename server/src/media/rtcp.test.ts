// Reports: what is counted, written and read, and the score that follows from it.
import { describe, expect, it } from 'vitest'
import { opinionScore } from './opinion-score.ts'
import { ReceptionMeter } from './reception-meter.ts'
import { type ReportParts, readRtcp, writeReport } from './rtcp.ts'
import { isRtcp } from './rtp.ts'

/** Numbers of packets, each sent 20 ms after the one before it. */
function meter(
  numbers: readonly number[],
  source = 7,
  into = new ReceptionMeter(8_000),
  latenessMs: (i: number) => number = () => 0,
) {
  for (const [i, sequence] of numbers.entries())
    into.receive(source, sequence & 0xffff, (sequence * 160) >>> 0, sequence * 20 + latenessMs(i))
  return into
}
const count = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe('reception', () => {
  it('counts what is missing, over the wrap of the numbers and in any order', () => {
    const numbers = count(65_500, 65_700).filter((number) => number % 10 !== 3)
    const swapped = numbers.map(
      (number, i) => (i < 2 ? number : numbers[i % 2 === 0 ? i + 1 : i - 1]) ?? number,
    )
    const { packets, lost } = meter(swapped)
    expect({ packets, lost }).toEqual({ packets: 180, lost: 20 })
  })

  it('does not count numbers as lost when the sender begins anew or another follows', () => {
    const one = meter(count(100, 200))
    meter(count(40_000, 40_100), 7, one)
    meter(count(5, 105), 8, one)
    // The first packet of a new count is taken when the second confirms it.
    expect({ packets: one.packets, lost: one.lost }).toEqual({ packets: 299, lost: 0 })
  })

  it('measures jitter as the average change of the way', () => {
    expect(meter(count(0, 500)).jitterMs).toBeCloseTo(0, 6)
    expect(meter(count(0, 500), 7, undefined, (i) => (i % 2) * 10).jitterMs).toBeCloseTo(10, 0)
  })

  it('measures none where the timestamp stands still for a key', () => {
    const one = meter(count(0, 50))
    for (let i = 50; i < 60; i++) one.receive(7, i, null, i * 20)
    meter(count(60, 100), 7, one)
    expect(one.jitterMs).toBeCloseTo(0, 6)
    expect(one.lost).toBe(0)
  })
})

describe('reports', () => {
  const parts = (more: Partial<ReportParts> = {}): ReportParts => ({
    sender: { source: 0xdeadbeef, packets: 10, bytes: 1_600, timestamp: 99 },
    sends: true,
    reception: meter(count(0, 100).filter((number) => number % 4 !== 0)),
    lastReport: null,
    isGoodbye: false,
    nowMs: 5_000_250,
    ...more,
  })

  it('are read as they were written', () => {
    const bytes = writeReport(parts())
    expect(isRtcp(bytes)).toBe(true)
    expect(bytes.length % 4).toBe(0)
    const report = readRtcp(bytes, 7, 5_000_300)
    // The first packet counted is number 1; 24 of the 99 are missing.
    expect(report.about?.lostShare).toBeCloseTo(24 / 99, 2)
    expect(report.about?.roundTripMs).toBeNull()
    expect(report.sentAt).not.toBeNull()
    expect(readRtcp(bytes, 8, 5_000_300).about).toBeNull()
  })

  it('give the round trip without the time the other side held them', () => {
    const { sentAt } = readRtcp(writeReport(parts({ nowMs: 10_000 })), 7, 10_040)
    const reception = new ReceptionMeter(8_000)
    reception.receive(0xdeadbeef, 1, 1, 1)
    // Of the other side's own clock: it got ours at 70,000 and answers 3 s later.
    const answer = writeReport(
      parts({
        sender: { source: 7, packets: 0, bytes: 0, timestamp: 0 },
        reception,
        lastReport: { sentAt: sentAt as number, atMs: 70_000 },
        nowMs: 73_000,
      }),
    )
    expect(readRtcp(answer, 0xdeadbeef, 13_080).about?.roundTripMs).toBeCloseTo(80, 1)
  })

  it('have no figures of a sender when nothing was sent, and end with a goodbye', () => {
    const bytes = writeReport(parts({ sends: false, isGoodbye: true }))
    expect(bytes[1]).toBe(201)
    expect(readRtcp(bytes, 7, 0)).toMatchObject({
      sentAt: null,
      isGoodbye: true,
      about: { lostShare: expect.any(Number) },
    })
  })

  it('may be broken anywhere', () => {
    const bytes = writeReport(parts({ isGoodbye: true }))
    for (let length = 0; length < bytes.length; length++)
      expect(() => readRtcp(bytes.subarray(0, length), 7, 0)).not.toThrow()
    for (let at = 0; at < bytes.length; at++) {
      const bad = bytes.slice()
      bad[at] = 0xff
      expect(() => readRtcp(bad, 7, 0)).not.toThrow()
    }
  })
})

describe('the opinion score', () => {
  const codec = { impairment: 0, robustness: 25.1 }
  const score = (lossShare: number, delayMs: number) => opinionScore({ lossShare, delayMs, codec })

  it('is that of the E-model', () => {
    // R = 93.2 − 0.024 · 50 = 92: 4.38. With 5 % lost, R = 92 − 95 · 5 / 30.1 = 76.2: 3.88.
    expect(score(0, 50)).toBeCloseTo(4.38, 1)
    expect(score(0.05, 50)).toBeCloseTo(3.88, 1)
  })

  it('falls with loss and with delay, and stays between 1 and 4.5', () => {
    const falling = (scores: number[]) => scores.every((one, i) => i === 0 || one < (scores[i - 1] as number))
    expect(falling([0, 0.01, 0.05, 0.2, 0.5].map((loss) => score(loss, 50)))).toBe(true)
    expect(falling([20, 100, 200, 400].map((ms) => score(0, ms)))).toBe(true)
    expect(score(1, 5_000)).toBe(1)
  })
})
