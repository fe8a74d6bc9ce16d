// Caches synthesized speech that is repeated: greetings, fillers, the same question to every caller.
import type { Frame } from '../../media/frame.ts'
import type { SynthesizerOptions, TextSynthesizer } from '../../ports/synthesizer.ts'

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

interface SpeechWatcher {
  readonly onWhole: () => void
  /** Reports that it cannot be read again: it failed, or all readers stopped before the end. */
  readonly onLost: () => void
}

type State = 'being-made' | 'whole' | 'lost'

/** One synthesis for any number of readers, each at its own pace; it runs no faster than the fastest of them reads. */
class SharedSpeech {
  readonly #watcher: SpeechWatcher
  readonly #source: AsyncIterator<Frame>
  readonly #stop = new AbortController()
  readonly #frames: Frame[] = []
  #state: State = 'being-made'
  #coming: Promise<void> | undefined
  #readers = 0

  constructor(begin: (signal: AbortSignal) => AsyncIterable<Frame>, watcher: SpeechWatcher) {
    this.#watcher = watcher
    this.#source = begin(this.#stop.signal)[Symbol.asyncIterator]()
  }

  get isWhole(): boolean {
    return this.#state === 'whole'
  }

  get bytes(): number {
    return this.#frames.reduce((sum, { samples }) => sum + samples.byteLength, 0)
  }

  /** Reads the frames. Ends without an error when the signal aborts; other readers are not affected. */
  async *read(signal: AbortSignal): AsyncGenerator<Frame> {
    this.#readers++
    const { promise: aborted, resolve } = Promise.withResolvers<void>()
    const onAbort = () => resolve()
    signal.addEventListener('abort', onAbort)
    try {
      for (let place = 0; !signal.aborted; ) {
        const frame = this.#frames[place]
        if (frame) {
          place++
          yield { ...frame, samples: frame.samples.slice() }
        } else if (this.isWhole) return
        else await Promise.race([this.#more(), aborted])
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#readers--
      this.#leave()
    }
  }

  #more(): Promise<void> {
    this.#coming ??= this.#pull().finally(() => {
      this.#coming = undefined
    })
    return this.#coming
  }

  async #pull(): Promise<void> {
    try {
      const next = await this.#source.next()
      if (!next.done) this.#frames.push(next.value)
      else if (this.#state === 'being-made') {
        this.#state = 'whole'
        this.#watcher.onWhole()
      }
    } catch (error) {
      this.#lose()
      throw error
    }
  }

  /** Ends one reading; synthesis stops when no reader is left. */
  #leave(): void {
    if (this.#readers > 0 || this.#state !== 'being-made') return
    this.#stop.abort()
    this.#lose()
  }

  #lose(): void {
    this.#state = 'lost'
    this.#watcher.onLost()
  }
}
