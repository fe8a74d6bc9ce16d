// One call's ears: frames in, segments out to the recognizer, partial and final words back.
import type { Frame } from '../../../media/frame.ts'
import type { TranscriptEvent } from '../../../ports/transcriber.ts'
import type { VoiceEvent } from '../../../ports/voice-detector.ts'
import { Segmenter, type SegmentStep } from './segmenter.ts'
import { SoundTail } from './sound-tail.ts'

export interface Recognizer {
  readonly idle: boolean
  recognise(segment: Float32Array<ArrayBuffer>, signal: AbortSignal): Promise<string>
}

export interface UtterancesOptions {
  readonly rateHz: Frame['rateHz']
  readonly endpointingMs: number
  readonly signal: AbortSignal
  readonly onEvent: (event: TranscriptEvent) => void
  readonly onEnd: () => void
  readonly onFailure: (error: Error) => void
}

// Fast enough to see an interruption grow word by word; each costs a recognition of all that was said so far.
const partialEveryMs = 700
// At most a quarter of the recognizer's time goes into one call's partials.
const partialRest = 3
// A detector that hears late still finds the beginning of the word here.
const keptWhileQuietMs = 1_000
// The longest utterance and as much again: a detector that hears nothing at all must not fill the memory.
const keptAtMostMs = 40_000

interface Open {
  readonly fromMs: number
  nextPartialMs: number
  partial: AbortController | undefined
  /** The recognition of the whole, begun when the speaker paused. */
  whole: { readonly words: Promise<string>; readonly stop: AbortController } | undefined
}

const opened = (fromMs: number): Open => ({
  fromMs,
  nextPartialMs: fromMs + partialEveryMs,
  partial: undefined,
  whole: undefined,
})

export class Utterances {
  readonly #recognizer: Recognizer
  readonly #options: UtterancesOptions
  readonly #segmenter: Segmenter
  readonly #sound: SoundTail
  #open: Open | undefined
  #heardMs = 0
  #finishMs: number | undefined
  /** Finals leave in the order of their utterances. */
  #owed: Promise<void> = Promise.resolve()

  constructor(recognizer: Recognizer, options: UtterancesOptions) {
    this.#recognizer = recognizer
    this.#options = options
    this.#segmenter = new Segmenter(options.endpointingMs)
    this.#sound = new SoundTail(options.rateHz)
  }

  write({ samples }: Frame): void {
    this.#sound.push(samples)
    const wantedMs = this.#open ? this.#open.fromMs : this.#heardMs - keptWhileQuietMs
    this.#sound.forgetBefore(Math.max(wantedMs, this.#sound.endMs - keptAtMostMs))
  }

  hear(event: VoiceEvent): void {
    if (event.type === 'failed') this.#options.onFailure(new Error(event.reason))
    for (const step of this.#segmenter.hear(event)) this.#take(step)
    if (event.type !== 'probability') return
    this.#heardMs = event.atMs
    this.#partial(event.atMs)
    this.#finishWhenHeard()
  }

  get keptMs(): number {
    return this.#sound.keptMs
  }

  /** `windowMs`: sound shorter than that may stay unheard at the end. */
  finish(windowMs: number): void {
    this.#finishMs = this.#sound.endMs - windowMs
    this.#finishWhenHeard()
  }

  #finishWhenHeard(): void {
    if (this.#finishMs === undefined || this.#heardMs <= this.#finishMs) return
    this.#finishMs = undefined
    for (const step of this.#segmenter.finish(this.#sound.endMs)) this.#take(step)
    void this.#owed.then(this.#options.onEnd)
  }

  #take(step: SegmentStep): void {
    switch (step.type) {
      case 'begun':
        this.#open = opened(step.fromMs)
        this.#options.onEvent({ type: 'speech-started' })
        return
      case 'paused':
        // The final does not wait for a partial that it makes worthless.
        this.#open?.partial?.abort()
        if (this.#open) this.#open.whole = this.#begin(step.fromMs, step.toMs)
        return
      case 'resumed':
        this.#open?.whole?.stop.abort()
        if (this.#open) this.#open.whole = undefined
        return
      case 'cut':
        this.#owe(this.#begin(step.fromMs, step.toMs).words)
        this.#open?.partial?.abort()
        this.#open = opened(step.toMs)
        return
      case 'ended':
        if (this.#open?.whole) this.#owe(this.#open.whole.words)
        this.#owed = this.#owed.then(() => this.#options.onEvent({ type: 'speech-ended' }))
        this.#open = undefined
    }
  }

  #begin(fromMs: number, toMs: number) {
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, this.#options.signal])
    const words = this.#recognizer.recognise(this.#sound.slice(fromMs, toMs), signal)
    // Whoever is owed the words meets the error; nobody is when the speaker went on.
    words.catch(() => {})
    return { words, stop }
  }

  #owe(words: Promise<string>): void {
    this.#owed = this.#owed.then(async () => {
      try {
        const text = await words
        if (text) this.#options.onEvent({ type: 'final', text })
      } catch (error) {
        if (!this.#options.signal.aborted) this.#options.onFailure(error as Error)
      }
    })
  }

  #partial(atMs: number): void {
    const open = this.#open
    if (!open || open.whole || atMs < open.nextPartialMs || !this.#recognizer.idle) return
    open.nextPartialMs = Number.POSITIVE_INFINITY
    const begunMs = performance.now()
    const { words, stop } = this.#begin(open.fromMs, atMs)
    open.partial = stop
    words.then(
      (text) => {
        open.nextPartialMs =
          this.#heardMs + Math.max(partialEveryMs, partialRest * (performance.now() - begunMs))
        if (text && this.#open === open) this.#options.onEvent({ type: 'partial', text })
      },
      // A partial is a courtesy; what is wrong with the engine shows in the final.
      () => {
        open.nextPartialMs = this.#heardMs + partialEveryMs
      },
    )
  }
}
