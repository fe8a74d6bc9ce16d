// What a call tells of sound that left late, and when its caller's sound had come.
import { describe, expect, it } from 'vitest'
import type { CallUpdate } from '../../ports/call.ts'
import { ArrivalTimes } from './arrival-times.ts'
import { LateSound } from './late-sound.ts'
import { Stopwatch } from './stopwatch.ts'

function watched() {
  const updates: CallUpdate[] = []
  const clock = { nowMs: 5_000, lateMs: 0 }
  const late = new LateSound(clock, (update) => updates.push(update))
  const tick = (ms = 20, lateMs = 0) => {
    clock.nowMs += ms
    clock.lateMs = lateMs
    late.tick()
  }
  const run = (ticks: number) => {
    for (let n = 0; n < ticks; n++) tick()
  }
  const told = () =>
    updates.reduce<[number, number]>(
      ([frames, firsts], update) =>
        update.type === 'late-sound'
          ? [frames + update.frames, firsts + update.firstSounds]
          : [frames, firsts],
      [0, 0],
    )
  const notes = () => updates.flatMap((update) => (update.type === 'note' ? [update.note] : []))
  return { late, tick, run, told, notes, updates }
}

describe('late sound', () => {
  it('is what was never sent, and what left more than 20 ms late', () => {
    const { late, tick, run, told } = watched()
    run(100)
    tick(20, 19)
    tick(20, 20.5)
    tick(20 * 7, 3)
    late.began()
    run(1)
    late.began()
    run(60)
    late.close()
    expect(told()).toEqual([7, 1])
    expect(late.notable).toBeUndefined()
  })

  it('is told live, at most once a second, and to the end', () => {
    const { late, tick, updates, told } = watched()
    for (let n = 0; n < 130; n++) tick(40)
    expect(updates.length).toBeGreaterThanOrEqual(5)
    expect(updates.length).toBeLessThanOrEqual(6)
    tick(60)
    late.close()
    expect([told()[0], late.notable]).toEqual([131, 131])
  })

  it('is noted in the record if it was more than a hiccup', () => {
    const bad = watched()
    for (let n = 0; n < 1_212; n++) bad.tick(40)
    bad.late.close()
    expect(bad.notes()).toEqual(['The machine was overloaded: 1,211 frames of sound were late.'])
    const hiccup = watched()
    hiccup.run(50)
    hiccup.tick(20 * 20)
    hiccup.late.close()
    expect(hiccup.notes()).toEqual([])
    const once = watched()
    once.run(50 * 60 * 60)
    once.tick(20 * 200)
    once.late.close()
    expect(once.notes()).toEqual([])
  })
})

describe('an answer', () => {
  it('is measured from where the sound reached the line to when the first frame left', () => {
    const clock = { nowMs: 0, lateMs: 0 }
    const stopwatch = new Stopwatch(clock)
    const arrivals = new ArrivalTimes()
    for (let heardMs = 1_020; heardMs <= 4_000; heardMs += 20)
      arrivals.note(heardMs, heardMs < 2_000 ? heardMs - 60 : heardMs - 180)
    clock.nowMs = 3_000
    stopwatch.taken({ generation: 4, turn: 2, endMs: arrivals.of(2_400), wordsMs: 2_950 })
    clock.nowMs = 3_400
    clock.lateMs = 17.4
    expect(stopwatch.heard(4)).toMatchObject({ totalMs: 1_197, sttMs: 730, endpointingMs: 780 })
    expect(arrivals.of(1_500)).toBe(1_440)
  })
})

describe('the time of arrival', () => {
  it('is that of the frame before where the line does not say', () => {
    const arrivals = new ArrivalTimes()
    arrivals.note(500, 430)
    arrivals.note(520, undefined)
    expect(arrivals.of(520)).toBe(450)
  })

  it('is the time itself for what was not heard, or is long ago', () => {
    const arrivals = new ArrivalTimes()
    for (let heardMs = 20; heardMs <= 40_000; heardMs += 20) arrivals.note(heardMs, heardMs - 100)
    expect([arrivals.of(40_040), arrivals.of(9_000), arrivals.of(30_000)]).toEqual([40_040, 9_000, 29_900])
  })
})
