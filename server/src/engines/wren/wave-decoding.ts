// Decodes one sentence with the second network, in pieces of any length. Each piece costs only its own frames: what
// the network still needs of those before is kept from run to run.

import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { edgeSamples } from './fourier.ts'
import { noiseOf } from './noise.ts'
import { blockReach, featureWidth, hidden, nextPasts, pasts, waveBlocks } from './wave-blocks.ts'
import { samplesPerWrenFrame, type WrenHz } from './wren-frames.ts'

/** A sentence that is ready to be decoded. */
export interface Utterance {
  /** The frames of the speech, without most of the silence around it. */
  readonly fromFrame: number
  readonly toFrame: number
  readonly frames: number
  /** For each sound, the number of frames before it. */
  readonly framesBefore: readonly number[]
  readonly style: Tensor
  readonly features: Float32Array
  readonly f0: Float32Array
  readonly phase: Float32Array
}

const blocksReach = waveBlocks * blockReach
/** Frames that the head looks at, before and after each one: the windows of its transforms reach into them. */
const headReach = 3
const keptFrames = 2 * headReach
/** How far the network sees beyond a frame: anything further away changes nothing. */
const reach = blocksReach + headReach
// A run has enough frames to fill what the next one needs of it.
const fewestFrames = keptFrames
// Less silence than the network sees is enough before the first frame: the error is 70 dB below the speech.
const leadIn = 14

const frameTensor = (frames: number, values: Float32Array = new Float32Array(frames * featureWidth)) =>
  new Tensor('float32', values, [1, frames, featureWidth])

// The silence that all sentences share: never write into it.
const silence = frameTensor(blockReach)
const nothing = frameTensor(0)
const beforeTheFirst = pasts.map(() => silence)

const emptyPasts = () => pasts.map(() => frameTensor(2 * blockReach))

/** The network for one rate, and buffers for what its parts give. */
export class Wave {
  readonly blocks: InferenceSession
  readonly head: InferenceSession
  readonly rateHz: WrenHz
  #hidden = new Float32Array(0)
  #audio = new Float32Array(0)

  constructor(blocks: InferenceSession, head: InferenceSession, rateHz: WrenHz) {
    this.blocks = blocks
    this.head = head
    this.rateHz = rateHz
  }

  /** Returns a buffer for the output of the blocks for so many frames. */
  hidden(frames: number): Float32Array {
    const length = frames * featureWidth
    if (length > this.#hidden.length) this.#hidden = new Float32Array(2 * length)
    return this.#hidden.subarray(0, length)
  }

  audio(samples: number): Float32Array {
    if (samples > this.#audio.length) this.#audio = new Float32Array(2 * samples)
    return this.#audio.subarray(0, samples)
  }
}

export class WaveDecoding {
  readonly #wave: Wave
  readonly #frameSamples: number
  readonly #utterance: Utterance
  /** The end of the frames decoded so far. */
  #at: number
  /** The end of the features given to the blocks so far. */
  #fed: number
  /** The first frame that the next run of the head is given. */
  #headFrom: number
  #past: readonly Tensor[] = beforeTheFirst
  /** The tensors that the next run writes its past into; they trade places with those that are read. */
  #spare: readonly Tensor[] | undefined
  /** The last frames of the blocks, which the head needs once more. */
  readonly #kept = new Float32Array(keptFrames * featureWidth)
  #keptFrames = 0

  constructor(wave: Wave, utterance: Utterance) {
    this.#wave = wave
    this.#frameSamples = samplesPerWrenFrame(wave.rateHz)
    this.#utterance = utterance
    this.#at = utterance.fromFrame
    this.#fed = Math.max(0, this.#at - leadIn)
    this.#headFrom = this.#fed
  }

  get isDone(): boolean {
    return this.#at >= this.#utterance.toFrame
  }

  /**
   * Decodes the next frames: so many (but six at least), or somewhat more near the end of the sentence. The samples
   * are in a buffer that the next call overwrites.
   */
  async next(wanted: number): Promise<Float32Array> {
    const { frames, toFrame } = this.#utterance
    const until = Math.min(this.#at + Math.max(wanted, fewestFrames), toFrame)
    const feedUntil = Math.min(frames, until + reach)
    const isEnd = feedUntil === frames
    // The run that completes the sentence gives all that is left of it.
    const to = isEnd ? toFrame : until
    const headUntil = isEnd ? frames : feedUntil - blocksReach
    const decoded = await this.#runBlocks(feedUntil, headUntil)
    const audio = await this.#runHead(decoded, headUntil)
    const samplesUntil = (frame: number) => (frame - this.#headFrom) * this.#frameSamples
    const piece = audio.subarray(samplesUntil(this.#at), samplesUntil(to))
    this.#kept.set(decoded.subarray(-this.#kept.length))
    this.#keptFrames = keptFrames
    this.#at = to
    this.#headFrom = headUntil - keptFrames
    return piece
  }

  /** Makes the frames for the head: those that were kept, and the new ones. */
  async #runBlocks(feedUntil: number, headUntil: number): Promise<Float32Array> {
    const { style, features, frames } = this.#utterance
    const all = headUntil - this.#headFrom
    const decoded = this.#wave.hidden(all)
    if (this.#keptFrames > 0) decoded.set(this.#kept)
    const next = this.#spare ?? emptyPasts()
    await this.#wave.blocks.run(
      {
        style,
        features: frameTensor(
          feedUntil - this.#fed,
          features.subarray(this.#fed * featureWidth, feedUntil * featureWidth),
        ),
        end: feedUntil === frames ? silence : nothing,
        ...byName(pasts, this.#past),
      },
      {
        [hidden]: frameTensor(all - this.#keptFrames, decoded.subarray(this.#keptFrames * featureWidth)),
        ...byName(nextPasts, next),
      },
    )
    this.#spare = this.#past === beforeTheFirst ? undefined : this.#past
    this.#past = next
    this.#fed = feedUntil
    return decoded
  }

  /** Runs the head, whose inputs are views of what is there: nothing is copied. */
  async #runHead(decoded: Float32Array, until: number): Promise<Float32Array> {
    const { f0, phase, frames } = this.#utterance
    const { head, rateHz } = this.#wave
    const from = this.#headFrom
    const edges = 2 * edgeSamples(rateHz)
    const ofFrames = (values: Float32Array) => rowTensor(values.subarray(from, until))
    const noise = noiseOf(frames * this.#frameSamples + edges, rateHz)
    const audio = this.#wave.audio((until - from) * this.#frameSamples)
    await head.run(
      {
        hidden: frameTensor(until - from, decoded),
        f0: ofFrames(f0),
        phase: ofFrames(phase),
        noise: rowTensor(noise.subarray(from * this.#frameSamples, until * this.#frameSamples + edges)),
      },
      { audio: rowTensor(audio) },
    )
    return audio
  }
}

const rowTensor = (values: Float32Array) => new Tensor('float32', values, [1, values.length])

const byName = (names: readonly string[], tensors: readonly Tensor[]): Record<string, Tensor> =>
  Object.fromEntries(tensors.map((tensor, place) => [names[place], tensor]))
