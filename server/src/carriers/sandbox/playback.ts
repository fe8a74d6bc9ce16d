// Plays everything that is heard of a callee: one thing at a time, as frames.
import type { RateHz } from '../../media/frame.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { CalleeAct } from './script.ts'
import type { MakeSound } from './sounds.ts'
import { keySource, type SoundSource, SynthesisSource, soundSource } from './sources.ts'

export interface CalleePlaybackParts {
  readonly rateHz: RateHz
  readonly synthesizer: TextSynthesizer
  readonly voice: string
  readonly sounds: Readonly<Record<string, MakeSound>>
  readonly signal: AbortSignal
  readonly onKey: (key: string) => void
  readonly onFailure: (error: unknown) => void
}

const nothing = new Int16Array(1)

export class CalleePlayback {
  readonly #parts: CalleePlaybackParts
  /** Speech that is synthesized ahead, so that it can be played at once. */
  #prepared: { readonly text: string; readonly speech: SynthesisSource } | undefined
  #playing: SoundSource | undefined

  constructor(parts: CalleePlaybackParts) {
    this.#parts = parts
  }

  perform(act: Extract<CalleeAct, { do: 'prepare' | 'say' | 'sound' | 'press' | 'hold' }>): void {
    const { rateHz, sounds, onKey } = this.#parts
    switch (act.do) {
      case 'prepare':
        this.#prepared?.speech.drop()
        this.#prepared = { text: act.text, speech: this.#speech(act.text) }
        return
      case 'say':
        this.#playing = this.#take(act.text)
        return
      case 'sound':
        this.#playing = soundSource(sounds[act.name]?.(rateHz) ?? new Int16Array(), act.forMs)
        return
      case 'press':
        this.#playing = keySource(act.keys, rateHz, onKey)
        return
      case 'hold':
        this.#playing = soundSource((act.sound !== null && sounds[act.sound]?.(rateHz)) || nothing, act.ms)
    }
  }

  /** Writes the next 20 ms over `samples`; true once when playback has finished. */
  fill(samples: Int16Array): boolean {
    if (this.#playing?.fill(samples)) return false
    samples.fill(0)
    const finished = this.#playing !== undefined
    this.#playing = undefined
    return finished
  }

  close(): void {
    this.#prepared?.speech.drop()
    if (this.#playing instanceof SynthesisSource) this.#playing.drop()
    this.#playing = undefined
  }

  #take(text: string): SynthesisSource {
    const prepared = this.#prepared
    this.#prepared = undefined
    if (prepared?.text === text) return prepared.speech
    prepared?.speech.drop()
    return this.#speech(text)
  }

  #speech(text: string): SynthesisSource {
    const { synthesizer, voice, rateHz, signal, onFailure } = this.#parts
    return new SynthesisSource(synthesizer.synthesize(text, { voice, rateHz }, signal), onFailure)
  }
}
