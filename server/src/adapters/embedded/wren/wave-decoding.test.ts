// The second network as it is run, beside the network as it is stored.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownArithmetic } from './arithmetic.ts'
import { noiseOf } from './noise.ts'
import type { Utterance } from './utterance.ts'
import { readWeights } from './weights.ts'
import { loadWren, type WrenModel } from './wren-model.ts'

const phonemes = 'wˌi ˌɑɹ ˈɔl əwˈA, ˈɔl jˈɪɹ lˈɔŋ.'

let models: { readonly floats: WrenModel; readonly convolved: WrenModel; readonly integers: WrenModel }
let utterance: Utterance
let whole: Float32Array

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
    noise: new Tensor('float32', noiseOf(samples).subarray(0, samples), [1, samples]),
  })
  await session.release()
  return audio?.data as Float32Array
}

/** Each piece as long as the next of `lengths`, again and again. */
async function inPieces(model: WrenModel, lengths: readonly number[]): Promise<Float32Array> {
  const decoding = model.begin(utterance)
  const samples: number[] = []
  for (let place = 0; !decoding.isDone; place++)
    samples.push(...(await decoding.next(lengths[place % lengths.length] ?? 1)))
  return Float32Array.from(samples)
}

/** How far the difference is below the sound. */
function differenceDb(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length)
  const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0)
  return 10 * Math.log10(power(one.map((sample, place) => sample - (other[place] ?? 0))) / power(other))
}

describe('the second network', () => {
  beforeAll(async () => {
    const own = ownArithmetic()
    models = {
      floats: await loadWren({ products: 'floats', oneConvolution: false }),
      convolved: await loadWren({ products: 'floats', oneConvolution: true }),
      // A processor that is not fast with integers computes those of ARM as well.
      integers: await loadWren(own.products === 'floats' ? { ...own, products: 'groups' } : own),
    }
    utterance = await spoken()
    whole = await decodedAsStored(utterance)
  })
  afterAll(async () => {
    for (const model of Object.values(models)) await model.release()
  })

  it.each([[[10_000]], [[16, 32]], [[1]], [[7, 3, 50]]])(
    'in pieces of %j frames gives what the stored one gives for the whole sentence',
    async (lengths) => {
      // The processor may add in another order for another number of frames.
      expect(differenceDb(await inPieces(models.floats, lengths), whole)).toBeLessThan(-80)
    },
  )

  it('with one node for each convolution gives the same', async () => {
    expect(differenceDb(await inPieces(models.convolved, [16, 32]), whole)).toBeLessThan(-80)
  })

  it('with integers differs less than a telephone line does, and by the same in pieces', async () => {
    const atOnce = await inPieces(models.integers, [10_000])
    expect(differenceDb(atOnce, whole)).toBeLessThan(-31)
    // In groups on x64, the runtime takes another way through many rows than through few.
    const farBelowDb = ownArithmetic().products === 'floats' ? -45 : -80
    expect(differenceDb(await inPieces(models.integers, [16, 32]), atOnce)).toBeLessThan(farBelowDb)
  })
})
