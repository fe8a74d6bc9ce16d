// Speaks a text as frames, sentence by sentence: one plays while the next is being synthesized.
import { type Frame, frameMs, makeFrame, type RateHz } from '../../media/frame.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { EngineIdle } from '../engine/engine-pool.ts'
import type { ModelCache } from '../models/fetch-model.ts'
import { englishWords } from '../spoken-form/english.ts'
import { punctuated, sentencesToSpeak, shortened, wasCut } from './sentences.ts'

// Pauses between two sentences, and at a comma where a long sentence was cut. With the silence that is kept around
// speech (60 ms) they are as long as Kokoro's inside a sentence: 250 to 300 ms after a full stop, 240 to 290 ms after
// a comma.
const sentencePauseMs = 240
const commaPauseMs = 200

/** An offline voice, whose threads end when it is closed. */
export interface OfflineSynthesizer extends TextSynthesizer {
  /** Whether its first words take longer, because it is loaded with its first use. */
  readonly isLoading: boolean
  /** Loads what a voice needs. Rejects if it cannot be loaded. */
  load(voice: string): Promise<void>
  close(): Promise<void>
}

export interface OfflineVoiceOptions extends ModelCache, EngineIdle {
  readonly threads?: number | undefined
}

export interface SpeakOptions {
  readonly rateHz: RateHz
  readonly signal: AbortSignal
  /** The length beyond which sentences are split. */
  readonly longestChars: number
  /** Spells out numbers and the like; English if undefined. */
  readonly normalise?: ((sentence: string) => string) | undefined
  /**
   * Synthesizes one sentence, given in words only, in one or more pieces. It is called while the previous sentence
   * plays, and read when its turn has come.
   */
  readonly make: (sentence: string, signal: AbortSignal) => AsyncIterable<readonly Frame[]>
}

/** Speaks a text. Ends without an error when the signal aborts; throws what `make` throws. */
export async function* speak(text: string, speaking: SpeakOptions): AsyncGenerator<Frame> {
  const { rateHz, signal, longestChars, make, normalise = englishWords } = speaking
  const left = new AbortController()
  const until = AbortSignal.any([signal, left.signal])
  const written = sentencesToSpeak(text)
  const isCut = wasCut(written.at(-1) ?? '')
  const sentences = written
    .map((sentence) => normalise(sentence))
    .filter((sentence) => /[\p{L}\p{Co}]/u.test(sentence))
    .flatMap((sentence) => shortened(sentence, longestChars))
  const begin = (place: number) => {
    const sentence = sentences[place]
    return sentence === undefined
      ? undefined
      : make(punctuated(sentence, isCut || place < sentences.length - 1), until)
  }
  try {
    let next = begin(0)
    for (const place of sentences.keys()) {
      let isFirst = true
      for await (const frames of next ?? []) {
        if (isFirst) {
          isFirst = false
          // Only one sentence is made ahead: the speaker may be interrupted.
          next = begin(place + 1)
          for (let ms = pauseAfterMs(sentences[place - 1]); ms > 0 && !signal.aborted; ms -= frameMs)
            yield makeFrame(rateHz)
        }
        for (const frame of frames) {
          if (signal.aborted) return
          yield frame
        }
      }
      if (isFirst) next = begin(place + 1)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    left.abort()
  }
}

/** The pause between this sentence or clause and the next one. */
export function pauseAfterMs(sentence = ' '): number {
  const [marks = ''] = sentence.match(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]*$/u) ?? []
  if (/[.!?。！？]/.test(marks)) return sentencePauseMs
  return /[,;:、，]$/.test(sentence) ? commaPauseMs : 0
}
