// The transcription of one call: frames in, segments to the recognizer, partials and finals out.
import type { Frame } from '../../media/frame.ts'
import type { TranscriptEvent } from '../../ports/transcriber.ts'
import type { VoiceEvent } from '../../ports/voice-detector.ts'
import {
  attemptSoFar,
  attemptWhole,
  type RecognitionAttempt,
  type RecognizedText,
  type Recognizer,
} from './recognition-attempt.ts'
import { Segmenter, type SegmentStep } from './segmenter.ts'
import { SoundTail } from './sound-tail.ts'

export interface UtterancesOptions {
  readonly rateHz: Frame['rateHz']
  readonly endpointingMs: number
  readonly signal: AbortSignal
  readonly onEvent: (event: TranscriptEvent) => void
  readonly onEnd: () => void
  readonly onFailure: (error: Error) => void
}

// Partials are frequent enough to see an interruption grow word by word; each costs a recognition of the whole
// utterance so far.
const partialEveryMs = 600
// A recognizer rests for twice as long as a partial took, so at most a third of its time goes into one call's
// partials.
const partialRest = 2
// A speaker who only pauses briefly still gets a final after this long.
const toldAfterMs = 20_000
// A partial with this much audio after the voice includes the last consonant.
const coversAfterMs = 64
// So much is kept before a voice, for a detector that reports the beginning of a word late.
const keptWhileQuietMs = 1_000
// Twice the longest utterance: bounds the memory if the detector never reports.
const keptAtMostMs = 40_000

interface Open {
  /** The start of the current piece. */
  fromMs: number
  /** The earlier pieces of the utterance, and the start of the first. */
  pieces: Promise<RecognizedText>[]
  piecesFromMs: number
  nextPartialMs: number
  /** The latest recognition; while the speaker pauses, that of the whole piece. */
  attempt: RecognitionAttempt | undefined
  pausing: boolean
}

const opened = (fromMs: number): Open => ({
  fromMs,
  pieces: [],
  piecesFromMs: fromMs,
  nextPartialMs: fromMs + partialEveryMs,
  attempt: undefined,
  pausing: false,
})

export class Utterances {
  readonly #recognizer: Recognizer
  readonly #options: UtterancesOptions
  readonly #segmenter: Segmenter
  readonly #sound: SoundTail
  #open: Open | undefined
  #heardMs = 0
  /** Finals leave in the order of their utterances. */
  #owed: Promise<void> = Promise.resolve()

  constructor(recognizer: Recognizer, options: UtterancesOptions) {
    this.#recognizer = recognizer
    this.#options = options
    this.#segmenter = new Segmenter(options.endpointingMs)
    this.#sound = new SoundTail(options.rateHz)
  }

  get keptMs(): number {
    return this.#sound.keptMs
  }

  write({ samples }: Frame): void {
    this.#sound.push(samples)
    const wantedMs = this.#open ? this.#open.fromMs : this.#heardMs - keptWhileQuietMs
    this.#sound.forgetBefore(Math.max(wantedMs, this.#sound.endMs - keptAtMostMs))
  }

  hear(event: VoiceEvent): void {
    if (event.type === 'failed') this.#options.onFailure(new Error(event.reason))
    this.#take(this.#segmenter.hear(event, this.#sound.endMs))
    if (event.type !== 'probability') return
    this.#heardMs = event.atMs
    this.#partial()
  }

  finalize(): void {
    this.#take(this.#segmenter.finalize(this.#sound.endMs))
  }

  finish(): void {
    this.#take(this.#segmenter.finish(this.#sound.endMs))
    void this.#owed.then(this.#options.onEnd)
  }

  #take(steps: readonly SegmentStep[]): void {
    for (const step of steps) {
      if (step.type === 'begun') this.#begin(step.fromMs)
      else if (step.type === 'cut') this.#cut(step.fromMs, step.toMs)
      else if (this.#open && step.type === 'paused') this.#pause(this.#open, step)
      else if (this.#open && step.type === 'resumed') this.#resume(this.#open)
      else if (this.#open && step.type === 'kept') this.#keep(this.#open, step.toMs)
      else if (this.#open && step.type === 'ended') this.#end(this.#open)
    }
  }

  #begin(fromMs: number): void {
    this.#open = opened(fromMs)
    this.#options.onEvent({ type: 'speech-started' })
  }

  /** Recognises the whole piece, unless a partial already covers it. */
  #pause(open: Open, { fromMs, endedMs, toMs }: SegmentStep & { type: 'paused' }): void {
    open.pausing = true
    if ((open.attempt?.toMs ?? 0) >= endedMs + coversAfterMs) return
    open.attempt?.stop()
    this.#follow(open, this.#whole(fromMs, toMs))
  }

  #resume(open: Open): void {
    open.pausing = false
    open.attempt?.stop()
    open.attempt = undefined
    open.nextPartialMs = this.#heardMs + partialEveryMs
  }

