// The sound of a realtime model in tests: every word has a level of its own and is as long as it is written.
import type { TextSynthesizer } from '../../../src/ports/synthesizer.ts'
import { PcmFrames } from '../../../src/vendors/over/speaks/pcm.ts'
import { sampleOf, wordsOf } from './spoken-words.ts'

const wireRateHz = 24_000
const msPerLetter = 70
const pieceBytes = 4_801

/** Sound of 24 kHz for a text; undefined: every word has its level. */
export type RecordedVoice = ((text: string) => Promise<Int16Array>) | undefined

const soundOfWord = (word: string, rateHz: number): Int16Array => {
  const letters = word.replace(/[^\p{L}\p{N}]/gu, '').length
  return new Int16Array((rateHz * letters * msPerLetter) / 1_000).fill(sampleOf(word.trim()))
}

export interface SpokenPiece {
  /** With the space after it. */
  readonly words?: string
  readonly sound?: Buffer
}

/** What a server sends of a text, one after the other; `isAhead`: all words before their sound. */
export async function piecesFor(
  text: string,
  voice: RecordedVoice,
  isAhead = false,
): Promise<readonly SpokenPiece[]> {
  const words = text.split(/(?<=\s)/).filter(Boolean)
  if (voice) return [...words.map((one) => ({ words: one })), ...cut(await voice(text))]
  const sounds = words.map((one) => ({ words: one, pieces: cut(soundOfWord(one, wireRateHz)) }))
  return isAhead
    ? [...words.map((one) => ({ words: one })), ...sounds.flatMap(({ pieces }) => pieces)]
    : sounds.flatMap(({ words: one, pieces }) => [{ words: one }, ...pieces])
}

/** In pieces that are no whole number of frames, nor of samples. */
function cut(samples: Int16Array): readonly SpokenPiece[] {
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const places = Array.from({ length: Math.ceil(sound.length / pieceBytes) }, (_, n) => n * pieceBytes)
  return places.map((at) => ({ sound: sound.subarray(at, at + pieceBytes) }))
}

/** A voice beside the model, whose words sound the same. */
export class WordVoice implements TextSynthesizer {
  readonly texts: string[] = []

  async *synthesize(...[text, { rateHz }]: Parameters<TextSynthesizer['synthesize']>) {
    this.texts.push(text)
    const frames = new PcmFrames(rateHz, rateHz)
    for (const word of wordsOf(text)) {
      const samples = soundOfWord(word, rateHz)
      yield* frames.push(new Uint8Array(samples.buffer))
    }
    yield* frames.flush()
  }
}
