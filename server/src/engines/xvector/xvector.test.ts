// Telling voices apart: the grouping on made vectors, and the real network on real voices.
import { expect, it } from 'vitest'
import { clipsAbsent, readClips } from '../../../test/props/engines/clips.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { xvector } from '../models/catalogue.ts'
import { centred } from './centred.ts'
import { groupVoices, type HeardVoice, smoothSpeakers } from './group-voices.ts'
import { KaldiFile } from './kaldi-file.ts'
import { mergesOf } from './merges.ts'
import { xvectorEmbedder } from './xvector.ts'

const unit = (values: number[]) => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

/** Windows of several people in turn, each near their own axis. */
function talk(turns: readonly number[], windowsEach = 4): HeardVoice[] {
  return turns.flatMap((person, turn) =>
    Array.from({ length: windowsEach }, (_, window) => {
      const axis = Array.from({ length: 8 }, (_, i) =>
        i === person ? 1 : 0.3 * Math.sin(7 * turn + 3 * window + i),
      )
      const fromMs = turn * 5_000 + window * 500
      return { fromMs, toMs: fromMs + 1_500, vector: unit(axis) }
    }),
  )
}

const anyNumber = { minSpeakers: 1, maxSpeakers: 20 }
const perTurn = (people: readonly number[], windowsEach = 4) =>
  people.filter((_, place) => place % windowsEach === 0)
const isSameGrouping = (one: readonly number[], other: readonly number[]) =>
  one.every((a, i) => one.every((b, j) => (a === b) === (other[i] === other[j])))

it('finds how many people speak and who speaks when', () => {
  const turns = [0, 1, 0, 2, 1, 2, 0]
  const people = perTurn(groupVoices(talk(turns), anyNumber))
  expect(isSameGrouping(people, turns)).toBe(true)
})

it('one person is one speaker, silence none', () => {
  expect(new Set(groupVoices(talk([3, 3, 3, 3]), anyNumber)).size).toBe(1)
  expect(groupVoices([], anyNumber)).toEqual([])
})

it('keeps to the requested number', () => {
  expect(new Set(groupVoices(talk([0, 1, 2, 3]), { minSpeakers: 2, maxSpeakers: 2 })).size).toBe(2)
  expect(new Set(groupVoices(talk([0, 1, 0, 1]), { minSpeakers: 3, maxSpeakers: 3 })).size).toBe(3)
})

it('an odd sound does not replace a speaker when the number is given', () => {
  const turns = [0, 1, 2, 0, 1, 2]
  // Less similar to anyone than they are to each other.
  const odd = { fromMs: 30_000, toMs: 31_500, vector: unit([-0.4, -0.4, -0.4, 0, 0, 0, 0, 1]) }
  const people = groupVoices([...talk(turns), odd], { minSpeakers: 3, maxSpeakers: 3 })
  expect(isSameGrouping(perTurn(people.slice(0, -1)), turns)).toBe(true)
})

it('clustering a long recording in blocks gives the same result', () => {
  const turns = Array.from({ length: 400 }, (_, turn) => (turn * turn + (turn >> 2)) % 3)
  expect(isSameGrouping(perTurn(groupVoices(talk(turns), anyNumber)), turns)).toBe(true)
})

it('a single odd window inside a stretch of speech is not another speaker', () => {
  const window = (place: number, similarities: number[]) => ({
    fromMs: place * 500,
    toMs: place * 500 + 1_500,
    similarities,
  })
  const course = [
    [0.6, 0.2],
    [0.6, 0.2],
    [0.3, 0.4],
    [0.6, 0.2],
  ].map((likely, place) => window(place, likely))
  expect(smoothSpeakers(course)).toEqual([0, 0, 0, 0])
})

it('a real change is kept, even a short one after a pause', () => {
  const course = [
    { fromMs: 0, toMs: 1_500, similarities: [0.6, 0.1] },
    { fromMs: 1_900, toMs: 2_500, similarities: [0.1, 0.5] },
    { fromMs: 3_000, toMs: 4_500, similarities: [0.6, 0.1] },
  ]
  expect(smoothSpeakers(course)).toEqual([0, 1, 0])
})

it('the most similar are merged first', () => {
  const merges = mergesOf([unit([1, 0]), unit([1, 0.1]), unit([0, 1])], [1, 1, 1])
  expect(merges.map(({ one, other }) => [one, other])).toEqual([
    [0, 1],
    [0, 2],
  ])
  expect(merges[0]?.similarity).toBeGreaterThan(merges[1]?.similarity ?? 1)
})

it('frames lose their mean over three seconds', () => {
  const frames = Array.from({ length: 1_000 }, (_, i) => Float32Array.of(5 + (i < 500 ? 0 : 3)))
  const left = centred(frames).map(([value]) => value ?? Number.NaN)
  expect(left[100]).toBeCloseTo(0)
  expect(left[900]).toBeCloseTo(0)
  expect(left[500]).toBeCloseTo(1.5)
})

it('reads Kaldi matrices by their tags, and names a missing one', () => {
  const int = (value: number) => [4, value, 0, 0, 0]
  const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer)
  const bytes = Buffer.concat([
    Buffer.from('<One> FM '),
    Uint8Array.from([...int(2), ...int(1)]),
    floats(1, 2),
    Buffer.from('<Two> FV '),
    Uint8Array.from(int(3)),
    floats(3, 4, 5),
  ])
  const file = new KaldiFile(bytes)
  expect(file.find('<One>').matrix()).toEqual({ rows: 2, columns: 1, values: Float32Array.of(1, 2) })
  expect(file.find('<Two>').vector()).toEqual(Float32Array.of(3, 4, 5))
  expect(() => file.find('<Three>')).toThrow('the Kaldi file has no <Three> where it is expected')
})

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, xvector)
const skipped = absent ?? clipsAbsent

describeUnless(skipped, 'the network', () => {
  it('finds each sentence most like another of the same person', async () => {
    const embedder = xvectorEmbedder({ folder, threads: 1, niceness: 0 })
    const clips = readClips().filter(({ name }) => /^(cards_|lv_)/.test(name))
    const voices = await Promise.all(
      clips.map(async ({ name, samples }) => {
        const windows = [{ fromMs: 0, toMs: samples.length / 16 }]
        const samples16k = Int16Array.from(samples)
        const [vector] = await embedder.embed({ samples16k, windows }, new AbortController().signal)
        return { person: name.slice(0, name.indexOf('_')), vector: vector ?? new Float32Array() }
      }),
    )
    await embedder.close()
    const similarity = (one: Float32Array, other: Float32Array) =>
      one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
    const found = voices.filter(({ person, vector }) => {
      const others = voices.filter((other) => other.vector !== vector)
      const [nearest] = others.toSorted((a, b) => similarity(b.vector, vector) - similarity(a.vector, vector))
      return nearest?.person === person
    })
    expect(found.length).toBeGreaterThanOrEqual(voices.length - 1)
  })
})
