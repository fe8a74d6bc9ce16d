// Speaks a text as frames, sentence by sentence: one plays while the next is being synthesized.
import { type Frame, frameMs, makeFrame, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { normalise as normaliseEnglish } from './normalise.ts'
import { sentencesOf, shortened } from './sentences.ts'
import type { Sound } from './sound.ts'

// Natural pauses between two sentences, and at a comma where a long one was split.
const sentencePauseMs = 240
const commaPauseMs = 120

export interface Speaking {
  readonly rateHz: RateHz
  readonly signal: AbortSignal
  /** Where long sentences are split: a sentence cannot play before all of it is synthesized. */
  readonly longestChars: number
  /** Spells out numbers and the like; English if undefined. */
  readonly normalise?: ((sentence: string) => string) | undefined
  /** Synthesizes one sentence, given in words only. */
  readonly make: (sentence: string, signal: AbortSignal) => Promise<Sound>
}

/** Ends without an error when the signal aborts; throws what `make` throws. */
export async function* speak(text: string, speaking: Speaking): AsyncGenerator<Frame> {
  const { rateHz, signal, longestChars, make, normalise = normaliseEnglish } = speaking
  const left = new AbortController()
  const until = AbortSignal.any([signal, left.signal])
  const begin = (sentence: string | undefined) => {
    const sound = sentence === undefined ? undefined : make(sentence, until)
    // It may never be used; the code that awaits it handles the error.
    sound?.catch(() => {})
    return sound
  }
  const written = sentencesOf(text, speaking.normalise ? 'any' : 'ascii')
  const sentences = written.flatMap((sentence) => shortened(normalise(sentence), longestChars))
  try {
    let next = begin(sentences[0])
    for (const place of sentences.keys()) {
      const sound = await next
      // Only one sentence ahead: the speaker may be interrupted.
      next = begin(sentences[place + 1])
      const pauseMs = pauseAfterMs(sentences[place - 1])
      for (let ms = 0; ms < pauseMs; ms += frameMs) yield makeFrame(rateHz)
      for (const samples of cut(sound ?? new Int16Array(), samplesPerFrame(rateHz))) {
        if (signal.aborted) return
        yield { samples, rateHz }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    left.abort()
  }
}

function pauseAfterMs(sentence = ' '): number {
  if (/[.!?]\W*$/.test(sentence)) return sentencePauseMs
  return /[,;:]$/.test(sentence) ? commaPauseMs : 0
}

function* cut(sound: Int16Array, size: number): Generator<Int16Array> {
  for (let at = 0; at < sound.length; at += size) yield sound.slice(at, at + size)
}
