// One call's ears, with a recognizer that answers when it is told to.
import { beforeEach, expect, it } from 'vitest'
import type { TranscriptEvent } from '../../../ports/transcriber.ts'
import { Utterances } from './utterances.ts'

interface Asked {
  readonly ms: number
  readonly signal: AbortSignal
  readonly answer: (text: string) => void
  readonly fail: (error: Error) => void
}

let asked: Asked[]
let events: (TranscriptEvent | { type: 'end' } | { type: 'failure'; reason: string })[]
let idle: boolean
let utterances: Utterances
let nowMs: number

beforeEach(() => {
  asked = []
  events = []
  idle = true
  nowMs = 0
  utterances = new Utterances(
    {
      get idle() {
        return idle
      },
      recognise(segment, signal) {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        signal.addEventListener('abort', () => reject(signal.reason))
        asked.push({ ms: segment.length / 16, signal, answer: resolve, fail: reject })
        return promise
      },
    },
    {
      rateHz: 16_000,
      endpointingMs: 500,
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
      onEnd: () => events.push({ type: 'end' }),
      onFailure: (error) => events.push({ type: 'failure', reason: error.message }),
    },
  )
})

const settled = () => new Promise((done) => setImmediate(done))

/** Sound goes by, and the detector hears it. */
async function pass(untilMs: number): Promise<void> {
  while (nowMs < untilMs) {
    for (const _ of [1, 2]) utterances.write({ samples: new Int16Array(256), rateHz: 16_000 })
    nowMs += 32
    utterances.hear({ type: 'probability', probability: 0.5, atMs: nowMs })
    await settled()
  }
}

async function sentence(fromMs: number, toMs: number): Promise<void> {
  await pass(fromMs + 64)
  utterances.hear({ type: 'speech-start', atMs: fromMs })
  await pass(toMs + 96)
  utterances.hear({ type: 'speech-end', atMs: toMs })
}

it('recognises while the silence goes by and tells the words when it is certain', async () => {
  idle = false
  await sentence(1000, 2000)
  await pass(2300)
  expect(asked.map(({ ms }) => ms)).toEqual([1400])
  asked[0]?.answer('hello')
  await settled()
  expect(events).toEqual([{ type: 'speech-started' }])
  await pass(2600)
  expect(events.slice(1)).toEqual([{ type: 'final', text: 'hello' }, { type: 'speech-ended' }])
})

it('forgets what it recognised when the speaker goes on', async () => {
  idle = false
  await sentence(1000, 2000)
  await pass(2250)
  await sentence(2300, 3000)
  await pass(3600)
  expect(asked[0]?.signal.aborted).toBe(true)
  asked[1]?.answer('hello there')
  await settled()
  expect(events.filter(({ type }) => type === 'final')).toEqual([{ type: 'final', text: 'hello there' }])
})

it('asks for a partial only when the recognizer has nothing else to do', async () => {
  idle = false
  await pass(1064)
  utterances.hear({ type: 'speech-start', atMs: 1000 })
  await pass(3000)
  expect(asked).toEqual([])
  idle = true
  await pass(3032)
  asked[0]?.answer('hel')
  await settled()
  expect(events.at(-1)).toEqual({ type: 'partial', text: 'hel' })
})

it('breaks off a partial when the speaker pauses', async () => {
  await sentence(1000, 2000)
  await pass(2300)
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
})

it('tells finals in the order in which they were said', async () => {
  idle = false
  await sentence(1000, 2000)
  await pass(2600)
  await sentence(3000, 4000)
  await pass(4600)
  asked[1]?.answer('second')
  await settled()
  expect(events.some(({ type }) => type === 'final')).toBe(false)
  asked[0]?.answer('first')
  await settled()
  const finals = events.flatMap((event) => (event.type === 'final' ? [event.text] : []))
  expect(finals).toEqual(['first', 'second'])
})

it('finishes with what is open, and then ends', async () => {
  idle = false
  await pass(1064)
  utterances.hear({ type: 'speech-start', atMs: 1000 })
  await pass(1600)
  utterances.finish(32)
  asked[0]?.answer('goodb')
  await settled()
  expect(events.slice(1)).toEqual([
    { type: 'final', text: 'goodb' },
    { type: 'speech-ended' },
    { type: 'end' },
  ])
})

it('tells why a final cannot be had', async () => {
  idle = false
  await sentence(1000, 2000)
  await pass(2600)
  asked[0]?.fail(new Error('the speech recognizer has too much to do'))
  await settled()
  expect(events).toContainEqual({ type: 'failure', reason: 'the speech recognizer has too much to do' })
})

it('keeps about a minute of sound under a detector that hears nothing', () => {
  for (let i = 0; i < 50 * 600; i++) utterances.write({ samples: new Int16Array(320), rateHz: 16_000 })
  expect(utterances.keptMs).toBeLessThan(65_000)
})
