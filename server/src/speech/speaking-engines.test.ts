// A synthesizer that fails is replaced before anybody notices, or at the next attempt.
import { afterEach, expect, it } from 'vitest'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { heardWords } from '../../test/props/vendors/spoken-words.ts'
import { heardFrom } from '../../test/props/vendors/tts-suite.ts'
import { vendorCall } from '../../test/props/vendors/vendor-call.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import { speaks as deepgram } from '../vendors/deepgram/speaks.ts'
import { speaks as elevenlabs } from '../vendors/elevenlabs/speaks.ts'
import { failingOver, type SpeakingEngine } from './speaking-engines.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const apiKey = 'secret-of-the-vendor'

async function setUp({ firstKey = apiKey, patienceMs = 60_000 } = {}) {
  const first = await openElevenlabsTts(apiKey)
  const second = await openDeepgramTts(apiKey)
  const engineOf = (label: string, synthesizer: Synthesizer): SpeakingEngine => ({
    label,
    vendor: label.toLowerCase(),
    synthesizer,
    options: {},
  })
  const notes: string[] = []
  const failed: string[] = []
  const spoke: string[] = []
  const synthesizer = failingOver(
    [
      engineOf('ElevenLabs', elevenlabs.open({ credentials: { apiKey: firstKey }, baseUrl: first.baseUrl })),
      engineOf('Deepgram', deepgram.open({ credentials: { apiKey }, baseUrl: second.baseUrl })),
    ],
    {
      onNote: (note) => notes.push(note),
      onFailed: ({ label }, { message }) => failed.push(`${label}: ${message}`),
      onSpoke: ({ label }) => spoke.push(label),
    },
    patienceMs,
  )
  cleanups.push(
    () => first.close(),
    () => second.close(),
    () => synthesizer.close?.(),
  )
  const options = { voice: '', rateHz: 8_000 } as const
  const stop = new AbortController()
  const say = async (...clauses: string[]) => {
    const stream = synthesizer.open(options, stop.signal)
    for (const clause of clauses) {
      stream.write(clause)
      stream.flush()
    }
    stream.finish()
    return heardFrom(stream)
  }
  return { first, second, synthesizer, options, stop, say, notes, failed, spoke }
}

it('a refused key is found out while it rings, and the next one speaks', async () => {
  const { synthesizer, options, stop, say, notes, failed, spoke, first } = await setUp({ firstKey: 'wrong' })
  await synthesizer.warm?.(options, stop.signal)
  const refused = 'ElevenLabs refused the connection (401): It was refused.'
  expect(notes).toEqual([`Deepgram speaks from now on: ${refused}`])
  expect(failed).toEqual([`ElevenLabs: ${refused}`])
  expect(await say('Good day.', 'Come in.')).toEqual(['Good', 'day.', 'Come', 'in.'])
  expect(spoke).toEqual(['Deepgram'])
  expect(first.asked.length).toBe(1)
})

it('an engine that says nothing is replaced, and its sentence is said from the beginning', async () => {
  const { first, second, say, notes } = await setUp({ patienceMs: 100 })
  first.fault = { is: 'stall' }
  expect(await say('Good day.', 'Come in.')).toEqual(['Good', 'day.', 'Come', 'in.'])
  expect(notes).toEqual(['Deepgram speaks from now on: ElevenLabs said nothing for 0.1 s.'])
  expect(await say('Yes.')).toEqual(['Yes.'])
  expect(second.texts).toEqual(['Good day. ', 'Come in. ', 'Yes. '])
})

it('a voice that does not exist is a failure like any other', async () => {
  const { first, say, notes } = await setUp()
  first.fault = { is: 'garble', message: '{"error":"voice_not_found","message":"No such voice."}' }
  expect(await say('Good day.')).toEqual(['Good', 'day.'])
  expect(notes).toEqual(['Deepgram speaks from now on: ElevenLabs failed: No such voice.'])
})

it('an engine that ends without a sound has failed, unless there was nothing to say', async () => {
  const { first, say, notes, spoke } = await setUp()
  first.fault = { is: 'mute' }
  expect(await say('…')).toEqual([])
  expect(notes).toEqual([])
  expect(await say('Good day.')).toEqual(['Good', 'day.'])
  expect(notes).toEqual(['Deepgram speaks from now on: ElevenLabs made no sound.'])
  expect(spoke).toEqual(['Deepgram'])
})

it('the last one’s failure is the call’s', async () => {
  const { first, second, say } = await setUp()
  first.fault = { is: 'refuse', status: 429 }
  second.fault = { is: 'refuse', status: 503 }
  await expect(say('Good day.')).rejects.toThrow('Deepgram refused the connection (503): It was refused.')
})

it('a call whose voice breaks off in the middle of a reply goes on with the next one, and is heard once', async () => {
  const { first, synthesizer, notes } = await setUp()
  const phone = vendorCall({
    replies: ['One two three four five six.'],
    parts: { synthesizer, voice: '' },
  })
  await phone.call.answer()
  first.fault = { is: 'break', after: 2 }
  await phone.call.says('count please')
  await phone.until(() => phone.call.spoken().length === 2)
  expect(heardWords(phone.call.line.sent)).toEqual(['One', 'two', 'three', 'four', 'five', 'six.'])
  expect(notes).toEqual([
    'Deepgram speaks from now on: ElevenLabs closed the connection (1011: out of breath).',
  ])
  await phone.stop()
})
