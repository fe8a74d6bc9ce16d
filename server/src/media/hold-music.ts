// Music for callers on hold: a music box over a minor pentatonic on A, rendered once for each rate.
import type { RateHz } from './frame.ts'

// Eight quarter notes, after which the melody begins again.
const melody = [0, 3, 5, 7, 10, 7, 5, 3] as const
const quarterSeconds = 0.45
const peak = 9_000

const rendered = new Map<RateHz, Int16Array>()

/** The rendered melody, which loops seamlessly. It is shared: never write into it. */
export function holdMusic(rateHz: RateHz): Int16Array {
  const known = rendered.get(rateHz) ?? render(rateHz)
  rendered.set(rateHz, known)
  return known
}

function render(rateHz: RateHz): Int16Array {
  const length = Math.round(rateHz * melody.length * quarterSeconds)
  const sound = Float64Array.from({ length }, (_, place) => struck(place / rateHz))
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  return Int16Array.from(sound, (sample) => Math.round((sample * peak) / loudest))
}

function struck(second: number): number {
  const quarter = Math.floor(second / quarterSeconds)
  const since = second - quarter * quarterSeconds
  const hz = 440 * 2 ** ((melody[quarter % melody.length] ?? 0) / 12)
  const edge = Math.min(1, since / 0.005, (quarterSeconds - since) / 0.02)
  const phase = 2 * Math.PI * hz * since
  return (
    Math.exp(-since / 0.25) *
    edge *
    (Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.15 * Math.sin(3 * phase))
  )
}

// The music is well below a voice, which comes without warning.
const gain = 0.25
// The fade is long enough not to click.
const fadeSeconds = 0.02

/** Plays the music softly, frame after frame, and fades it in and out. */
export class HoldMusicPlayer {
  readonly #music: Int16Array
  readonly #step: number
  #place = 0
  #gain = 0

  constructor(rateHz: RateHz) {
    this.#music = holdMusic(rateHz)
    this.#step = gain / (fadeSeconds * rateHz)
  }

  /** Adds the next samples of the music, while it plays and until it has faded out. */
  addTo(samples: Int16Array, isPlaying: boolean): void {
    if (!isPlaying && this.#gain === 0) return
    for (let i = 0; i < samples.length; i++) {
      this.#gain = isPlaying ? Math.min(gain, this.#gain + this.#step) : Math.max(0, this.#gain - this.#step)
      const sum = (samples[i] as number) + Math.round((this.#music[this.#place] as number) * this.#gain)
      samples[i] = Math.max(-32_768, Math.min(32_767, sum))
      this.#place = (this.#place + 1) % this.#music.length
    }
  }
}
