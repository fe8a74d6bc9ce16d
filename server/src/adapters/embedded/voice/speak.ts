// A text, sentence by sentence, as frames: the first is heard while the next is made.
import { type Frame, frameMs, makeFrame, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { normalise } from './normalise.ts'
import { sentencesOf, shortened } from './sentences.ts'
import type { Sound } from './sound.ts'

// What a reader leaves between two sentences, and at a comma where a long one was cut.
const sentencePauseMs = 240
const commaPauseMs = 120

export interface Speaking {
  readonly rateHz: RateHz
  readonly signal: AbortSignal
  /** Where a long sentence is cut: nobody hears anything of it before it is made. */
  readonly longestChars: number
  /** The sound of one sentence, in words only. */
  readonly make: (sentence: string, signal: AbortSignal) => Promise<Sound>
}

/** Ends quietly when the signal aborts; throws what `make` throws. */
export async function* speak(text: string, speaking: Speaking): AsyncGenerator<Frame> {
  const { rateHz, signal, longestChars, make } = speaking
  const left = new AbortController()
  const until = AbortSignal.any([signal, left.signal])
  const begin = (sentence: string | undefined) => {
    const sound = sentence === undefined ? undefined : make(sentence, until)
    // It may be made in vain; whoever awaits it meets the error.
    sound?.catch(() => {})
    return sound
  }
  const sentences = sentencesOf(text).flatMap((sentence) => shortened(normalise(sentence), longestChars))
  try {
    let next = begin(sentences[0])
    for (const place of sentences.keys()) {
      const sound = await next
      // While this one is heard the next is made, and no more than that: the speaker may be interrupted.
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
