// The two networks of wren. The first turns the sounds of a sentence into frames of features, the second turns frames
// into audio at 24 kHz, piece by piece, so that a sentence can be heard before all of it is decoded.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type Arithmetic, ownArithmetic, suitedTo } from './arithmetic.ts'
import { bendEnd, type Ending } from './intonation.ts'
import { streamedWave } from './streamed-wave.ts'
import type { Utterance } from './utterance.ts'
import { type WrenVoice, wrenVoices } from './voices.ts'
import { Wave, WaveDecoding } from './wave-decoding.ts'
import { readWeights } from './weights.ts'

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
  begin(utterance: Utterance): WaveDecoding
  release(): Promise<void>
}

interface VoiceFile {
  readonly tokens: Readonly<Record<string, number>>
  readonly voices: Readonly<Record<string, string>>
}

// One thread: calls share a core by taking turns, and the other cores are for other engines.
const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all' } as const

// The last layer decides the spectrum itself, and the others are Fourier transforms.
const inFloats = ['onnx::MatMul_2379', 'fc', 'fs', 'ic', 'is_']

export async function loadWren(arithmetic: Arithmetic = ownArithmetic()): Promise<WrenModel> {
  const suited = (model: Uint8Array) => suitedTo(arithmetic, model, inFloats)
  const front = await InferenceSession.create(suited(await readWeights('front.onnx')), sessionOptions)
  const wave = new Wave(
    await InferenceSession.create(suited(streamedWave(await readWeights('wave.onnx'))), sessionOptions),
  )
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
        ...{ style, frames, fromFrame: Math.max(0, before), toFrame: frames - Math.max(0, after) },
        ...{ features: floats(features), f0: floats(f0), phase: floats(phase) },
      }
    },
    begin: (utterance) => new WaveDecoding(wave, utterance),
    async release() {
      await front.release()
      await wave.session.release()
    },
  }
}

const floats = (tensor: Tensor | undefined): Float32Array => tensor?.data as Float32Array

/** Numbers of half precision in base 64. */
const fromHalfPrecision = (base64: string): Float32Array =>
  Float32Array.from(new Float16Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer))
