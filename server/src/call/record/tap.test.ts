// Listening in: what is heard, and what it costs while nobody listens.
import { describe, expect, it } from 'vitest'
import { makeFrame } from '../../media/frame.ts'
import type { RecordingSink } from '../../ports/recording.ts'
import { Tap } from './tap.ts'

const frame = (value: number) => {
  const made = makeFrame(8_000)
  made.samples.fill(value)
  return made
}

function tapped() {
  const recorded: number[] = []
  const heard: number[][] = []
  const sink: RecordingSink = {
    write: ({ samples }) => void recorded.push(samples[0] as number),
    async close() {},
    async flushed() {},
    async discard() {},
  }
  const tap = new Tap((samples, rateHz) => heard.push([rateHz, samples.length, ...new Set(samples)]))
  return { tap, heard, recorded, recording: tap.over(() => sink)(8_000) }
}

describe('a tap', () => {
  it('gives both sides together in pieces of 60 ms, and nothing while it is closed', () => {
    const { tap, heard, recorded, recording } = tapped()
    recording.write(frame(1), frame(1))
    tap.open(true)
    for (let i = 0; i < 7; i++) recording.write(frame(100), frame(20))
    tap.open(false)
    for (let i = 0; i < 7; i++) recording.write(frame(1), frame(1))
    expect(heard).toEqual([
      [8_000, 480, 120],
      [8_000, 480, 120],
    ])
    expect(recorded).toHaveLength(15)
  })

  it('begins anew when it is opened again', () => {
    const { tap, heard, recording } = tapped()
    tap.open(true)
    recording.write(frame(5), frame(0))
    tap.open(false)
    tap.open(true)
    for (let i = 0; i < 3; i++) recording.write(frame(7), frame(0))
    expect(heard).toEqual([[8_000, 480, 7]])
  })
})
