// The second network as it is run, beside the network as it is stored.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reachSamples } from '../../media/resample-filter.ts'
import { resampledSound } from '../voice/sound.ts'
import { noiseOf } from './noise.ts'
import type { Utterance } from './wave-decoding.ts'
import { highestHz, type WrenHz } from './wren-frames.ts'
import { loadWren, readWeights, type WrenModel } from './wren-model.ts'

// With voices, breath and hisses.
const phonemes = 'wˌi ˌɑɹ ˈɔl əwˈA, sˈɪks fˈɪʃ ʃˈɔps, jˈɪɹ lˈɔŋ.'
const lowerRates = [8_000, 16_000] as const
const allRates = [...lowerRates, highestHz] as const

let models: { readonly floats: WrenModel; readonly own: WrenModel }
let utterance: Utterance
let stored: Float32Array

/** From the very beginning, where nothing is left out of what comes before. */
async function spoken(): Promise<Utterance> {
  const prepared = await models.floats.prepare(phonemes, 'heart', 'falls')
  if (!prepared) throw new Error('nothing to say')
  return { ...prepared, fromFrame: 0, toFrame: prepared.frames }
}

async function decodedAsStored({ frames, style, features, f0, phase }: Utterance): Promise<Float32Array> {
  const session = await InferenceSession.create(await readWeights('wave.onnx'), { intraOpNumThreads: 1 })
  const samples = 300 * frames + 450
  const { audio } = await session.run({
    style,
    features: new Tensor('float32', features, [1, frames, 384]),
    f0: new Tensor('float32', f0, [1, frames]),
    phase: new Tensor('float32', phase, [1, frames]),
    noise: new Tensor('float32', noiseOf(samples, highestHz).subarray(0, samples), [1, samples]),
  })
  await session.release()
  return audio?.data as Float32Array
}

/** Each piece as long as the next of `lengths`, again and again. */
async function inPieces(
  model: WrenModel,
  lengths: readonly number[],
  rateHz: WrenHz = highestHz,
): Promise<Float32Array> {
  const decoding = await model.begin(utterance, rateHz)
  const samples: number[] = []
  for (let place = 0; !decoding.isDone; place++)
    samples.push(...(await decoding.next(lengths[place % lengths.length] ?? 1)))
  return Float32Array.from(samples)
}

/** How far the difference is below the sound. */
function differenceDb(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length)
  return powerDb(one.map((sample, place) => sample - (other[place] ?? 0))) - powerDb(other)
}

const powerDb = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

/** What is stored, made at 24 kHz and resampled, less the delay of that. */
function resampledTo(rateHz: WrenHz, length: number): Float32Array {
  const padded = new Int16Array(stored.length + highestHz)
  padded.set(Int16Array.from(stored, (sample) => sample * 32_767))
  const samples = resampledSound(padded, highestHz, rateHz).subarray(reachSamples, reachSamples + length)
  return Float32Array.from(samples, (sample) => sample / 32_767)
}

/** The part of a sound below a share of its highest frequency. */
function below(share: number, samples: Float32Array): Float32Array {
  const reach = 100
  const taps = Array.from({ length: 2 * reach + 1 }, (_, place) => {
    const distance = place - reach
    const blackman =
      0.42 + 0.5 * Math.cos((Math.PI * distance) / reach) + 0.08 * Math.cos((2 * Math.PI * distance) / reach)
    return blackman * (distance === 0 ? share : Math.sin(Math.PI * share * distance) / (Math.PI * distance))
  })
  return samples.map((_, at) =>
    taps.reduce((sum, tap, place) => sum + tap * (samples[at + place - reach] ?? 0), 0),
  )
}

describe('the second network', () => {
  beforeAll(async () => {
    models = { floats: await loadWren('floats'), own: await loadWren() }
    utterance = await spoken()
    stored = await decodedAsStored(utterance)
  })
  afterAll(async () => {
    for (const model of Object.values(models)) await model.release()
  })

  it('gives what the stored one gives, whose Fourier transforms are rounded to half precision', async () => {
    expect(differenceDb(await inPieces(models.floats, [10_000]), stored)).toBeLessThan(-65)
  })

  it.each(
    allRates.flatMap((rateHz) =>
      [[[16, 32]], [[1]], [[7, 3, 50]]].map(([lengths]) => [rateHz, lengths] as const),
    ),
  )('at %i Hz in pieces of %j frames gives the same as for the whole sentence', async (rateHz, lengths) => {
    const whole = await inPieces(models.floats, [10_000], rateHz)
    // The processor may add in another order for another number of frames.
    expect(differenceDb(await inPieces(models.floats, lengths ?? [], rateHz), whole)).toBeLessThan(-80)
  })

  it.each(lowerRates)(
    'made for %i Hz is what resampling to it gives, where a line carries all of it',
    async (rateHz) => {
      const made = await inPieces(models.floats, [16, 32], rateHz)
      const before = resampledTo(rateHz, made.length)
      expect(differenceDb(below(0.83, made), below(0.83, before))).toBeLessThan(-40)
      expect(Math.abs(powerDb(made) - powerDb(before))).toBeLessThan(0.1)
    },
  )

  it.each(allRates)(
    'as this processor computes it at %i Hz differs less than a telephone line does, and by the same in pieces',
    async (rateHz) => {
      const atOnce = await inPieces(models.own, [10_000], rateHz)
      expect(differenceDb(atOnce, await inPieces(models.floats, [10_000], rateHz))).toBeLessThan(-31)
      expect(differenceDb(await inPieces(models.own, [16, 32], rateHz), atOnce)).toBeLessThan(-80)
    },
  )
})
