// 100,000 frames through everything that runs fifty times a second per call: the garbage collector stays idle.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const module = (name: string) => JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href)

/** Runs in a process with a young generation of 1 MB: every 10 bytes per frame cause one collection. */
const program = `
  import { PerformanceObserver, performance } from 'node:perf_hooks'
  import { Framer } from ${module('framer')}
  import { encodeG711, decodeG711 } from ${module('g711')}
  import { Resampler } from ${module('resample')}
  import { LevelMeter, levelDb } from ${module('level')}
  import { mixInto, applyGain, Ducker } from ${module('mix')}
  import { JitterBuffer } from ${module('jitter')}
  import { DtmfDetector } from ${module('dtmf-detector')}
  import { interleave } from ${module('wav')}

  const narrow = Int16Array.from({ length: 160 }, (_, i) => 9_000 * Math.sin(i))
  const heard = new Int16Array(160), wide = new Int16Array(320), broad = new Int16Array(480), stereo = new Int16Array(320)
  const bytes = new Uint8Array(160)
  const up = new Resampler(8_000, 16_000), down = new Resampler(16_000, 8_000), across = new Resampler(16_000, 24_000)
  const meter = new LevelMeter(), ducker = new Ducker(8_000), jitter = new JitterBuffer(8_000)
  const detector = new DtmfDetector(8_000, () => {})
  const framer = new Framer(8_000, ({ samples }) => meter.add(samples), 2)
  const loudest = new Float64Array(1)
  const frame = (i) => {
    encodeG711('mu', narrow, bytes)
    decodeG711('a', bytes, heard)
    up.run(heard, wide)
    across.run(wide, broad)
    down.run(wide, heard)
    if (i % 50 !== 7) jitter.put(i & 0xffff, (i * 160) >>> 0, heard, i * 20 + (i % 3) * 5)
    jitter.take(heard, i * 20 + 3)
    framer.push(heard)
    ducker.run(heard, i % 100 < 50)
    applyGain(heard, 0.5)
    mixInto(heard, narrow)
    detector.push(heard)
    interleave(heard, narrow, stereo)
    loudest[0] = Math.max(loudest[0], levelDb(heard))
  }
  for (let i = 0; i < 5_000; i++) frame(i)
  globalThis.gc()
  let collections = 0
  const observer = new PerformanceObserver((list) => { collections += list.getEntries().length })
  await new Promise((resolve) => setTimeout(resolve, 20))
  observer.observe({ entryTypes: ['gc'] })
  const before = process.memoryUsage()
  for (let i = 5_000; i < 105_000; i++) frame(i)
  const after = process.memoryUsage()
  await new Promise((resolve) => setTimeout(resolve, 20))
  console.log(JSON.stringify({ collections, arrays: after.arrayBuffers - before.arrayBuffers }))
`

describe('the frame path', () => {
  it('allocates nothing in 100,000 frames', () => {
    const flags = [
      '--expose-gc',
      '--max-semi-space-size=1',
      '--min-semi-space-size=1',
      '--input-type=module',
      '-e',
      program,
    ]
    const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8', timeout: 50_000 })
    expect(stderr).toBe('')
    const { collections, arrays } = JSON.parse(stdout)
    // V8 boxes a number here and there, 20 or 30 bytes a frame; one view or object per frame causes 10 collections or
    // more.
    expect(collections).toBeLessThan(9)
    expect(arrays).toBe(0)
  })
})
