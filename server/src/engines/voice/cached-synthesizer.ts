// Caches synthesized speech that is repeated: greetings, fillers, the same question to every caller.
import type { Frame } from '../../media/frame.ts'
import type { SynthesizerOptions, TextSynthesizer } from '../../ports/synthesizer.ts'
import { SharedSpeech } from './shared-speech.ts'

export interface CacheOptions {
  /** The size of the cache; the least recently used entry is evicted first. */
  readonly bytes: number
}

/** Wraps an engine. A text is preloaded by reading it to the end and dropping the frames. */
export function cachedSynthesizer(engine: TextSynthesizer, { bytes }: CacheOptions): TextSynthesizer {
  // A Map keeps insertion order: the first key is the least recently used.
  const speeches = new Map<string, SharedSpeech>()

  function speechOf(text: string, options: SynthesizerOptions): SharedSpeech {
    const key = JSON.stringify([
      options.voice,
      options.language ?? null,
      options.model ?? null,
      options.rateHz,
      text,
    ])
    const speech =
      speeches.get(key) ??
      new SharedSpeech((signal) => engine.synthesize(text, options, signal), {
        onWhole: evict,
        onLost: () => {
          if (speeches.get(key) === speech) speeches.delete(key)
        },
      })
    speeches.delete(key)
    speeches.set(key, speech)
    return speech
  }

  function evict(): void {
    const whole = [...speeches].filter(([, speech]) => speech.isWhole)
    let keptBytes = whole.reduce((sum, [, speech]) => sum + speech.bytes, 0)
    for (const [key, speech] of whole) {
      if (keptBytes <= bytes) return
      keptBytes -= speech.bytes
      speeches.delete(key)
    }
  }

  return {
    async *synthesize(text, options, signal): AsyncGenerator<Frame> {
      if (!signal.aborted) yield* speechOf(text, options).read(signal)
    },
  }
}
