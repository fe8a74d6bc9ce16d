// Segments a call's audio into utterances by the voice detector's events. Pure.
import type { VoiceEvent } from '../../ports/voice-detector.ts'

/** A step of the segmenter. Positions are in the audio, in ms from its beginning. */
export type SegmentStep =
  | { readonly type: 'begun'; readonly fromMs: number }
  /** The utterance may be over: recognition starts while the confirming silence passes. */
  | { readonly type: 'paused'; readonly fromMs: number; readonly endedMs: number; readonly toMs: number }
  | { readonly type: 'resumed' }
  /** The utterance may be over, and is long enough to be a piece of its own: the next begins where it ends. */
  | { readonly type: 'kept'; readonly toMs: number }
  | { readonly type: 'ended' }
  /** A continuing utterance was cut: the next piece begins where this one ends. */
  | { readonly type: 'cut'; readonly fromMs: number; readonly toMs: number }

// The recognizer needs a margin of silence on both sides.
const marginMs = 200
// A shorter piece is better recognised together with the rest; recognising a longer one again would cost a tenth of
// its length or more.
const keptFromMs = 2_500
// The recognizers were trained on up to 30 seconds and slow down with length.
const longestMs = 20_000
// A cut falls into the last quarter of a long piece.
const cutsFromMs = 15_000

type State =
  | { readonly is: 'quiet' }
  | { readonly is: 'speaking'; readonly fromMs: number }
  | { readonly is: 'pausing'; readonly fromMs: number; readonly endedMs: number; readonly toMs: number }

export class Segmenter {
  readonly #endpointingMs: number
  #state: State = { is: 'quiet' }
  #quietest = { probability: 1, atMs: 0 }
  /** The end of the last utterance: nothing before it is recognised again. */
  #doneMs = 0

  constructor(endpointingMs: number) {
    this.#endpointingMs = endpointingMs
  }

  /** Takes an event of the detector. `writtenMs`: the audio so far; the detector always lags slightly behind. */
  hear(event: VoiceEvent, writtenMs: number): SegmentStep[] {
    switch (event.type) {
      case 'speech-start':
        return this.#start(event.atMs)
      case 'speech-end':
        return this.#pause(event.atMs, writtenMs)
      case 'probability':
        return this.#pass(event.probability, event.atMs)
      case 'failed':
        return []
    }
  }

  /** Ends the utterance now, however short the silence after it. */
  finalize(writtenMs: number): SegmentStep[] {
    if (this.#state.is === 'pausing') return this.#end(this.#state.toMs)
    if (this.#state.is === 'quiet') return []
    return this.#cut(this.#state.fromMs, writtenMs)
  }

  /** Ends the audio, and with it an open utterance. */
  finish(writtenMs: number): SegmentStep[] {
    const state = this.#state
    if (state.is === 'quiet') return []
    if (state.is === 'pausing') return this.#end(state.toMs)
    return [...this.#pause(writtenMs, writtenMs), ...this.#end(writtenMs)]
  }

  #start(atMs: number): SegmentStep[] {
    const state = this.#state
    if (state.is === 'speaking') return []
    if (state.is === 'pausing') return this.#resume(state.fromMs, state.toMs)
    const fromMs = Math.max(this.#doneMs, atMs - marginMs)
    this.#speak(fromMs)
    return [{ type: 'begun', fromMs }]
  }

  #resume(fromMs: number, toMs: number): SegmentStep[] {
    if (toMs - fromMs < keptFromMs) {
      this.#state = { is: 'speaking', fromMs }
      return [{ type: 'resumed' }]
    }
    this.#speak(toMs)
    return [{ type: 'kept', toMs }]
  }

  #speak(fromMs: number): void {
    this.#state = { is: 'speaking', fromMs }
    this.#quietest = { probability: 1, atMs: fromMs }
  }

  #pause(endedMs: number, writtenMs: number): SegmentStep[] {
    if (this.#state.is !== 'speaking') return []
    const { fromMs } = this.#state
    const toMs = Math.min(writtenMs, endedMs + marginMs)
    this.#state = { is: 'pausing', fromMs, endedMs, toMs }
    return [{ type: 'paused', fromMs, endedMs, toMs }]
  }

  #end(doneMs: number): SegmentStep[] {
    this.#doneMs = doneMs
    this.#state = { is: 'quiet' }
    return [{ type: 'ended' }]
  }

  #pass(probability: number, atMs: number): SegmentStep[] {
    const state = this.#state
    if (state.is === 'quiet') return []
    if (state.is === 'pausing') {
      return atMs >= state.endedMs + this.#endpointingMs ? this.#end(state.toMs) : []
    }
    if (atMs - state.fromMs > cutsFromMs && probability <= this.#quietest.probability)
      this.#quietest = { probability, atMs }
    // Cuts at the position that is least likely to be speech, probably between two words.
    return atMs - state.fromMs > longestMs ? this.#cut(state.fromMs, this.#quietest.atMs) : []
  }

  #cut(fromMs: number, toMs: number): SegmentStep[] {
    this.#speak(toMs)
    return [{ type: 'cut', fromMs, toMs }]
  }
}