  #keep(open: Open, toMs: number): void {
    if (open.attempt) open.pieces.push(this.#surely(open.attempt, open.fromMs))
    open.attempt = undefined
    open.pausing = false
    open.fromMs = toMs
    open.nextPartialMs = toMs + partialEveryMs
    if (toMs - open.piecesFromMs < toldAfterMs) return
    this.#owe(open.pieces)
    open.pieces = []
    open.piecesFromMs = toMs
  }

  #cut(fromMs: number, toMs: number): void {
    this.#open?.attempt?.stop()
    this.#owe([...(this.#open?.pieces ?? []), this.#whole(fromMs, toMs).recognized])
    this.#open = opened(toMs)
  }

  #end(open: Open): void {
    this.#open = undefined
    const last = open.attempt ? [this.#surely(open.attempt, open.fromMs)] : []
    this.#owe([...open.pieces, ...last])
    this.#owed = this.#owed.then(() => this.#options.onEvent({ type: 'speech-ended' }))
  }

  #whole(fromMs: number, toMs: number): RecognitionAttempt {
    const span = { fromMs, toMs }
    return attemptWhole(this.#recognizer, this.#sound.slice(fromMs, toMs), span, this.#options.signal)
  }

  /**
   * The result of an attempt. A partial that turned out to be the final may have been preempted: then it is recognised
   * again at full priority.
   */
  #surely({ recognized, preemptible, toMs }: RecognitionAttempt, fromMs: number): Promise<RecognizedText> {
    if (!preemptible || toMs === undefined) return recognized
    const segment = this.#sound.slice(fromMs, toMs)
    const again = () => attemptWhole(this.#recognizer, segment, { fromMs, toMs }, this.#options.signal)
    const sure = recognized.catch(() => again().recognized)
    sure.catch(() => {})
    return sure
  }

  #owe(pieces: readonly Promise<RecognizedText>[]): void {
    this.#owed = this.#owed.then(async () => {
      try {
        // A final is sent even if it is empty: the call waits for one after every detected voice.
        this.#options.onEvent({ type: 'final', ...(await joined(pieces)) })
      } catch (error) {
        if (!this.#options.signal.aborted) this.#options.onFailure(error as Error)
      }
    })
  }

  #partial(): void {
    const open = this.#open
    if (!open || open.pausing || this.#heardMs < open.nextPartialMs) return
    open.nextPartialMs = Number.POSITIVE_INFINITY
    const take = () => {
      const toMs = this.#sound.endMs
      return { segment: this.#sound.slice(open.fromMs, toMs), toMs }
    }
    this.#follow(open, attemptSoFar(this.#recognizer, take, open.fromMs, this.#options.signal))
  }

  /** Emits the words of an attempt as a partial, unless the utterance ends first. */
  #follow(open: Open, attempt: RecognitionAttempt): void {
    open.attempt = attempt
    // Counted in the time of the sound, which a call and a replayed recording share.
    const begunMs = this.#sound.endMs
    joined([...open.pieces, attempt.recognized]).then(
      ({ text }) => {
        open.nextPartialMs =
          this.#heardMs + Math.max(partialEveryMs, partialRest * (this.#sound.endMs - begunMs))
        if (text && this.#open === open) this.#options.onEvent({ type: 'partial', text })
      },
      // A failed partial is ignored; an engine fault surfaces in the final.
      () => {
        open.nextPartialMs = this.#heardMs + partialEveryMs
      },
    )
  }
}

async function joined(pieces: readonly Promise<RecognizedText>[]): Promise<RecognizedText> {
  const all = await Promise.all(pieces)
  const text = all.reduce((before, piece) => `${before}${seam(before, piece.text)}${piece.text}`, '')
  const words = all.flatMap((piece) => piece.words ?? [])
  return all.every((piece) => piece.words) && words.length > 0 ? { text, words } : { text }
}

/** Chinese and Japanese are written without spaces. */
const seam = (before: string, after: string) =>
  before === '' || after === '' || /[\p{Script=Han}\p{Script=Kana}\p{Script=Hira}。、！？，]$/u.test(before)
    ? ''
    : ' '
