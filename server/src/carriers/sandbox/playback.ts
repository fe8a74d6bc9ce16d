// Plays everything that is heard of a callee: one thing at a time, as frames.
import { DtmfPlayer } from '../../media/dtmf.ts'
import { type Frame, frameMs, type RateHz } from '../../media/frame.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { CalleeAct } from './script.ts'
import type { MakeSound } from './sounds.ts'

interface SoundSource {
  /** Writes the next 20 ms over `samples`; false when nothing was left. */
  fill(samples: Int16Array): boolean
}

/** Without `forMs` it plays once; with it, it loops until then. */
function soundSource(sound: Int16Array, forMs: number | null): SoundSource {
  let at = 0
  let playedMs = 0
  return {
    fill(samples) {
      if (forMs === null ? at >= sound.length : playedMs >= forMs) return false
      for (let i = 0; i < samples.length; i++, at++)
        samples[i] = forMs === null ? (sound[at] ?? 0) : (sound[at % sound.length] ?? 0)
      playedMs += frameMs
      return true
    },
  }
}

/** Each key is reported when its tone begins. */
function keySource(keys: string, rateHz: RateHz, onKey: (key: string) => void): SoundSource {
  const waiting = [...keys]
  let player: DtmfPlayer | undefined
  return {
    fill(samples) {
      if (!player || player.done) {
        const key = waiting.shift()
        if (key === undefined) return false
        player = new DtmfPlayer(key, rateHz)
        onKey(key)
      }
      player.fill(samples)
      return true
    },
  }
}

// At most two seconds of speech are buffered; the synthesizer continues when there is room again.
const framesAhead = 100

/** Speech that is played as it is synthesized, with silence while it is late. */
class SynthesisSource implements SoundSource {
  readonly #frames: Frame[] = []
  #state: 'coming' | 'whole' | 'dropped' = 'coming'
  #goOn: () => void = () => {}

  constructor(speech: AsyncIterable<Frame>, onFailure: (error: unknown) => void) {
    this.#gather(speech).catch(onFailure)
  }

  fill(samples: Int16Array): boolean {
    const frame = this.#frames.shift()
    if (frame) samples.set(frame.samples)
    else samples.fill(0)
    this.#goOn()
    return frame !== undefined || this.#state === 'coming'
  }

  /** Drops the rest and releases the synthesizer. */
  drop(): void {
    this.#state = 'dropped'
    this.#frames.length = 0
    this.#goOn()
  }

  async #gather(speech: AsyncIterable<Frame>): Promise<void> {
    for await (const frame of speech) {
      if (this.#state === 'dropped') return
      this.#frames.push(frame)
      while (this.#frames.length >= framesAhead)
        await new Promise<void>((done) => {
          this.#goOn = done
        })
    }
    this.#state = 'whole'
  }
}

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
