// Which stretch of the sound is one utterance: pure, from what the voice detector says.
import type { VoiceEvent } from '../../../ports/voice-detector.ts'

/** Places in the sound, in ms since its beginning. */
export type SegmentStep =
  | { readonly type: 'begun'; readonly fromMs: number }
  /** Perhaps the end: time to recognise, while the silence that makes it certain goes by. */
  | { readonly type: 'paused'; readonly fromMs: number; readonly toMs: number }
  | { readonly type: 'resumed' }
  | { readonly type: 'ended' }
  /** Too long for one piece: this much is one, the next begins where it ends. */
  | { readonly type: 'cut'; readonly fromMs: number; readonly toMs: number }

// The recognizer wants a little silence on both sides of the voice.
export const marginMs = 200
// Moonshine was trained on pieces of up to half a minute and slows down with their length.
const longestMs = 20_000
// Where a cut may fall: the second half of a long piece.
const cutsFromMs = 10_000

type State =
  | { readonly is: 'quiet' }
  | { readonly is: 'speaking'; readonly fromMs: number }
  | { readonly is: 'pausing'; readonly fromMs: number; readonly endedMs: number; readonly told: boolean }

export class Segmenter {
  readonly #endpointingMs: number
  #state: State = { is: 'quiet' }
  #quietest = { probability: 1, atMs: 0 }

  constructor(endpointingMs: number) {
    this.#endpointingMs = endpointingMs
  }

  hear(event: VoiceEvent): SegmentStep[] {
    switch (event.type) {
      case 'speech-start':
        return this.#start(event.atMs)
      case 'speech-end':
        if (this.#state.is === 'speaking')
          this.#state = { is: 'pausing', fromMs: this.#state.fromMs, endedMs: event.atMs, told: false }
        return []
      case 'probability':
        return this.#pass(event.probability, event.atMs)
      case 'failed':
        return []
    }
  }

  /** The sound is over: what is open ends here. */
  finish(atMs: number): SegmentStep[] {
    const state = this.#state
    this.#state = { is: 'quiet' }
    if (state.is === 'quiet') return []
    if (state.is === 'pausing' && state.told) return [{ type: 'ended' }]
    return [{ type: 'paused', fromMs: state.fromMs, toMs: atMs }, { type: 'ended' }]
  }

  #start(atMs: number): SegmentStep[] {
    const state = this.#state
    if (state.is === 'speaking') return []
    const fromMs = state.is === 'pausing' ? state.fromMs : Math.max(0, atMs - marginMs)
    this.#state = { is: 'speaking', fromMs }
    if (state.is === 'pausing') return state.told ? [{ type: 'resumed' }] : []
    this.#quietest = { probability: 1, atMs: fromMs }
    return [{ type: 'begun', fromMs }]
  }

  #pass(probability: number, atMs: number): SegmentStep[] {
    const state = this.#state
    if (state.is === 'speaking') return this.#cut(state.fromMs, probability, atMs)
    if (state.is === 'quiet') return []
    const steps: SegmentStep[] = []
    const { fromMs, endedMs } = state
    if (!state.told && atMs >= endedMs + marginMs) {
      steps.push({ type: 'paused', fromMs, toMs: endedMs + marginMs })
      this.#state = { ...state, told: true }
    }
    if (atMs >= endedMs + Math.max(this.#endpointingMs, marginMs)) {
      steps.push({ type: 'ended' })
      this.#state = { is: 'quiet' }
    }
    return steps
  }

  /** At the least voiced place of the later half, most likely between two words. */
  #cut(fromMs: number, probability: number, atMs: number): SegmentStep[] {
    if (atMs - fromMs > cutsFromMs && probability <= this.#quietest.probability)
      this.#quietest = { probability, atMs }
    if (atMs - fromMs <= longestMs) return []
    const toMs = this.#quietest.atMs
    this.#state = { is: 'speaking', fromMs: toMs }
    this.#quietest = { probability: 1, atMs: toMs }
    return [{ type: 'cut', fromMs, toMs }]
  }
}
