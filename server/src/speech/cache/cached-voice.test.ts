// Kept sentences in a stream: played in their place, in whole frames, with the times of their words.
import { expect, it } from 'vitest'
import { makeFrame } from '../../media/frame.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import type { SynthesisEvent, Synthesizer, TextSynthesizer } from '../../ports/synthesizer.ts'
import { cachedVoice } from './cached-voice.ts'
import { cachedSpeechKey, decodeSpeech, encodeSpeech, keptRateHz } from './speech-file.ts'

const options = { voice: 'a', rateHz: 8_000 } as const

/** One loud frame per word; `asked` tells what it was given. */
function liveEngine(asked: string[]): Synthesizer {
  const engine: TextSynthesizer = {
    async *synthesize(text, { rateHz }) {
      asked.push(text)
      for (const _ of text.split(' ')) {
        const frame = makeFrame(rateHz)
        frame.samples.fill(1_000)
        yield frame
      }
    },
  }
  return overClauses(engine, 'any')
}

/** Three frames of sound, of which the last is not full. */
const kept = {
  samples: new Int16Array(keptRateHz / 20).fill(-8_000),
  words: [{ text: 'Hello.', startMs: 10, endMs: 40 }],
}

async function spoken(clauses: readonly string[], keptClauses: readonly string[]) {
  const asked: string[] = []
  const voice = cachedVoice(liveEngine(asked), (clause) =>
    keptClauses.includes(clause) ? Promise.resolve(clause === 'gone' ? undefined : kept) : undefined,
  )
  const stream = voice.open(options, new AbortController().signal)
  for (const clause of clauses) {
    stream.write(clause)
    stream.flush()
  }
  stream.finish()
  const events: SynthesisEvent[] = []
  for await (const event of stream) events.push(event)
  const heard = events
    .map((event) => {
      if (event.type === 'frame') return event.frame.samples[80] === 1_000 ? '#' : '~'
      return event.type === 'clause-end' ? '|' : ''
    })
    .join('')
  return { asked, heard, events }
}

it('plays what is kept where it belongs, and gives the engine the rest', async () => {
  const { asked, heard } = await spoken(
    ['One moment.', 'Hello.', 'Two words.', 'Three more words.'],
    ['Hello.'],
  )
  expect(heard).toBe('##|~~~|##|###|')
  expect(asked).toEqual(['One moment.', 'Two words.', 'Three more words.'])
})

it('gives the engine what is not there after all', async () => {
  const { asked, heard } = await spoken(['gone'], ['gone'])
  expect(heard).toBe('#|')
  expect(asked).toEqual(['gone'])
})

it('counts what was kept, and the times of its words from the beginning of the stream', async () => {
  const { events } = await spoken(['One two.', 'Hello.'], ['Hello.'])
  expect(events.filter(({ type }) => type === 'from-cache')).toEqual([{ type: 'from-cache', characters: 6 }])
  expect(events.filter(({ type }) => type === 'words')).toEqual([
    { type: 'words', words: [{ text: 'Hello.', startMs: 50, endMs: 80 }] },
  ])
})

it('takes text as it is thought: what is written late goes to the stream that is open', async () => {
  const asked: string[] = []
  const voice = cachedVoice(liveEngine(asked), () => undefined)
  const stream = voice.open(options, new AbortController().signal)
  const events = stream[Symbol.asyncIterator]()
  stream.write('First.')
  for (const type of ['frame', 'clause-end']) expect((await events.next()).value.type).toBe(type)
  stream.write('Second.')
  for (const type of ['frame', 'clause-end']) expect((await events.next()).value.type).toBe(type)
  stream.finish()
  expect((await events.next()).done).toBe(true)
})

it('is silent after a cancel, kept or not', async () => {
  const voice = cachedVoice(liveEngine([]), () => Promise.resolve(kept))
  const stream = voice.open(options, new AbortController().signal)
  stream.write('Hello.')
  const events = stream[Symbol.asyncIterator]()
  await events.next()
  stream.cancel()
  expect((await events.next()).done).toBe(true)
})

it('a file that is damaged or cut off is no speech', () => {
  const file = encodeSpeech(kept)
  expect(decodeSpeech(file)).toEqual(kept)
  expect(decodeSpeech(file.subarray(0, -2))).toBeUndefined()
  file[60] = (file[60] ?? 0) ^ 1
  expect(decodeSpeech(file)).toBeUndefined()
  expect(decodeSpeech(Buffer.alloc(3))).toBeUndefined()
})

it('everything that changes the sound changes the key, and nothing else does', () => {
  const source = { vendor: 'acme', baseUrl: undefined, options: { voice: 'a', language: 'en' } }
  const written = [{ written: 'Nguyen', ipa: 'ŋwiən' }]
  const with_ = (more: object) => ({ ...source, options: { ...source.options, ...more } })
  const sounds = [
    cachedSpeechKey(source, 'Hello.'),
    cachedSpeechKey(source, 'Hello!'),
    cachedSpeechKey({ ...source, vendor: 'zenith' }, 'Hello.'),
    cachedSpeechKey({ ...source, baseUrl: 'https://eu.example.com' }, 'Hello.'),
    ...[{ voice: 'b' }, { voiceId: 'b' }, { language: 'de' }, { model: 'm' }, { engine: 'e' }].map((more) =>
      cachedSpeechKey(with_(more), 'Hello.'),
    ),
    ...[{ temperature: 0.5 }, { similarityBoost: 0.5 }, { speed: 1.1 }].map((more) =>
      cachedSpeechKey(with_(more), 'Hello.'),
    ),
    cachedSpeechKey(source, 'Hello, Nguyen.'),
    cachedSpeechKey(with_({ pronunciations: written }), 'Hello, Nguyen.'),
  ]
  expect(new Set(sounds).size).toBe(sounds.length)
  const same = [
    { stream: true },
    { bufferSize: 80 },
    { audioFormat: 'wav' },
    { model: undefined },
    { pronunciations: written },
  ]
  for (const more of same) expect(cachedSpeechKey(with_(more), 'Hello.')).toBe(sounds[0])
})
