// Decodes one sentence with the second network, in pieces of any length. Each piece costs only its own frames: what the
// network still needs of those before is kept from run to run.
import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { noiseOf } from './noise.ts'
import { blockReach, featureWidth, nextPasts, pasts, transformReach, waveBlocks } from './streamed-wave.ts'
import type { Utterance } from './utterance.ts'
import { samplesPerWrenFrame } from './wren-frames.ts'

// The window of the inverse Fourier transform reaches beyond both ends.
const noiseEdge = 225
const blocksReach = waveBlocks * blockReach
/** How far the network sees beyond a frame: what is further away changes nothing. */
const reach = blocksReach + transformReach
// So that even the first run fills what the next one needs of it.
const fewestFrames = 2 * transformReach
// Before the first frame there is silence, of which less will do: the error is 70 dB below the speech.
const leadIn = 14

const frameTensor = (frames: number) =>
  new Tensor('float32', new Float32Array(frames * featureWidth), [1, frames, featureWidth])

// Shared by all sentences: nothing is written into them.
const silence = frameTensor(blockReach)
const nothing = frameTensor(0)
const beforeTheFirst = [...Array.from({ length: waveBlocks }, () => silence), nothing]

const emptyPasts = () =>
  pasts.map((_, place) => frameTensor(2 * (place < waveBlocks ? blockReach : transformReach)))

/** The network, and a buffer for what it gives. */
export class Wave {
  readonly session: InferenceSession
  #audio = new Float32Array(0)

  constructor(session: InferenceSession) {
    this.session = session
  }

  audio(samples: number): Float32Array {
    if (samples > this.#audio.length) this.#audio = new Float32Array(2 * samples)
    return this.#audio.subarray(0, samples)
  }
}

export class WaveDecoding {
  readonly #wave: Wave
  readonly #utterance: Utterance
  /** Frames decoded so far end here. */
  #at: number
  /** Features given to the network so far end here. */
  #fed: number
  /** The first frame that the next run transforms. */
  #transformsFrom: number
  #past: readonly Tensor[] = beforeTheFirst
  /** What the next run writes its past into; it trades places with the one that is read. */
  #spare: readonly Tensor[] | undefined

  constructor(wave: Wave, utterance: Utterance) {
    this.#wave = wave
    this.#utterance = utterance
    this.#at = utterance.fromFrame
    this.#fed = Math.max(0, this.#at - leadIn)
    this.#transformsFrom = this.#fed
  }

  get isDone(): boolean {
    return this.#at >= this.#utterance.toFrame
  }

  /**
   * Samples of the next frames, so many (but six at least) or somewhat more near the end of the sentence, in a buffer
   * that the next call overwrites.
   */
  async next(wanted: number): Promise<Float32Array> {
    const { frames, toFrame } = this.#utterance
    const until = Math.min(this.#at + Math.max(wanted, fewestFrames), toFrame)
    const feedUntil = Math.min(frames, until + reach)
    const isEnd = feedUntil === frames
    // The run that completes the sentence gives all that is left of it.
    const to = isEnd ? toFrame : until
    const transformsUntil = isEnd ? frames : feedUntil - blocksReach
    const audio = this.#wave.audio((transformsUntil - this.#transformsFrom) * samplesPerWrenFrame)
    const isLast = to === toFrame
    const next = isLast ? [] : (this.#spare ?? emptyPasts())
    await this.#wave.session.run(this.#feeds(feedUntil, transformsUntil, isEnd), {
      audio: new Tensor('float32', audio, [1, audio.length]),
      ...byName(nextPasts, next),
    })
    const from = this.#at - this.#transformsFrom
    const piece = audio.subarray(
      from * samplesPerWrenFrame,
      (to - this.#transformsFrom) * samplesPerWrenFrame,
    )
    this.#spare = this.#past === beforeTheFirst ? emptyPasts() : this.#past
    this.#past = next
    this.#at = to
    this.#fed = feedUntil
    this.#transformsFrom = transformsUntil - 2 * transformReach
    return piece
  }

  /** Views of what is there: nothing is copied. */
  #feeds(feedUntil: number, transformsUntil: number, isEnd: boolean): Record<string, Tensor> {
    const { style, features, f0, phase, frames } = this.#utterance
    const from = this.#transformsFrom
    const transformed = (values: Float32Array) =>
      new Tensor('float32', values.subarray(from, transformsUntil), [1, transformsUntil - from])
    const noise = noiseOf(frames * samplesPerWrenFrame + 2 * noiseEdge).subarray(
      from * samplesPerWrenFrame,
      transformsUntil * samplesPerWrenFrame + 2 * noiseEdge,
    )
    return {
      style,
      features: new Tensor('float32', features.subarray(this.#fed * featureWidth, feedUntil * featureWidth), [
        1,
        feedUntil - this.#fed,
        featureWidth,
      ]),
      f0: transformed(f0),
      phase: transformed(phase),
      noise: new Tensor('float32', noise, [1, noise.length]),
      end: isEnd ? silence : nothing,
      ...byName(pasts, this.#past),
    }
  }
}

const byName = (names: readonly string[], tensors: readonly Tensor[]): Record<string, Tensor> =>
  Object.fromEntries(tensors.map((tensor, place) => [names[place], tensor]))
