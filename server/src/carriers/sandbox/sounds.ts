// Sounds on a line besides speech: a cough, a door, an answering machine's beep, hold music, ring-back.
import type { RateHz } from '../../media/frame.ts'
import { holdMusic } from '../../media/hold-music.ts'

/** The same sequence of numbers, 0 to 1, for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Resonance {
  readonly hz: number
  /** Bandwidth: the smaller, the longer it rings. */
  readonly widthHz: number
}

/** A two-pole band-pass with about unity gain at its centre; keeps its state between calls. */
export function resonator({ hz, widthHz }: Resonance, rateHz: number): (sample: number) => number {
  const angle = (2 * Math.PI * hz) / rateHz
  const alpha = Math.sin(angle) * Math.sinh((widthHz / hz) * 0.5)
  const norm = 1 + alpha
  let in1 = 0
  let in2 = 0
  let out1 = 0
  let out2 = 0
  return (sample) => {
    const out = (alpha * (sample - in2) + 2 * Math.cos(angle) * out1 - (1 - alpha) * out2) / norm
    in2 = in1
    in1 = sample
    out2 = out1
    out1 = out
    return out
  }
}

/** Scales the loudest sample to the peak, as 16 bits. */
function atPeak(sound: Float64Array, peak: number): Int16Array {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const gain = loudest === 0 ? 0 : peak / loudest
  return Int16Array.from(sound, (sample) => Math.round(sample * gain))
}

export type MakeSound = (rateHz: RateHz) => Int16Array

const soundOf = (rateHz: number, seconds: number, at: (second: number, place: number) => number) =>
  Float64Array.from({ length: Math.round(rateHz * seconds) }, (_, place) => at(place / rateHz, place))

/** Two bursts of filtered noise. */
function cough(rateHz: RateHz): Int16Array {
  const chance = seeded(7)
  const throat = [
    { hz: 480, widthHz: 220 },
    { hz: 1_250, widthHz: 400 },
    { hz: 2_600, widthHz: 900 },
  ].map((resonance) => resonator(resonance, rateHz))
  const burst = (second: number, fromSecond: number, strength: number) => {
    const sinceMs = (second - fromSecond) * 1000
    return sinceMs < 0 ? 0 : strength * Math.min(1, sinceMs / 8) * Math.exp(-sinceMs / 55)
  }
  const breath = soundOf(rateHz, 0.6, (second) => {
    const noise = (chance() - 0.5) * (burst(second, 0.01, 1) + burst(second, 0.28, 0.7))
    return throat.reduce((sum, resonance) => sum + resonance(noise), 0)
  })
  return atPeak(breath, 13_000)
}

/** A thud, and the latch. */
function door(rateHz: RateHz): Int16Array {
  const chance = seeded(11)
  const wood = resonator({ hz: 110, widthHz: 60 }, rateHz)
  const latch = resonator({ hz: 1_900, widthHz: 700 }, rateHz)
  const slam = soundOf(rateHz, 0.7, (second) => {
    const noise = chance() - 0.5
    const thud = wood(noise * Math.exp(-second / 0.03)) * 4
    const click = second < 0.12 ? 0 : latch(noise * Math.exp(-(second - 0.12) / 0.012)) * 0.6
    return thud + click
  })
  return atPeak(slam, 14_000)
}

// The pitch and length of an answering machine's beep.
const beepHz = 1_000
const beepSeconds = 0.5
const edgeSeconds = 0.01

interface Tone {
  readonly hz: number
  readonly seconds: number
}

/** Tones one after the other, with soft edges. */
const tones = (rateHz: RateHz, ...list: readonly Tone[]): Int16Array =>
  Int16Array.from(
    list.flatMap(({ hz, seconds }) => [
      ...soundOf(rateHz, seconds, (second) => {
        const edge = Math.min(1, second / edgeSeconds, (seconds - second) / edgeSeconds)
        return Math.round(9_000 * edge * Math.sin(2 * Math.PI * hz * second))
      }),
    ]),
  )

const beep = (rateHz: RateHz) => tones(rateHz, { hz: beepHz, seconds: beepSeconds })

/** The call-waiting tone of North America; elsewhere it has 400 to 450 Hz too. */
const callWaiting = (rateHz: RateHz) => tones(rateHz, { hz: 440, seconds: 0.3 })

/** The tones before the announcement that a call cannot be completed (ITU-T E.180). */
const informationTones = (rateHz: RateHz) =>
  tones(rateHz, { hz: 950, seconds: 0.33 }, { hz: 1_400, seconds: 0.33 }, { hz: 1_800, seconds: 0.33 })

// The North American cadence: two tones, two seconds of every six.
const ringBackHz = [440, 480] as const
const ringBackSeconds = { on: 2, whole: 6 }

function ringBack(rateHz: RateHz): Int16Array {
  const tones = soundOf(rateHz, ringBackSeconds.whole, (second) =>
    second < ringBackSeconds.on
      ? ringBackHz.reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * second), 0)
      : 0,
  )
  return atPeak(tones, 6_000)
}

export const ownSounds: Readonly<Record<string, MakeSound>> = {
  cough,
  door,
  beep,
  call_waiting: callWaiting,
  information_tones: informationTones,
  hold_music: holdMusic,
  ring_back: ringBack,
}
