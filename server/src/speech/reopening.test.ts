// Transcribers that break off, in whole calls over real sockets: every word is heard, and heard once.
import { afterEach, describe, expect, it } from 'vitest'
import { openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openGladiaStt } from '../../test/props/vendors/gladia-stt.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { openSmallestStt } from '../../test/props/vendors/smallest-stt.ts'
import { openSonioxStt } from '../../test/props/vendors/soniox-stt.ts'
import type { HearingServer } from '../../test/props/vendors/stt-server.ts'
import { vendorCall } from '../../test/props/vendors/vendor-call.ts'
import { levelsOf } from '../../test/props/vendors/word-ears.ts'
import { type Frame, makeFrame } from '../media/frame.ts'
import type {
  Transcriber,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../ports/transcriber.ts'
import { sttVendors } from '../vendors/index.ts'
import { VendorLate } from '../vendors/over/wire/vendor-failure.ts'
import { type ListeningEngine, reopening } from './reopening.ts'

const apiKey = 'secret-of-the-vendor'
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function opened(opening: Promise<HearingServer>): Promise<HearingServer> {
  const server = await opening
  cleanups.push(() => server.close())
  server.understands = true
  return server
}

const engineAt = (name: 'soniox' | 'smallest', { baseUrl }: HearingServer): ListeningEngine => {
  const { label, open } = sttVendors[name]
  return { label, transcriber: open({ credentials: { apiKey }, baseUrl }), streaming: true }
}

const first = ['one', 'two', 'three']
const second = ['four', 'five']

interface Accident {
  /** Before this word, counted over both sentences. */
  readonly before: number
  /** Whether the words so far have been understood, as a partial or as a final, when it happens. */
  readonly understood: boolean
}

/** A caller says two sentences; each accident disconnects the vendor. */
async function callWith(accidents: readonly Accident[]) {
  const server = await opened(openSonioxStt(apiKey))
  const spare = await opened(openSmallestStt(apiKey))
  const notes: string[] = []
  const phone = vendorCall({
    replies: ['Yes.', 'Good-bye.'],
    agent: { transcriber: { endpointing: 3_000 } },
    parts: {
      transcriber: reopening(engineAt('soniox', server), {
        onNote: (note) => notes.push(note),
        onHeard() {},
        next: () => engineAt('smallest', spare),
      }),
    },
  })
  const { call, until } = phone
  const heard = () =>
    call.updates.flatMap((update) => (update.type === 'partial' ? [update.text] : [])).at(-1)
  const disconnect = async ({ understood }: Accident, words: readonly string[]) => {
    if (understood && words.length > 0) await until(() => heard() === words.join(' '))
    const { size } = server.connections
    for (const client of server.connections) client.terminate()
    if (size === 0) throw new Error('nobody was connected')
  }
  await call.answer()
  let said = 0
  for (const [turn, sentence] of [first, second].entries()) {
    await until(() => server.connections.size > 0 || spare.connections.size > 0)
    const asked = server.told.length + spare.told.length
    call.detector.tell('speech-start')
    for (const [n, word] of sentence.entries()) {
      for (const accident of accidents.filter(({ before }) => before === said))
        await disconnect(accident, sentence.slice(0, n))
      for (const level of levelsOf([word])) {
        call.line.bring(level)
        await call.tick()
      }
      said++
    }
    call.detector.tell('speech-end')
    await until(() => [...server.told, ...spare.told].slice(asked).includes('finalize'))
    await until(() => call.spoken().length === 2 * (turn + 1))
  }
  const spoken = call.spoken()
  await phone.stop()
  return { spoken, notes, spare }
}

const whole = ['user: one two three', 'agent: Yes.', 'user: four five', 'agent: Good-bye.']
const sentence = (reason: string) => `The speech recognizer failed and was opened again: ${reason}`

describe('a transcriber that breaks off', () => {
  it.each<[string, readonly Accident[]]>([
    ['never', []],
    ['before the first word', [{ before: 0, understood: true }]],
    ['before its first partial', [{ before: 1, understood: false }]],
    ['after a partial', [{ before: 2, understood: true }]],
    ['between a final and the next word', [{ before: 3, understood: true }]],
    ['in the second sentence', [{ before: 4, understood: true }]],
    [
      'in both sentences',
      [
        { before: 2, understood: true },
        { before: 4, understood: true },
      ],
    ],
  ])('%s loses no word and repeats none', async (_, accidents) => {
    const { spoken, notes } = await callWith(accidents)
    expect(spoken).toEqual(whole)
    expect(notes.length).toBeGreaterThanOrEqual(Math.min(1, accidents.length))
  })

  it('twice in one sentence is replaced by the next, which gets the sound of that sentence', async () => {
    const { spoken, notes, spare } = await callWith([
      { before: 1, understood: true },
      { before: 2, understood: true },
    ])
    expect(spoken).toEqual(whole)
    const closed = 'Soniox closed the connection (1006).'
    expect(notes).toEqual([sentence(closed), `Smallest listens from now on: ${closed}`])
    expect(spare.settings.length).toBe(1)
  })
})

describe('a transcriber that is never asked for a final', () => {
  const slow = { gladia: openGladiaStt, sarvam: openSarvamStt } as const
  const silent = (ms: number) => Array<number>(ms / 20).fill(0)

  /** The caller pauses once, for a little less than the silence that ends a turn. */
  const callWithPauses = async (name: keyof typeof slow, endpointing: number) => {
    const server = await opened(slow[name](apiKey))
    const { label, open } = sttVendors[name]
    const notes: string[] = []
    const phone = vendorCall({
      replies: ['Yes.', 'And?'],
      agent: { transcriber: { endpointing } },
      parts: {
        transcriber: reopening(
          { label, transcriber: open({ credentials: { apiKey }, baseUrl: server.baseUrl }), streaming: true },
          { onNote: (note) => notes.push(note), onHeard() {}, next: () => undefined },
        ),
      },
    })
    const { call, until } = phone
    const bring = async (levels: readonly number[]) => {
      for (const level of levels) {
        call.line.bring(level)
        await call.tick()
        // Sockets get their turn.
        await new Promise((done) => setImmediate(done))
      }
    }
    const speaks = async (words: readonly string[]) => {
      call.detector.tell('speech-start')
      await bring(levelsOf(words))
      call.detector.tell('speech-end')
    }
    await call.answer()
    await until(() => server.connections.size > 0)
    await speaks(['six', 'two'])
    await bring(silent(endpointing - 300))
    await speaks(['nine'])
    await until(() => call.spoken().length === 2)
    await bring(silent(3_000))
    await speaks(['ten'])
    await until(() => call.spoken().length === 4)
    const spoken = call.spoken()
    await phone.stop()
    return { spoken, notes, connections: server.asked.filter(({ method }) => method === 'GET').length }
  }

  it.each([
    ['gladia', 2_000],
    ['gladia', 900],
    ['sarvam', 2_000],
    ['sarvam', 1_400],
  ] as const)('as %s, is heard on through pauses, where %i ms end a turn', async (name, endpointing) => {
    const { spoken, notes, connections } = await callWithPauses(name, endpointing)
    expect(spoken).toEqual(['user: six two nine', 'agent: Yes.', 'user: ten', 'agent: And?'])
    expect(notes).toEqual([])
    expect(connections).toBe(1)
  })
})

it('a transcriber that says of a long noise that it has no words is not taken for dead', async () => {
  const server = await openDeepgramStt(apiKey)
  cleanups.push(() => server.close())
  const { label, open } = sttVendors.deepgram
  const notes: string[] = []
  const phone = vendorCall({
    replies: ['Yes.'],
    parts: {
      transcriber: reopening(
        { label, transcriber: open({ credentials: { apiKey }, baseUrl: server.baseUrl }), streaming: true },
        { onNote: (note) => notes.push(note), onHeard() {}, next: () => undefined },
      ),
    },
  })
  const { call, until } = phone
  await call.answer()
  await until(() => server.connections.size > 0)
  call.detector.tell('speech-start')
  for (let heardMs = 0; heardMs < 9_000; heardMs += 1_000) {
    server.partial('')
    let ticks = 0
    await until(() => ticks++ >= 50)
  }
  expect(notes).toEqual([])
  expect(server.asked.length).toBe(1)
  await phone.stop()
})

/** A stream whose events are those that the test pushes. */
function scripted(canBeAsked = true) {
  const streams: (TranscriptStream & {
    push(event: TranscriptEvent): void
    fail(error?: Error): void
    frames: number[]
    asked: number
  })[] = []
  const wishes: TranscriberOptions[] = []
  const transcriber: Transcriber = {
    abilities: { keyterms: false, languages: 'any' },
    warm: async (options) => void wishes.push(options),
    open(options) {
      wishes.push(options)
      const events: (TranscriptEvent | Error)[] = []
      let wake = () => {}
      const stream = {
        frames: [] as number[],
        asked: 0,
        write: ({ samples }: Frame) => void stream.frames.push(samples[0] ?? 0),
        hear() {},
        ...(canBeAsked && { finalize: () => void stream.asked++ }),
        finish() {},
        push(event: TranscriptEvent) {
          events.push(event)
          wake()
        },
        fail(error = new Error('The engine is gone.')) {
          events.push(error)
          wake()
        },
        async *[Symbol.asyncIterator]() {
          for (;;) {
            const event = events.shift()
            if (event instanceof Error) throw event
            if (event) yield event
            else
              await new Promise<void>((resolve) => {
                wake = resolve
              })
          }
        },
      }
      streams.push(stream)
      return stream
    },
  }
  return { transcriber, streams, wishes }
}

describe('what is kept of the sound', () => {
  const rateHz = 8_000
  const listen = (streaming = true, canBeAsked = true) => {
    const { transcriber, streams } = scripted(canBeAsked)
    const spare = scripted()
    const waiting: ListeningEngine[] = []
    const standIn = () => waiting.push({ label: 'Spare', transcriber: spare.transcriber, streaming })
    const notes: string[] = []
    const errors: string[] = []
    const heard: string[] = []
    const wrapped = reopening(
      { label: 'Engine', transcriber, streaming },
      {
        onNote: (note) => notes.push(note),
        onHeard: ({ label }) => heard.push(label),
        next: () => waiting.shift(),
      },
    )
    const stream = wrapped.open({ model: '', rateHz, endpointingMs: 500 }, new AbortController().signal)
    const events: TranscriptEvent[] = []
    void (async () => {
      for await (const event of stream) events.push(event)
    })().catch((error: Error) => errors.push(error.message))
    let position = 0
    /** Frames that are numbered from 1. */
    const write = (frames: number) => {
      for (let n = 0; n < frames; n++) {
        const frame = makeFrame(rateHz)
        frame.samples.fill(++position)
        stream.write(frame)
      }
    }
    const current = () => {
      const last = streams.at(-1)
      if (!last) throw new Error('no stream is open')
      return last
    }
    const settled = () => new Promise((done) => setImmediate(done))
    return { stream, streams, current, write, notes, errors, events, settled, standIn, spare, heard }
  }

  it('is what came after the words of the last final', async () => {
    const { stream, current, write, settled } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(50)
    // The final comes late: 200 ms of the next word have already been sent.
    current().push({ type: 'final', text: 'one', endMs: 800 })
    await settled()
    current().fail()
    await settled()
    expect(current().frames).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49, 50])
  })

  it('has the times of the call, though another stream counts from its own beginning', async () => {
    const { stream, current, write, events, settled } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(50)
    current().push({ type: 'final', text: 'one', endMs: 800 })
    await settled()
    current().fail()
    await settled()
    current().push({ type: 'final', text: 'two', words: [{ text: 'two', startMs: 20, endMs: 180 }] })
    await settled()
    expect(events.at(-1)).toMatchObject({ words: [{ text: 'two', startMs: 820, endMs: 980 }] })
  })

  it('is what came after a final was asked for, if the engine does not say where its words end', async () => {
    const { stream, current, write, settled } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(40)
    stream.finalize?.()
    write(5)
    current().push({ type: 'final', text: 'one' })
    await settled()
    current().fail()
    await settled()
    expect(current().frames).toEqual([41, 42, 43, 44, 45])
    expect(current().asked).toBe(0)
  })

  it('is asked for again with the final that had not come', async () => {
    const { stream, current, write, settled } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(10)
    current().push({ type: 'partial', text: 'one' })
    await settled()
    stream.finalize?.()
    current().fail()
    await settled()
    expect(current().frames.length).toBe(10)
    expect(current().asked).toBe(1)
  })

  it('is bounded: a second while nobody speaks, and twenty in a sentence', async () => {
    const { stream, current, write, settled } = listen(false)
    stream.hear?.({ type: 'probability', probability: 0, atMs: 0 })
    write(500)
    current().push({ type: 'speech-started' })
    await settled()
    current().fail()
    await settled()
    expect(current().frames.length).toBe(50)
    stream.hear?.({ type: 'speech-start', atMs: 10_000 })
    write(2_000)
    current().push({ type: 'partial', text: 'and so on' })
    await settled()
    current().fail()
    await settled()
    expect(current().frames.length).toBe(1_000)
  })

  it('is nothing when an engine that never spoke fails twice: that is final', async () => {
    const { streams, current, write, notes, errors, settled } = listen()
    current().fail()
    await settled()
    expect(streams.length).toBe(1)
    // A little later.
    write(11)
    expect(streams.length).toBe(2)
    current().fail()
    await settled()
    expect(notes).toEqual([sentence('The engine is gone.')])
    expect(errors).toEqual(['The engine is gone.'])
  })

  it.each([
    ['that was asked for a final does not answer', 1_300],
    ['is silent while somebody speaks', 3_000],
  ])('goes to another stream when one %s', async (what, afterMs) => {
    const { stream, streams, current, write, settled } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(10)
    current().push({ type: 'partial', text: 'one' })
    await settled()
    if (what.startsWith('that was asked')) {
      stream.hear?.({ type: 'speech-end', atMs: 200 })
      stream.finalize?.()
    }
    write(afterMs / 20)
    expect(streams.length).toBe(1)
    write(1)
    expect(streams.length).toBe(2)
    expect(current().frames.slice(0, 3)).toEqual([1, 2, 3])
  })

  it('goes to another stream only when the silence that the engine was told is over, if it cannot be asked', async () => {
    const { stream, streams, current, write, settled } = listen(true, false)
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(10)
    current().push({ type: 'partial', text: 'one' })
    await settled()
    stream.hear?.({ type: 'speech-end', atMs: 200 })
    stream.finalize?.()
    write((500 + 1_300) / 20)
    expect(streams.length).toBe(1)
    write(1)
    expect(streams.length).toBe(2)
    expect(current().frames.slice(0, 3)).toEqual([1, 2, 3])
  })

  it('stays with a stream that shows signs of life, until a final is due', async () => {
    const { stream, streams, current, write, settled, events } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    for (let seconds = 0; seconds < 8; seconds++) {
      current().push({ type: 'alive' })
      await settled()
      write(50)
    }
    expect(streams.length).toBe(1)
    expect(events).toEqual([])
    current().push({ type: 'partial', text: 'one' })
    await settled()
    stream.hear?.({ type: 'speech-end', atMs: 8_000 })
    stream.finalize?.()
    write(40)
    current().push({ type: 'alive' })
    await settled()
    write(40)
    expect(streams.length).toBe(2)
  })

  it('goes to another stream when one has sent nothing by the time that its first final is due', async () => {
    const { stream, streams, current, write } = listen()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(55)
    stream.hear?.({ type: 'speech-end', atMs: 1_100 })
    stream.finalize?.()
    write(1_300 / 20)
    expect(streams.length).toBe(1)
    // It has never said anything, and is tried again a little later.
    write(1 + 11)
    expect(streams.length).toBe(2)
    expect(current().frames.slice(0, 3)).toEqual([1, 2, 3])
    expect(current().asked).toBe(1)
  })

  it('waits for the answer of a stream that is asked for whole utterances, with all of its sound', async () => {
    const { stream, current, write, settled, standIn, spare } = listen(false)
    standIn()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(40)
    stream.hear?.({ type: 'speech-end', atMs: 800 })
    stream.finalize?.()
    write(500)
    current().fail(new VendorLate('It did not answer in time.'))
    await settled()
    expect(spare.streams[0]?.frames.slice(0, 3)).toEqual([1, 2, 3])
  })

  it('goes to the next engine at once when a caller waits for the words of this one', async () => {
    const { stream, streams, current, write, settled, standIn, spare, notes, heard } = listen()
    standIn()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(10)
    current().push({ type: 'partial', text: 'one' })
    await settled()
    expect(heard).toEqual(['Engine'])
    stream.hear?.({ type: 'speech-end', atMs: 200 })
    stream.finalize?.()
    write(66)
    expect(streams.length).toBe(1)
    expect(spare.streams[0]?.frames.slice(0, 3)).toEqual([1, 2, 3])
    expect(spare.streams[0]?.asked).toBe(1)
    expect(notes).toEqual(['Spare listens from now on: Engine does not answer.'])
  })

  it('goes to the next engine at once when this one cannot be reached, with what was said meanwhile', async () => {
    const { stream, current, write, settled, standIn, spare } = listen()
    standIn()
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    write(20)
    stream.hear?.({ type: 'speech-end', atMs: 400 })
    stream.finalize?.()
    write(200)
    current().fail(new Error('It is gone.', { cause: new VendorLate('It did not answer in time.') }))
    await settled()
    expect(spare.streams[0]?.frames.slice(0, 3)).toEqual([1, 2, 3])
  })

  it('goes to another stream when short sentences are not heard, one after the other', async () => {
    const { stream, streams, write } = listen()
    for (let n = 0; n < 3; n++) {
      stream.hear?.({ type: 'speech-start', atMs: n * 2_000 })
      write(50)
      stream.hear?.({ type: 'speech-end', atMs: n * 2_000 + 1_000 })
      write(50)
    }
    expect(streams.length).toBe(1)
    stream.hear?.({ type: 'speech-start', atMs: 6_000 })
    write(2)
    // It has never said anything, and is tried again a little later.
    write(11)
    expect(streams.length).toBe(2)
  })
})

it('an engine is warmed up for what it is opened for', async () => {
  const { transcriber, wishes } = scripted()
  const events = { onNote() {}, onHeard() {}, next: () => undefined }
  const wrapped = reopening({ label: 'Engine', transcriber, streaming: true }, events)
  const { signal } = new AbortController()
  const options = { model: '', rateHz: 8_000, endpointingMs: 500, keyterms: ['Maple'] } as const
  await wrapped.warm?.(options, signal)
  wrapped.open(options, signal)
  expect(JSON.stringify(wishes[1])).toBe(JSON.stringify(wishes[0]))
})
