// How turns are detected is told with each engine: the one that is opened first, and the one that stands in.
import { expect, it } from 'vitest'
import { ScriptedTranscriber } from '../../test/props/call/scripted-transcriber.ts'
import type { Transcriber, TranscriberOptions, TranscriptEvent, TurnDetection } from '../ports/transcriber.ts'
import { meteredTranscriber, SpeechMeter } from './metered-speech.ts'
import { type ListeningEngine, reopening } from './reopening.ts'

const detection: TurnDetection = { isEager: true, longestSilenceMs: 3_000 }
const settled = () => new Promise((done) => setImmediate(done))

/** The model `turns` detects turns, unless the call is to decide. */
class Ears extends ScriptedTranscriber {
  detectsTurns({ model, turnDetection }: TranscriberOptions): TurnDetection | undefined {
    return model === 'turns' && turnDetection !== 'call' ? { ...detection } : undefined
  }
}

async function opened(
  first: Transcriber,
  { waiting = [], ...options }: Partial<TranscriberOptions> & { waiting?: Transcriber[] } = {},
) {
  const engines = waiting.map(
    (transcriber): ListeningEngine => ({ label: 'Spare', transcriber, streaming: true }),
  )
  const stream = reopening(
    { label: 'Engine', transcriber: first, streaming: true },
    { onNote() {}, onHeard() {}, next: () => engines.shift() },
  ).open({ model: 'turns', rateHz: 8_000, endpointingMs: 500, ...options }, new AbortController().signal)
  const events: TranscriptEvent[] = []
  void (async () => {
    for await (const event of stream) events.push(event)
  })()
  await settled()
  return { events, stream }
}

it('an engine that detects turns says so before any word, and its ends pass through', async () => {
  const ears = new Ears()
  const { events } = await opened(ears)
  ears.now.push({ type: 'partial', text: 'the red one' })
  ears.now.push({ type: 'end-of-turn', is: 'likely' })
  ears.now.push({ type: 'end-of-turn', is: 'withdrawn' })
  ears.now.push({ type: 'final', text: 'the red one with the lid' })
  ears.now.push({ type: 'end-of-turn', is: 'certain' })
  await settled()
  expect(events).toEqual([
    { type: 'turn-detection', detection },
    { type: 'partial', text: 'the red one' },
    { type: 'end-of-turn', is: 'likely' },
    { type: 'end-of-turn', is: 'withdrawn' },
    { type: 'final', text: 'the red one with the lid' },
    { type: 'end-of-turn', is: 'certain' },
  ])
})

it.each([
  ['another model', { model: 'words' }],
  ['an agent that leaves it to the call', { turnDetection: 'call' as const }],
])('%s has none', async (_, options) => {
  expect((await opened(new Ears(), options)).events).toEqual([])
})

it('the engine that stands in detects none: that is told at once', async () => {
  const [ears, spare] = [new Ears(), new ScriptedTranscriber()]
  const { events } = await opened(ears, { waiting: [spare] })
  ears.now.push({ type: 'partial', text: 'the red' })
  await settled()
  for (let n = 0; n < 2; n++) {
    ears.now.fail(new Error('It is gone.'))
    await settled()
  }
  expect(spare.streams.length).toBe(1)
  expect(events.at(-1)).toEqual({ type: 'turn-detection', detection: null })
})

it('the same engine, opened again, has nothing new to say', async () => {
  const ears = new Ears()
  const { events } = await opened(ears)
  ears.now.push({ type: 'partial', text: 'the red' })
  await settled()
  ears.now.fail(new Error('It is gone.'))
  await settled()
  expect(ears.streams.length).toBe(2)
  expect(events.filter(({ type }) => type === 'turn-detection').length).toBe(1)
})

it('a meter hides nothing of it', () => {
  const metered = meteredTranscriber(new Ears(), 'ears', new SpeechMeter())
  const options: TranscriberOptions = { model: 'turns', rateHz: 8_000, endpointingMs: 500 }
  expect(metered.detectsTurns?.(options)).toEqual(detection)
  const plain = meteredTranscriber(new ScriptedTranscriber(), 'ears', new SpeechMeter())
  expect(plain.detectsTurns).toBeUndefined()
})
