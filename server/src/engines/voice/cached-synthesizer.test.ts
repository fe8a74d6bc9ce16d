// The speech cache, over an engine that counts requests and produces frames on demand.
import { beforeEach, expect, it } from 'vitest'
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import { cachedSynthesizer } from './cached-synthesizer.ts'

const framesPerText = 5
const frameBytes = 320
const options = { voice: 'heart', rateHz: 8_000 } as const
const never = new AbortController().signal

let asked: { text: string; signal: AbortSignal; made: number }[]
/** Awaited before each frame. */
let gate: () => Promise<void>
let voice: TextSynthesizer

const engine: TextSynthesizer = {
  async *synthesize(text, { rateHz }, signal) {
    const ask = { text, signal, made: 0 }
    asked.push(ask)
    for (let i = 0; i < framesPerText && !signal.aborted; i++) {
      await gate()
      if (text === 'bad' && i === 2) throw new Error('the engine failed')
      ask.made++
      const frame = makeFrame(rateHz)
      frame.samples.fill(i + 1)
      yield frame
    }
  },
}

beforeEach(() => {
  asked = []
  gate = async () => {}
  voice = cachedSynthesizer(engine, { bytes: 2 * framesPerText * frameBytes })
})

async function say(
  text: string,
  how: { signal?: AbortSignal; voice?: string; rateHz?: 8_000 | 16_000 } = {},
) {
  const { signal = never, ...other } = how
  const frames: Frame[] = []
  for await (const frame of voice.synthesize(text, { ...options, ...other }, signal)) frames.push(frame)
  return frames
}

it('synthesizes the same text once', async () => {
  const first = await say('hello')
  expect(await say('hello')).toEqual(first)
  expect(first.map(({ samples }) => samples[0])).toEqual([1, 2, 3, 4, 5])
  expect(asked.length).toBe(1)
})

it('another voice or rate is a separate entry', async () => {
  await say('hello')
  await say('hello', { voice: 'fenrir' })
  expect((await say('hello', { rateHz: 16_000 }))[0]?.rateHz).toBe(16_000)
  expect(asked.length).toBe(3)
})

it('every reader gets its own frames', async () => {
  for (const { samples } of await say('hello')) samples.fill(99)
  expect((await say('hello')).map(({ samples }) => samples[0])).toEqual([1, 2, 3, 4, 5])
})

it('concurrent requests share one synthesis', async () => {
  const both = await Promise.all([say('hello'), say('hello')])
  expect(both[0]).toEqual(both[1])
  expect(asked.length).toBe(1)
})

it('a reader that stops does not affect the others', async () => {
  const caller = new AbortController()
  let release = () => {}
  gate = () => new Promise((open) => (release = open))
  const leaving = say('hello', { signal: caller.signal })
  const staying = say('hello')
  await new Promise(setImmediate)
  caller.abort()
  expect(await leaving).toEqual([])
  gate = async () => {}
  release()
  expect((await staying).length).toBe(framesPerText)
  expect(asked.length).toBe(1)
})

it('when the last reader stops, the engine is stopped and the partial result discarded', async () => {
  const caller = new AbortController()
  for await (const _ of voice.synthesize('hello', options, caller.signal)) caller.abort()
  expect(asked[0]?.signal.aborted).toBe(true)
  expect((await say('hello')).length).toBe(framesPerText)
  expect(asked.length).toBe(2)
})

it('synthesizes no more than is read', async () => {
  for await (const _ of voice.synthesize('hello', options, never)) break
  expect(asked[0]?.made).toBe(1)
})

it('a failure reaches every reader and is not cached', async () => {
  const both = await Promise.allSettled([say('bad'), say('bad')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(say('bad')).rejects.toThrow('the engine failed')
  expect(asked.length).toBe(2)
})

it('evicts the least recently used entry', async () => {
  await say('a')
  await say('b')
  await say('a')
  await say('c')
  await say('a')
  expect(asked.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  await say('b')
  expect(asked.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'b'])
})

it('speaks a text that is too large for the cache', async () => {
  voice = cachedSynthesizer(engine, { bytes: frameBytes })
  expect((await say('hello')).length).toBe(framesPerText)
  expect((await say('hello')).length).toBe(framesPerText)
  expect(asked.length).toBe(2)
})

it('an aborted request does not reach the engine', async () => {
  expect(await say('hello', { signal: AbortSignal.abort() })).toEqual([])
  expect(asked).toEqual([])
})
