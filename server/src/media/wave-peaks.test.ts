// Peaks of a stereo recording, from chunks that are cut anywhere.
import { expect, it } from 'vitest'
import { PeakMeter } from './wave-peaks.ts'

const stereo = (...samples: [left: number, right: number][]) =>
  new Uint8Array(Int16Array.from(samples.flat()).buffer)

it('finds the loudest sample of each stretch on each side', () => {
  const bytes = stereo([100, 0], [-16_384, 0], [0, 8_192], [0, -32_768])
  const meter = new PeakMeter(bytes.length, 2)
  for (const byte of bytes) meter.add(Uint8Array.of(byte))
  expect(meter.peaks).toEqual({ left: [50, 0], right: [0, 100] })
})

it('has no more stretches than samples, and one where there is nothing', () => {
  const meter = new PeakMeter(8, 100)
  meter.add(stereo([32_767, 1], [0, 0]))
  expect(meter.peaks.left).toEqual([100, 0])
  expect(new PeakMeter(0, 100).peaks.left).toEqual([0])
})
