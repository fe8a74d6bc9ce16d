// What a callee can play, frame by frame: a sound, keys, and speech that is still being synthesized.
import { DtmfPlayer } from '../../media/dtmf.ts'
import { type Frame, frameMs, type RateHz } from '../../media/frame.ts'

export interface SoundSource {
  /** Writes the next 20 ms over `samples`; false when nothing was left. */
  fill(samples: Int16Array): boolean
}

/** Without `forMs` it plays once; with it, it loops until then. */
export function soundSource(sound: Int16Array, forMs: number | null): SoundSource {
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
export function keySource(keys: string, rateHz: RateHz, onKey: (key: string) => void): SoundSource {
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
export class SynthesisSource implements SoundSource {
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
