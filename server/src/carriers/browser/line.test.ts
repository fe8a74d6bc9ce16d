// A browser's line: answered when its sound travels and the agent can speak, whichever comes last.
import { MessageChannel } from 'node:worker_threads'
import { webSound } from '@parley/contract/web-sound'
import { afterEach, expect, it, vi } from 'vitest'
import { makeFrame } from '../../media/frame.ts'
import type { LineEvent } from '../../ports/line.ts'
import { FrameRing, makeRing } from './frame-ring.ts'
import { openBrowserLine } from './line.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** A page that sends its sound over the socket. */
function setUp() {
  const { port1: page, port2: port } = new MessageChannel()
  const link = { port, up: makeRing(), down: makeRing() }
  const events: LineEvent[] = []
  const heard: number[] = []
  const ticking = new Set<(dueMs: number) => void>()
  const line = openBrowserLine(
    link,
    's-1',
    { onEvent: (event) => events.push(event), onFrame: ({ samples }) => heard.push(samples[0] ?? 0) },
    {
      peers: { warm() {}, open: () => ({ signal() {}, send() {}, close() {} }), close() {} },
      ticker: {
        add(onTick) {
          ticking.add(onTick)
          return { end: () => void ticking.delete(onTick) }
        },
      },
    },
  )
  const up = new FrameRing(link.up)
  let nowMs = performance.now()
  const sound = makeFrame(webSound.rateHz)
  const says = (level: number, frames = 10) => {
    for (let n = 0; n < frames; n++) {
      up.write(sound.samples.fill(level))
      nowMs += 20
      for (const onTick of ticking) onTick(nowMs)
    }
  }
  const types = () => events.map(({ type }) => type)
  cleanups.push(
    () => line.hangUp(),
    () => page.close(),
  )
  return { line, page, says, types, heard }
}

it('is not answered before the agent can speak, and what was said until then is not heard later', async () => {
  const { line, page, says, types, heard } = setUp()
  page.postMessage({ type: 'pcm' })
  await vi.waitFor(() => says(1_000, 1))
  says(1_000, 40)
  expect(types()).toEqual([])
  line.pickUp?.()
  expect(types()).toEqual(['answered'])
  says(2_000, 20)
  expect(heard).toContain(2_000)
  expect(heard).not.toContain(1_000)
})

it('is not answered before its sound travels, and once', async () => {
  const { line, page, says, types } = setUp()
  line.pickUp?.()
  expect(types()).toEqual([])
  page.postMessage({ type: 'pcm' })
  await vi.waitFor(() => {
    says(1_000, 1)
    expect(types()).toEqual(['answered'])
  })
  line.pickUp?.()
  says(1_000)
  expect(types()).toEqual(['answered'])
})
