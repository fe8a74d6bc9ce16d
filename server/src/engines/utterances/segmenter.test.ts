// Where utterances begin and end, window by window.
import { describe, expect, it } from 'vitest'
import { Segmenter, type SegmentStep } from './segmenter.ts'

const windowMs = 32

/** Speech in each [from, to] range as the detector would report it; returns every step of the segmenter. */
function steps(spoken: readonly (readonly [number, number])[], untilMs: number, endpointingMs = 500) {
  const segmenter = new Segmenter(endpointingMs)
  const taken: SegmentStep[] = []
  for (let atMs = windowMs; atMs <= untilMs; atMs += windowMs) {
    const inside = spoken.some(([from, to]) => atMs > from && atMs <= to)
    taken.push(...segmenter.hear({ type: 'probability', probability: inside ? 0.9 : 0.1, atMs }, atMs))
    for (const [from, to] of spoken) {
      const crossed = (edgeMs: number) => atMs >= edgeMs && atMs - windowMs < edgeMs
      if (crossed(from + 64)) taken.push(...segmenter.hear({ type: 'speech-start', atMs: from }, atMs))
      if (crossed(to + 96)) taken.push(...segmenter.hear({ type: 'speech-end', atMs: to }, atMs))
    }
  }
  return { taken, segmenter }
}

describe('an utterance', () => {
  it('is its speech with a margin on both sides', () => {
    expect(steps([[640, 1600]], 3200).taken).toEqual([
      { type: 'begun', fromMs: 440 },
      { type: 'paused', fromMs: 440, endedMs: 1600, toMs: 1696 },
      { type: 'ended' },
    ])
  })

  it('continues after a pause shorter than the endpointing', () => {
    expect(
      steps(
        [
          [640, 1600],
          [1920, 2560],
        ],
        4000,
      ).taken,
    ).toEqual([
      { type: 'begun', fromMs: 440 },
      { type: 'paused', fromMs: 440, endedMs: 1600, toMs: 1696 },
      { type: 'resumed' },
      { type: 'paused', fromMs: 440, endedMs: 2560, toMs: 2656 },
      { type: 'ended' },
    ])
  })

  it('ends when finalized, and what follows is another', () => {
    const { segmenter } = steps([[640, 1600]], 1750)
    expect(segmenter.finalize(1750)).toEqual([{ type: 'ended' }])
    expect(segmenter.finalize(1750)).toEqual([])
    expect(segmenter.hear({ type: 'speech-start', atMs: 1760 }, 1850)).toEqual([
      { type: 'begun', fromMs: 1696 },
    ])
  })

  it('is cut at once when finalized during speech', () => {
    const { segmenter } = steps([[640, 9000]], 1600)
    expect(segmenter.finalize(1620)).toEqual([{ type: 'cut', fromMs: 440, toMs: 1620 }])
    expect(segmenter.finish(2000)).toEqual([
      { type: 'paused', fromMs: 1620, endedMs: 2000, toMs: 2000 },
      { type: 'ended' },
    ])
  })

  it('continues in a new piece once much has been said', () => {
    const { taken } = steps(
      [
        [640, 3600],
        [3904, 4800],
      ],
      6000,
    )
    expect(taken).toEqual([
      { type: 'begun', fromMs: 440 },
      { type: 'paused', fromMs: 440, endedMs: 3600, toMs: 3712 },
      { type: 'kept', toMs: 3712 },
      { type: 'paused', fromMs: 3712, endedMs: 4800, toMs: 4896 },
      { type: 'ended' },
    ])
  })

  it('is two when the pause is longer', () => {
    const types = steps(
      [
        [640, 1600],
        [2560, 3200],
      ],
      4800,
    ).taken.map(({ type }) => type)
    expect(types).toEqual(['begun', 'paused', 'ended', 'begun', 'paused', 'ended'])
  })

  it('is cut when it does not end', () => {
    const { taken } = steps([[640, 60_000]], 50_000)
    const cuts = taken.filter((step) => step.type === 'cut')
    expect(cuts.length).toBe(2)
    for (const { fromMs, toMs } of cuts) {
      expect(toMs - fromMs).toBeGreaterThan(15_000)
      expect(toMs - fromMs).toBeLessThan(20_100)
    }
    expect(cuts[1]?.fromMs).toBe(cuts[0]?.toMs)
  })

  it('ends with the audio', () => {
    expect(steps([[640, 9000]], 1500).segmenter.finish(1500)).toEqual([
      { type: 'paused', fromMs: 440, endedMs: 1500, toMs: 1500 },
      { type: 'ended' },
    ])
  })

  it('that has already ended is not recognised again when the audio ends', () => {
    expect(steps([[640, 1600]], 1900).segmenter.finish(1900)).toEqual([{ type: 'ended' }])
  })
})

it('without speech there are no steps', () => {
  const { taken, segmenter } = steps([], 5000)
  expect(taken).toEqual([])
  expect(segmenter.finish(5000)).toEqual([])
})
