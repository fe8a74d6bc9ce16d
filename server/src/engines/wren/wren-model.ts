// The two networks of wren. The first turns the sounds of a sentence into frames of features, the second turns frames
// into audio at the rate of the line, piece by piece, so that a sentence can be heard before all of it is decoded.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { withInt8Weights } from '../onnx/int8-weights.ts'
import { withOneConvolution } from '../onnx/one-convolution.ts'
import { bendEnd, type Intonation } from './intonation.ts'
import { type WrenVoice, wrenVoices } from './voices.ts'
import { streamedBlocks } from './wave-blocks.ts'
import { type Utterance, Wave, WaveDecoding } from './wave-decoding.ts'
import { headWeights, waveHead } from './wave-head.ts'
import type { WrenHz } from './wren-frames.ts'

/** How products with large matrices are computed. */
type Arithmetic = 'floats' | 'integers'

const ownArithmetic = (): Arithmetic =>
  process.arch === 'arm64' || multipliesBytes() ? 'integers' : 'floats'

/** Whether the processor multiplies bytes in one instruction (VNNI); only Linux says so in a file. */
function multipliesBytes(): boolean {
  if (process.arch !== 'x64' || process.platform !== 'linux') return false
  try {
    return /\bavx(?:512)?_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}

export const suitedTo = (arithmetic: Arithmetic, model: Uint8Array): Uint8Array =>
  withOneConvolution(arithmetic === 'integers' ? withInt8Weights(model) : model)

const folder = new URL('../../../assets/wren/', import.meta.url)

const sums = {
  'front.onnx': '83f3bd285d5c4070ea6d212313a329e7689fa4ff3afbbb5068e6cf9fb79a49e7',
  'wave.onnx': 'f345540521c487aabec8856c6202df7683f39a97e40b0418ef6a379b63699b04',
  'voice.json': '02e6f4f2819435d121ebc068dc13064d6e72d962c0e7c305d046f68a56a14942',
} as const

/** Reads weights and verifies their checksum: damaged weights would speak noise, or crash the native library. */
export async function readWeights(file: keyof typeof sums, from = folder): Promise<Buffer> {
  const path = fileURLToPath(new URL(file, from))
  const bytes = await readFile(path)
  if (createHash('sha256').update(bytes).digest('hex') !== sums[file])
    throw new Error(`${path} is damaged; git restore brings it back`)
  return bytes
}

// Each voice has one style vector per number of sounds, which bounds the length of a sentence.
const styleWidth = 256
const mostSounds = 509
const padding = 0
// The first network counts durations in frames of 25 ms.
const framesPerDuration = 2
// Onsets may begin before, and endings last beyond, what the durations say.
const marginFrames = 6

export interface WrenModel {
  /** Runs the first network. Undefined if there is nothing to say: punctuation alone would be a murmur. */
  prepare(phonemes: string, voice: WrenVoice, ending: Intonation): Promise<Utterance | undefined>
  /** Begins to decode. The first sentence at a rate loads what is needed for it, which takes some milliseconds. */
  begin(utterance: Utterance, rateHz: WrenHz): Promise<WaveDecoding>
  release(): Promise<void>
}

interface VoiceFile {
  readonly tokens: Readonly<Record<string, number>>
  readonly voices: Readonly<Record<string, string>>
}

// One thread: calls share a core by taking turns, and the other cores are for other engines.
const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all' } as const

export async function loadWren(arithmetic: Arithmetic = ownArithmetic()): Promise<WrenModel> {
  const load = (model: Uint8Array) => InferenceSession.create(model, sessionOptions)
  const front = await load(suitedTo(arithmetic, await readWeights('front.onnx')))
  const stored = await readWeights('wave.onnx')
  const blocks = await load(suitedTo(arithmetic, streamedBlocks(stored)))
  // The head is computed in floats, because it decides the spectrum itself.
  const head = headWeights(stored)
  const waves = new Map<WrenHz, Promise<Wave>>()
  const loadWave = async (rateHz: WrenHz) => new Wave(blocks, await load(waveHead(head, rateHz)), rateHz)
  const { tokens, voices } = JSON.parse((await readWeights('voice.json')).toString('utf8')) as VoiceFile
  const styles = new Map<WrenVoice, Float32Array>()

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
        style,
        frames,
        fromFrame: Math.max(0, before),
        toFrame: frames - Math.max(0, after),
        features: floats(features),
        f0: floats(f0),
        phase: floats(phase),
      }
    },
    async begin(utterance, rateHz) {
      const wave = waves.get(rateHz) ?? loadWave(rateHz)
      waves.set(rateHz, wave)
      return new WaveDecoding(await wave, utterance)
    },
    async release() {
      for (const wave of waves.values()) await (await wave).head.release()
      await blocks.release()
      await front.release()
    },
  }
}

const floats = (tensor: Tensor | undefined): Float32Array => tensor?.data as Float32Array

/** Reads numbers of half precision in base 64. */
const fromHalfPrecision = (base64: string): Float32Array =>
  Float32Array.from(new Float16Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer))
