// The four ambience tracks: their sounds and relative levels.
import { resonator, seeded } from '../../server/src/carriers/sandbox/sounds.ts'
import { chain, highPass, Loop, lowPass, rateHz, room, seconds } from './loop.ts'

/** Sentences of different speakers, each normalised to RMS 1. */
export type Speakers = readonly Float64Array[]

type Chance = () => number

/** Babble: sentences spread over the loop, near and far. */
function babble(speakers: Speakers, sentences: number, chance: Chance): Loop {
  const loop = new Loop()
  for (let i = 0; i < sentences; i++) {
    const speaker = speakers[Math.floor(chance() * speakers.length)]
    if (speaker) loop.add(speaker, chance() * seconds, 0.3 + 0.7 * chance())
  }
  return loop.atOne()
}

function noise(chance: Chance): Loop {
  const loop = new Loop()
  for (let i = 0; i < loop.samples.length; i++) loop.samples[i] = chance() - 0.5
  return loop
}

/** A struck object: its resonances, decaying. */
function struck(tonesHz: readonly number[], decaySeconds: number): Float64Array {
  const sound = new Float64Array(Math.round(rateHz * decaySeconds * 6))
  return sound.map((_, i) => {
    const second = i / rateHz
    const tones = tonesHz.reduce((sum, hz, nth) => sum + Math.sin(2 * Math.PI * hz * second) / (nth + 1), 0)
    return Math.min(1, second / 0.001) * Math.exp(-second / decaySeconds) * tones
  })
}

/** A short noise through a resonance: a key press, a footstep. */
function knock(hz: number, widthHz: number, decaySeconds: number, chance: Chance): Float64Array {
  const body = resonator({ hz, widthHz }, rateHz)
  const sound = new Float64Array(Math.round(rateHz * decaySeconds * 8))
  return sound.map((_, i) => body((chance() - 0.5) * Math.exp(-i / rateHz / decaySeconds)))
}

/** At irregular times, like human activity. */
function scattered(count: number, make: () => Float64Array, chance: Chance): Loop {
  const loop = new Loop()
  for (let i = 0; i < count; i++) loop.add(make(), chance() * seconds, 0.4 + 0.6 * chance())
  return loop.atOne()
}

/** A whole number of periods, so that the loop closes. */
function hum(hz: number): Loop {
  const loop = new Loop()
  const whole = Math.round(hz * seconds) / seconds
  const tone = loop.samples.map(
    (_, i) =>
      Math.sin((2 * Math.PI * whole * i) / rateHz) + 0.4 * Math.sin((4 * Math.PI * whole * i) / rateHz),
  )
  loop.add(tone, 0, 1)
  return loop.atOne()
}

/** Fades in and out around `atSecond`; `wide` is the duration. */
const passing = (atSecond: number, wide: number) => (second: number) => {
  const apart = Math.abs(((second - atSecond + 1.5 * seconds) % seconds) - seconds / 2)
  return 1 / (1 + (apart / wide) ** 4)
}

function mixed(...parts: readonly (readonly [Loop, number])[]): Loop {
  const loop = new Loop()
  for (const [part, gain] of parts) loop.mix(part, gain)
  return loop
}

function conventionHall(speakers: Speakers): Loop {
  const chance = seeded(1)
  const crowd = babble(speakers, 90, chance)
    .through(chain(room(2.2, 0.85), lowPass(1_600), highPass(120)))
    .atOne()
  const air = noise(chance).through(lowPass(180)).atOne()
  const steps = scattered(14, () => knock(210, 120, 0.02, chance), chance)
    .through(room(2.2, 0.6))
    .atOne()
  return mixed([crowd, 1], [air, 0.5], [steps, 0.12])
}

function office(speakers: Speakers): Loop {
  const chance = seeded(2)
  const colleagues = babble(speakers, 7, chance)
    .through(chain(room(0.5, 0.8), lowPass(700), highPass(150)))
    .atOne()
  const air = noise(chance)
    .through(chain(lowPass(350), highPass(60)))
    .atOne()
  const keys = scattered(46, () => knock(2_600 + 900 * chance(), 1_200, 0.006, chance), chance)
    .through(room(0.4, 0.3))
    .atOne()
  return mixed([colleagues, 0.3], [air, 1], [hum(100), 0.25], [keys, 0.4])
}

function cafe(speakers: Speakers): Loop {
  const chance = seeded(3)
  const guests = babble(speakers, 40, chance)
    .through(chain(room(0.7, 0.7), lowPass(2_600), highPass(150)))
    .atOne()
  const cups = scattered(
    11,
    () =>
      struck(
        [2_350, 3_870, 5_220].map((hz) => hz * (0.9 + 0.3 * chance())),
        0.06,
      ),
    chance,
  )
  const steam = noise(chance)
    .through(chain(highPass(3_500), lowPass(6_500)))
    .atOne()
    .shape(passing(6.5, 1.1))
  const air = noise(chance).through(lowPass(250)).atOne()
  return mixed([guests, 1], [cups.through(room(0.7, 0.4)).atOne(), 0.35], [steam, 0.4], [air, 0.4])
}

function street(): Loop {
  const chance = seeded(4)
  const town = noise(chance)
    .through(chain(lowPass(220), lowPass(500)))
    .atOne()
  const cars = [
    [1.6, 0.9, 700],
    [4.9, 1.4, 450],
    [8.1, 0.7, 950],
  ].map(([at = 0, wide = 1, hz = 500]) =>
    noise(chance)
      .through(chain(lowPass(hz), lowPass(hz * 2), highPass(70)))
      .atOne()
      .shape(passing(at, wide)),
  )
  const shoes = new Loop()
  for (let at = 0; at < seconds; at += 0.5)
    shoes.add(knock(900, 600, 0.012, chance), at + 0.03 * chance(), 0.7 + 0.3 * chance())
  const horn = new Loop()
  horn.add(struck([392, 494], 0.12), 7, 1)
  return mixed(
    [town, 1],
    ...cars.map((car) => [car, 1.3] as const),
    [shoes.atOne(), 0.15],
    [horn.through(room(1.2, 0.7)).atOne(), 0.08],
  )
}

export const tracks = { convention_hall: conventionHall, office, cafe, street } as const
