// The wren worker: decodes the next piece of one of the sentences that are being spoken.
import { type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { serveEngine } from '../engine/serve-engine.ts'
import { type EnglishFiles, loadEnglish } from '../pronunciation/pronounce.ts'
import { endingOf } from './intonation.ts'
import { SentenceSound } from './sentence-sound.ts'
import { type WrenVoice, wrenVoices } from './voices.ts'
import { wrenHzFor } from './wren-frames.ts'
import { loadWren } from './wren-model.ts'

export type WrenLoad = EnglishFiles

export interface WrenSentence {
  /** The normalised text: words and punctuation only. */
  readonly text: string
  readonly voice: WrenVoice
  readonly rateHz: RateHz
}

export interface PieceQuestion {
  readonly id: number
  readonly sentence: WrenSentence
  /** The number of frames that were given to the line before. A thread that does not know the sentence makes them again. */
  readonly framesGiven: number
  /** How much to decode, in frames of 12.5 ms. */
  readonly wrenFrames: number
  /** The buffer for the answer, which travels back and forth, so that pieces need no memory of their own. */
  readonly into: Int16Array<ArrayBuffer>
  /** Sentences that nobody listens to any more. */
  readonly forget: readonly number[]
}

export interface WrenPiece {
  readonly into: Int16Array<ArrayBuffer>
  /** Where the piece is in `into`. */
  readonly from: number
  readonly to: number
  readonly isLast: boolean
}

const nothing = (into: Int16Array<ArrayBuffer>): WrenPiece => ({ into, from: 0, to: 0, isLast: true })

serveEngine<WrenLoad, PieceQuestion, WrenPiece>(async (files) => {
  const model = await loadWren()
  const pronounce = await loadEnglish(files)
  const spoken = new Map<number, SentenceSound>()

  async function begin({ text, voice, rateHz }: WrenSentence): Promise<SentenceSound | undefined> {
    const utterance = await model.prepare(pronounce(text), voice, endingOf(text))
    if (!utterance) return undefined
    const madeHz = wrenHzFor(rateHz)
    const decoding = await model.begin(utterance, madeHz)
    return new SentenceSound(decoding, { madeHz, rateHz, gain: wrenVoices[voice].gain })
  }

  return {
    async answer({ id, sentence, framesGiven, wrenFrames, into, forget }, signal) {
      for (const gone of forget) spoken.delete(gone)
      const sound = spoken.get(id) ?? (await begin(sentence))
      if (!sound) return nothing(into)
      spoken.set(id, sound)
      let output = into
      let before = sound.framesGiven
      // A piece of silence may give no frame yet.
      while (sound.framesGiven <= framesGiven && !sound.isDone && !signal.aborted) {
        before = sound.framesGiven
        output = await sound.next(wrenFrames, output)
      }
      if (sound.isDone) spoken.delete(id)
      const from = Math.min((framesGiven - before) * samplesPerFrame(sentence.rateHz), sound.samplesWritten)
      return { into: output, from, to: sound.samplesWritten, isLast: sound.isDone }
    },
    moved: ({ into }) => [into.buffer],
    release: () => model.release(),
  }
})
