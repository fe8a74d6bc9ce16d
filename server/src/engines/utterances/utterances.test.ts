// The transcription of one call, with a recognizer that answers on demand.
import { beforeEach, expect, it } from 'vitest'
import type { HeardWord, TranscriptEvent } from '../../ports/transcriber.ts'
import { EngineError } from '../engine/engine-thread.ts'
import type { RecognizedText } from './recognition-attempt.ts'
import { Utterances } from './utterances.ts'

interface AskedRecognition {
  readonly ms: number
  readonly preemptible: boolean
  readonly signal: AbortSignal
  readonly answer: (text: string, words?: readonly HeardWord[]) => void
  readonly fail: (error: Error) => void
}

let asked: AskedRecognition[]
let events: (TranscriptEvent | { type: 'end' } | { type: 'failure'; reason: string })[]
/** Whether courtesies run, or wait forever. */
let spareTime: boolean
let utterances: Utterances
let nowMs: number

beforeEach(() => {
  asked = []
  events = []
  spareTime = false
  nowMs = 0
  utterances = new Utterances(
    {
      recognise(segment, { signal, preemptible }) {
        const { promise, resolve, reject } = Promise.withResolvers<RecognizedText>()
        const answer = (text: string, words?: readonly HeardWord[]) => resolve({ text, words })
        signal.addEventListener('abort', () => reject(signal.reason))
        if (spareTime || !preemptible)
          asked.push({ ms: segment().length / 16, preemptible, signal, answer, fail: reject })
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
const finals = () => events.flatMap((event) => (event.type === 'final' ? [event.text] : []))

/** Audio passes, and the detector reports it. */
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

it('recognises as soon as the voice ends, and emits the final once the silence is long enough', async () => {
  await sentence(1000, 2000)
  expect(asked.map(({ ms }) => ms)).toEqual([2112 - 800])
  asked[0]?.answer('hello')
  await settled()
  expect(events).toEqual([{ type: 'speech-started' }, { type: 'partial', text: 'hello' }])
  await pass(2600)
  expect(events.slice(2)).toEqual([{ type: 'final', text: 'hello' }, { type: 'speech-ended' }])
  expect(asked.length).toBe(1)
})

it('words have their times in the audio of the call', async () => {
  await sentence(1000, 2000)
  // The segment begins 200 ms before the voice.
  asked[0]?.answer('hello there', [
    { text: 'hello', startMs: 250, endMs: 500 },
    { text: ' there', startMs: 500, endMs: 900 },
  ])
  await pass(2600)
  expect(events.find(({ type }) => type === 'final')).toEqual({
    type: 'final',
    text: 'hello there',
    words: [
      { text: 'hello', startMs: 1_050, endMs: 1_300 },
      { text: ' there', startMs: 1_300, endMs: 1_700 },
    ],
  })
})

it('emits an existing result at once when finalized', async () => {
  await sentence(1000, 2000)
  asked[0]?.answer('hello')
  await settled()
  utterances.finalize()
  await settled()
  expect(finals()).toEqual(['hello'])
  expect(events.at(-1)).toEqual({ type: 'speech-ended' })
  await pass(3000)
  expect(asked.length).toBe(1)
  expect(finals()).toEqual(['hello'])
})

it('emits the result when it arrives, if finalized before', async () => {
  await sentence(1000, 2000)
  utterances.finalize()
  await settled()
  expect(finals()).toEqual([])
  asked[0]?.answer('hello')
  await settled()
  expect(events).toEqual([
    { type: 'speech-started' },
    { type: 'final', text: 'hello' },
    { type: 'speech-ended' },
  ])
})

it('the next utterance does not repeat the finalized one', async () => {
  await sentence(1000, 2000)
  utterances.finalize()
  await sentence(2200, 3000)
  utterances.finalize()
  expect(asked.map(({ ms }) => ms)).toEqual([2112 - 800, 3104 - 2112])
  asked[0]?.answer('hello')
  asked[1]?.answer('there')
  await settled()
  expect(finals()).toEqual(['hello', 'there'])
})

it('discards the result when the speaker continues', async () => {
  await sentence(1000, 2000)
  await pass(2250)
  await sentence(2300, 3000)
  await pass(3600)
  expect(asked[0]?.signal.aborted).toBe(true)
  asked[1]?.answer('hello there')
  await settled()
  expect(finals()).toEqual(['hello there'])
})

it('a long piece before a pause is not recognised again, and is part of the final', async () => {
  await sentence(1000, 4000)
  await sentence(4300, 5000)
  expect(asked[0]?.signal.aborted).toBe(false)
  expect(asked.map(({ ms }) => ms)).toEqual([4096 - 800, 5120 - 4096])
  asked[1]?.answer('and there')
  await settled()
  expect(events).toEqual([{ type: 'speech-started' }])
  asked[0]?.answer('hello here')
  await settled()
  expect(events.at(-1)).toEqual({ type: 'partial', text: 'hello here and there' })
  utterances.finalize()
  await settled()
  expect(finals()).toEqual(['hello here and there'])
})

it('emits finals now and then for a speaker who only pauses briefly', async () => {
  for (let fromMs = 1000; fromMs < 50_000; fromMs += 3500) {
    await sentence(fromMs, fromMs + 3200)
    asked.at(-1)?.answer('and')
    await settled()
  }
  expect(finals().length).toBe(2)
})

it('requests preemptible partials, now and then', async () => {
  spareTime = true
  await pass(1064)
  utterances.hear({ type: 'speech-start', atMs: 1000 })
  await pass(1500)
  expect(asked.map(({ preemptible }) => preemptible)).toEqual([true])
  asked[0]?.answer('hel')
  await settled()
  expect(events.at(-1)).toEqual({ type: 'partial', text: 'hel' })
  await pass(2000)
  expect(asked.length).toBe(1)
  await pass(2200)
  expect(asked.length).toBe(2)
})

it('cancels a partial that does not cover the utterance when the voice ends', async () => {
  spareTime = true
  await sentence(1000, 2000)
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
  expect(asked.map(({ preemptible }) => preemptible)).toEqual([true, false])
})

it('reuses a partial that covers the whole utterance', async () => {
  spareTime = true
  await sentence(1000, 1320)
  expect(asked.length).toBe(1)
  utterances.finalize()
  asked[0]?.answer('yes')
  await settled()
  expect(finals()).toEqual(['yes'])
  expect(asked.length).toBe(1)
})

it('recognises again if that partial was preempted', async () => {
  spareTime = true
  await sentence(1000, 1320)
  utterances.finalize()
  asked[0]?.fail(new EngineError('busy', 'the speech recognizer has too much to do'))
  await settled()
  expect(asked.map(({ preemptible }) => preemptible)).toEqual([true, false])
  expect(asked[1]?.ms).toBe(asked[0]?.ms)
  asked[1]?.answer('yes')
  await settled()
  expect(finals()).toEqual(['yes'])
})

it('emits finals in the order of the utterances', async () => {
  await sentence(1000, 2000)
  await pass(2600)
  await sentence(3000, 4000)
  await pass(4600)
  asked[1]?.answer('second')
  await settled()
  expect(finals()).toEqual([])
  asked[0]?.answer('first')
  await settled()
  expect(finals()).toEqual(['first', 'second'])
})

it('recognises endless speech piece by piece', async () => {
  await pass(1064)
  utterances.hear({ type: 'speech-start', atMs: 1000 })
  await pass(45_000)
  asked.forEach(({ answer }, place) => {
    answer(`piece ${place}`)
  })
  await settled()
  expect(finals()).toEqual(['piece 0', 'piece 1'])
})

it('finishes what is open, and then ends', async () => {
  await pass(1064)
  utterances.hear({ type: 'speech-start', atMs: 1000 })
  await pass(1600)
  utterances.finish()
  asked[0]?.answer('goodb')
  await settled()
  expect(events.slice(1)).toEqual([
    { type: 'final', text: 'goodb' },
    { type: 'speech-ended' },
    { type: 'end' },
  ])
})

it('reports why a final failed', async () => {
  await sentence(1000, 2000)
  await pass(2600)
  asked[0]?.fail(new Error('the speech recognizer has too much to do'))
  await settled()
  expect(events).toContainEqual({ type: 'failure', reason: 'the speech recognizer has too much to do' })
})

it('keeps about a minute of audio if the detector never reports', () => {
  for (let i = 0; i < 50 * 600; i++) utterances.write({ samples: new Int16Array(320), rateHz: 16_000 })
  expect(utterances.keptMs).toBeLessThan(65_000)
})
