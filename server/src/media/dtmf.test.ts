// Keys played and heard, bent to the limits of Q.24, and looked for in speech where there are none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipsAbsent, overTelephone, readClips } from '../../test/props/engines/clips.ts'
import { describeUnless } from '../../test/props/unless.ts'
import { columnsHz, DtmfPlayer, dtmfKeys, rowsHz } from './dtmf.ts'
import { DtmfDetector } from './dtmf-detector.ts'
import { type RateHz, rates, samplesPerFrame } from './frame.ts'
import { decodeG711, encodeG711 } from './g711.ts'

const hear = (samples: Int16Array, rateHz: RateHz) => {
  let heard = ''
  const detector = new DtmfDetector(rateHz, (key) => {
    heard += key
  })
  const size = samplesPerFrame(rateHz)
  for (let at = 0; at < samples.length; at += size) detector.push(samples.subarray(at, at + size))
  return heard
}

const play = (text: string, rateHz: RateHz) => {
  const player = new DtmfPlayer(text, rateHz)
  const frame = new Int16Array(samplesPerFrame(rateHz))
  const all: number[] = []
  while (!player.done) {
    player.fill(frame)
    all.push(...frame)
  }
  return Int16Array.from(all)
}

interface Bend {
  toneMs: number
  detune?: number
  rowDb?: number
  columnDb?: number
  shiftMs?: number
}
/** The key 6 as another telephone might send it, between two silences. */
function bent({ toneMs, detune = 1, rowDb = -12, columnDb = -12, shiftMs = 0 }: Bend) {
  const samples = new Int16Array(2_000)
  const first = Math.round(400 + shiftMs * 8)
  for (let i = 0; i < toneMs * 8; i++) {
    const angle = (2 * Math.PI * i * detune) / 8_000
    const row = 10 ** (rowDb / 20) * Math.sin(angle * (rowsHz[1] as number))
    const column = 10 ** (columnDb / 20) * Math.sin(angle * (columnsHz[2] as number))
    samples[first + i] = Math.round(32_767 * (row + column))
  }
  return hear(samples, 8_000)
}

describe('keys', () => {
  it.each(rates)('that we play at %i Hz are detected, each once and in order', (rateHz) => {
    expect(hear(play(dtmfKeys, rateHz), rateHz)).toBe(dtmfKeys)
    expect(hear(play('5555', rateHz), rateHz)).toBe('5555')
  })

  it('survive G.711', () => {
    const samples = play(dtmfKeys, 8_000)
    const bytes = new Uint8Array(samples.length)
    encodeG711('mu', samples, bytes)
    decodeG711('mu', bytes, samples)
    expect(hear(samples, 8_000)).toBe(dtmfKeys)
  })

  it('are detected in noise 15 dB below them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 30 }), (seed) => {
        let state = seed
        const noisy = play('0123456789', 8_000).map((sample) => {
          state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
          return sample + Math.round(((state >> 8) / 2 ** 23 - 0.5) * 5_500)
        })
        expect(hear(noisy, 8_000)).toBe('0123456789')
      }),
      { numRuns: 10 },
    )
  })

  it.each([0, 3, 6, 9, 12])('of 40 ms are detected wherever they begin (%i ms later)', (shiftMs) => {
    expect(bent({ toneMs: 40, shiftMs })).toBe('6')
  })
  it('of 20 ms are too short to count', () => {
    for (let shiftMs = 0; shiftMs < 13; shiftMs++) expect(bent({ toneMs: 20, shiftMs })).toBe('')
  })
  it('may be detuned by 1.5 %, but not by 3.5 %', () => {
    for (const detune of [0.985, 1.015]) expect(bent({ toneMs: 60, detune })).toBe('6')
    for (const detune of [0.965, 1.035]) expect(bent({ toneMs: 60, detune })).toBe('')
  })
  it('may have a twist of 3 dB to the column and 7 dB to the row, but not 6 and 10', () => {
    expect(bent({ toneMs: 60, columnDb: -12, rowDb: -15 })).toBe('6')
    expect(bent({ toneMs: 60, columnDb: -19, rowDb: -12 })).toBe('6')
    expect(bent({ toneMs: 60, columnDb: -12, rowDb: -18 })).toBe('')
    expect(bent({ toneMs: 60, columnDb: -22, rowDb: -12 })).toBe('')
  })
  it.each([
    ['call waiting', 440],
    ['a beep', 941],
    ['a fax machine', 1_209],
  ])('are not detected in the single tone of %s', (_, hz) => {
    const tone = Int16Array.from(
      { length: 4_000 },
      (_, n) => 9_000 * Math.sin((2 * Math.PI * hz * n) / 8_000),
    )
    expect(hear(tone, 8_000)).toBe('')
  })
  it('that do not exist are refused', () => {
    expect(() => new DtmfPlayer('12x', 8_000)).toThrow('sixteen keys')
  })
})

describeUnless(clipsAbsent, 'speech and noise', () => {
  it('press no key', () => {
    const wrong = readClips().flatMap(({ name, samples }) => {
      const heard = [hear(samples, 16_000), hear(overTelephone(samples), 8_000)]
      return heard.some(Boolean) ? [`${name}: ${heard.join(' ')}`] : []
    })
    expect(wrong).toEqual([])
  })
})
