// Speech with known word times: wren decides how long every sound lasts before it makes any.
import { fetchModel, type ModelCache } from '../server/src/engines/models/fetch-model.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { loadEnglish } from '../server/src/engines/pronunciation/pronounce.ts'
import type { WrenVoice } from '../server/src/engines/wren/voices.ts'
import { wrenFramesPerSecond } from '../server/src/engines/wren/wren-frames.ts'
import { loadWren } from '../server/src/engines/wren/wren-model.ts'

export interface TimedSpeech {
  /** At 16 kHz. */
  readonly samples: Int16Array
  readonly words: readonly { readonly word: string; readonly startSeconds: number }[]
}

const rateHz = 16_000

/** For texts of plain words: numbers and hyphens would be more sounds than words. */
export async function openTimedVoice(models: ModelCache) {
  const pronounce = await loadEnglish(await fetchModel(pronunciation, models))
  const wren = await loadWren()

  async function say(text: string, voice: WrenVoice): Promise<TimedSpeech> {
    const phonemes = pronounce(text)
    const utterance = await wren.prepare(phonemes, voice, 'falls')
    if (!utterance) return { samples: new Int16Array(), words: [] }
    const { frames } = utterance
    const whole = { ...utterance, fromFrame: 0, toFrame: frames }
    const audio = await (await wren.begin(whole, rateHz)).next(frames)
    const samples = Int16Array.from(audio, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767)
    const starts = wordStarts(phonemes, utterance.framesBefore)
    return {
      samples,
      words: (text.toLowerCase().match(/[a-z']+/g) ?? []).flatMap((word, place) => {
        const startFrame = starts[place]
        return startFrame === undefined ? [] : [{ word, startSeconds: startFrame / wrenFramesPerSecond }]
      }),
    }
  }
  return { say, close: () => wren.release() }
}

/** A word begins with the first sound after a space. */
const wordStarts = (phonemes: string, framesBefore: readonly number[]): number[] =>
  [...phonemes].flatMap((_, place, all) => {
    const begins = place === 0 || all[place - 1] === ' '
    return begins ? [framesBefore[place] ?? 0] : []
  })
