// The two networks of wren. The first turns the sounds of a sentence into frames of features, the second turns any
// stretch of frames into audio at 24 kHz, so that a sentence can be heard before all of it is decoded.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { bendEnd, type Ending } from './intonation.ts'
import { noiseOf } from './noise.ts'
import { type WrenVoice, wrenVoices } from './voices.ts'
import { readWeights } from './weights.ts'
import { samplesPerWrenFrame } from './wren-frames.ts'

/** A sentence that is ready to be decoded. */
export interface Utterance {
  /** The frames of the speech, without most of the silence around it. */
  readonly fromFrame: number
  readonly toFrame: number
  readonly frames: number
  /** For each sound, how many frames come before it. */
  readonly framesBefore: readonly number[]
  readonly style: Tensor
  readonly features: Float32Array
  readonly f0: Float32Array
  readonly phase: Float32Array
}

// How far the second network sees on both sides of a frame: with so many frames more, the pieces of a sentence are bit
// for bit what decoding it at once gives.
const contextFrames = 26
// The window of the inverse Fourier transform reaches beyond both ends.
const noiseEdge = 225
const featureWidth = 384
// Each voice has one style vector per number of sounds, which bounds the length of a sentence.
const styleWidth = 256
const mostSounds = 509
const padding = 0
// The first network counts durations in frames of 25 ms.
const framesPerDuration = 2
// Onsets may begin before, and endings last beyond, what the durations say.
const marginFrames = 6

export interface WrenModel {
  /** Undefined if there is nothing to say: punctuation alone would be a murmur. */
  prepare(phonemes: string, voice: WrenVoice, ending: Ending): Promise<Utterance | undefined>
  /** Samples of the frames from…to, in a buffer that the next call overwrites. */
  decode(utterance: Utterance, from: number, to: number): Promise<Float32Array>
  release(): Promise<void>
}

interface VoiceFile {
  readonly tokens: Readonly<Record<string, number>>
  readonly voices: Readonly<Record<string, string>>
}

// One thread: calls share a core by taking turns, and the other cores are for other engines.
const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all' } as const

export async function loadWren(): Promise<WrenModel> {
  const front = await InferenceSession.create(await readWeights('front.onnx'), sessionOptions)
  const wave = await InferenceSession.create(await readWeights('wave.onnx'), sessionOptions)
  const { tokens, voices } = JSON.parse((await readWeights('voice.json')).toString('utf8')) as VoiceFile
  const styles = new Map<WrenVoice, Float32Array>()
  let audio = new Float32Array(0)

  function styleOf(voice: WrenVoice, sounds: number): Tensor {
    const table = styles.get(voice) ?? fromHalfPrecision(voices[wrenVoices[voice].style] ?? '')
    styles.set(voice, table)
    return new Tensor('float32', table.subarray(sounds * styleWidth, (sounds + 1) * styleWidth), [
      1,
      styleWidth,
    ])
  }

  return {
    async prepare(phonemes, voice, ending) {
      const numbers = [...phonemes].flatMap((phoneme) => tokens[phoneme] ?? []).slice(0, mostSounds)
      if (!/[^\s.,;:!?—…]/u.test(phonemes) || numbers.length === 0) return undefined
      const ids = BigInt64Array.from([padding, ...numbers, padding], BigInt)
      const style = styleOf(voice, numbers.length)
      const { features, f0, phase, durations } = await front.run({
        ids: new Tensor('int64', ids, [1, ids.length]),
        style,
        speed: new Tensor('float32', [1], [1]),
      })
      bendEnd(floats(f0), floats(phase), ending)
      const lasting = floats(durations)
      const frames = f0?.dims[1] ?? 0
      const before = framesPerDuration * (lasting[0] ?? 0) - marginFrames
      const after = framesPerDuration * (lasting.at(-1) ?? 0) - marginFrames
      let passed = 0
      const starts = Array.from(lasting, (duration) => (passed += framesPerDuration * duration))
      return {
        framesBefore: starts.slice(0, -1),
        ...{ style, frames, fromFrame: Math.max(0, before), toFrame: frames - Math.max(0, after) },
        ...{ features: floats(features), f0: floats(f0), phase: floats(phase) },
      }
    },
    async decode(utterance, from, to) {
      const { style, features, f0, phase, frames } = utterance
      const first = Math.max(0, from - contextFrames)
      const count = Math.min(frames, to + contextFrames) - first
      const length = count * samplesPerWrenFrame
      if (length > audio.length) audio = new Float32Array(2 * length)
      const output = audio.subarray(0, length)
      // Views of what is there: nothing is copied, and the output is written into our own buffer.
      const view = (values: Float32Array, width: number, dims: readonly number[]) =>
        new Tensor('float32', values.subarray(first * width, (first + count) * width), dims)
      const noise = noiseOf(frames * samplesPerWrenFrame + 2 * noiseEdge)
      const noiseFrom = first * samplesPerWrenFrame
      await wave.run(
        {
          style,
          features: view(features, featureWidth, [1, count, featureWidth]),
          f0: view(f0, 1, [1, count]),
          phase: view(phase, 1, [1, count]),
          noise: new Tensor('float32', noise.subarray(noiseFrom, noiseFrom + length + 2 * noiseEdge), [
            1,
            length + 2 * noiseEdge,
          ]),
        },
        { audio: new Tensor('float32', output, [1, length]) },
      )
      return output.subarray((from - first) * samplesPerWrenFrame, (to - first) * samplesPerWrenFrame)
    },
    async release() {
      await front.release()
      await wave.release()
    },
  }
}

const floats = (tensor: Tensor | undefined): Float32Array => tensor?.data as Float32Array

/** IEEE 754 half-precision numbers in base 64. */
function fromHalfPrecision(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64')
  return Float32Array.from({ length: bytes.length / 2 }, (_, place) => {
    const half = bytes.readUInt16LE(2 * place)
    const exponent = (half >> 10) & 31
    const fraction = half & 1023
    const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15)
    return half & 0x8000 ? -size : size
  })
}
