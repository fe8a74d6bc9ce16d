import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFrame, rates, samplesPerFrame, silence } from './frame.ts'
import { Framer } from './framer.ts'

const ramp = (length: number) => Int16Array.from({ length }, (_, i) => i)

describe('a frame', () => {
  it('holds 20 ms at every rate', () => {
    expect(rates.map(samplesPerFrame)).toEqual([160, 320, 480, 960])
    expect(rates.map((rateHz) => makeFrame(rateHz).samples.length)).toEqual([160, 320, 480, 960])
  })

  it('of silence is a single shared object', () => {
    expect(silence(8_000)).toBe(silence(8_000))
    expect(silence(8_000).samples.every((sample) => sample === 0)).toBe(true)
  })
})

describe('a framer', () => {
  it('returns every sample once and in order, however the input is chunked', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 20 }), (lengths) => {
        const total = lengths.reduce((sum, length) => sum + length, 0)
        const source = ramp(total)
        const out: number[] = []
        const framer = new Framer(8_000, ({ samples }) => out.push(...samples))
        let from = 0
        for (const length of lengths) {
          framer.push(source.subarray(from, from + length))
          from += length
        }
        expect(out).toEqual([...source.subarray(0, total - (total % 160))])
        expect(framer.pendingSamples).toBe(total % 160)
      }),
      { numRuns: 50 },
    )
  })

  it('pads the last frame with silence, not with an older frame', () => {
    const last: number[][] = []
    const framer = new Framer(8_000, ({ samples }) => last.push([...samples]))
    framer.push(ramp(160).map(() => 7))
    framer.push(Int16Array.of(1, 2, 3))
    framer.flush()
    framer.flush()
    expect(last).toHaveLength(2)
    expect(last[1]).toEqual([1, 2, 3, ...Array(157).fill(0)])
  })

  it('emits nothing older after clear', () => {
    const seen: number[] = []
    const framer = new Framer(8_000, ({ samples }) => seen.push(samples[0] as number))
    framer.push(ramp(100).map(() => 1))
    framer.clear()
    framer.push(ramp(160).map(() => 2))
    expect(seen).toEqual([2])
  })

  it('reuses the same memory after as many frames as the ring holds', () => {
    const lent: Int16Array[] = []
    const framer = new Framer(16_000, ({ samples }) => lent.push(samples), 3)
    framer.push(ramp(320 * 7))
    expect(new Set(lent).size).toBe(3)
    expect(lent[3]).toBe(lent[0])
    expect(lent[1]).not.toBe(lent[0])
  })
})
