// A synthesizer that fails is replaced before anybody notices, or at the next attempt.
import { afterEach, describe, expect, it } from 'vitest'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { heardWords } from '../../test/props/vendors/spoken-words.ts'
import { heardFrom } from '../../test/props/vendors/tts-suite.ts'
import { vendorCall } from '../../test/props/vendors/vendor-call.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import { speaks as deepgram } from '../vendors/deepgram/speaks.ts'
import { speaks as elevenlabs } from '../vendors/elevenlabs/speaks.ts'
import { failingOver } from './speaking-engines.ts'
import type { SpeakingEngine } from './speaking-order.ts'

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
    patienceMs,
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

it('a refused key is found out while it rings, and the next one speaks in the whole call', async () => {
  const { synthesizer, options, stop, say, notes, failed, spoke, first } = await setUp({ firstKey: 'wrong' })
  await synthesizer.warm?.(options, stop.signal)
  const refused = 'ElevenLabs refused the connection (401): It was refused.'
  expect(notes).toEqual([`Deepgram speaks from now on: ${refused}`])
  expect(failed).toEqual([`ElevenLabs: ${refused}`])
  expect(await say('Good day.', 'Come in.')).toEqual(['Good', 'day.', 'Come', 'in.'])
  expect(await say('Sit down.')).toEqual(['Sit', 'down.'])
  expect(spoke).toEqual(['Deepgram', 'Deepgram'])
  expect(first.asked.length).toBe(1)
})

it('an engine that says nothing is replaced, and its sentence is said from the beginning', async () => {
  const { first, second, say, notes } = await setUp({ patienceMs: 100 })
  first.fault = { is: 'stall' }
  expect(await say('Good day.', 'Come in.')).toEqual(['Good', 'day.', 'Come', 'in.'])
  expect(notes).toEqual(['Deepgram speaks for now: ElevenLabs said nothing for 0.1 s.'])
  expect(second.texts).toEqual(['Good day. ', 'Come in. '])
})

it('one late sound is not the end of a voice: the next saying is asked of it again', async () => {
  const { first, second, say, notes } = await setUp({ patienceMs: 100 })
  first.fault = { is: 'stall' }
  expect(await say('The parcel left Lisbon.')).toEqual(['The', 'parcel', 'left', 'Lisbon.'])
  first.fault = undefined
  expect(await say('It comes on Friday.')).toEqual(['It', 'comes', 'on', 'Friday.'])
  expect(second.texts).toEqual(['The parcel left Lisbon. '])
  expect(notes).toEqual([
    'Deepgram speaks for now: ElevenLabs said nothing for 0.1 s.',
    'ElevenLabs speaks again.',
  ])
})

it('a voice that misses again and again is asked less and less often, until it has spoken', async () => {
  const { first, say, spoke, failed } = await setUp()
  first.fault = { is: 'refuse', status: 503 }
  const askedIn: number[] = []
  for (let saying = 1; saying <= 8; saying++) {
    const before = first.asked.length
    await say(`Number ${saying}.`)
    if (first.asked.length > before) askedIn.push(saying)
  }
  expect(askedIn).toEqual([1, 2, 4, 8])
  expect(failed).toHaveLength(4)
  first.fault = undefined
  spoke.length = 0
  for (let saying = 9; saying <= 17; saying++) await say(`Number ${saying}.`)
  expect(spoke).toEqual([...Array(7).fill('Deepgram'), 'ElevenLabs', 'ElevenLabs'])
})

it('sayings that are synthesized at the same time miss once', async () => {
  const { first, say, failed, notes } = await setUp({ patienceMs: 100 })
  first.fault = { is: 'stall' }
  await Promise.all([say('Left.'), say('Right.')])
  expect(failed).toHaveLength(1)
  expect(notes).toHaveLength(1)
  first.fault = undefined
  await say('Straight on.')
  expect(notes.at(-1)).toBe('ElevenLabs speaks again.')
})

it('the last voice that is left is waited for', async () => {
  const { first, second, say } = await setUp({ patienceMs: 100 })
  first.fault = { is: 'refuse', status: 503 }
  second.fault = { is: 'delay', ms: 300 }
  expect(await say('Good day.')).toEqual(['Good', 'day.'])
})

it('a voice that does not exist is a failure like any other', async () => {
  const { first, say, notes } = await setUp()
  first.fault = { is: 'garble', message: '{"error":"voice_not_found","message":"No such voice."}' }
  expect(await say('Good day.')).toEqual(['Good', 'day.'])
  expect(notes).toEqual(['Deepgram speaks for now: ElevenLabs failed: No such voice.'])
})

it('an engine that ends without a sound has failed, unless there was nothing to say', async () => {
  const { first, say, notes, spoke } = await setUp()
  first.fault = { is: 'mute' }
  expect(await say('…')).toEqual([])
  expect(notes).toEqual([])
  expect(await say('Good day.')).toEqual(['Good', 'day.'])
  expect(notes).toEqual(['Deepgram speaks for now: ElevenLabs made no sound.'])
  expect(spoke).toEqual(['Deepgram'])
})

it('the last one’s failure is the call’s', async () => {
  const { first, second, say } = await setUp()
  first.fault = { is: 'refuse', status: 429 }
  second.fault = { is: 'refuse', status: 503 }
  await expect(say('Good day.')).rejects.toThrow('Deepgram refused the connection (503): It was refused.')
})

describe('a voice that breaks off in the middle of an answer', () => {
  async function count(then: (vendors: Awaited<ReturnType<typeof setUp>>) => void) {
    const vendors = await setUp()
    const { synthesizer } = vendors
    const replies = ['One two three four five six.', 'Seven eight.']
    const phone = vendorCall({ replies, parts: { synthesizer, voice: '' } })
    await phone.call.answer()
    then(vendors)
    await phone.call.says('count please')
    await phone.until(() => phone.call.spoken().length === 2)
    return { ...vendors, phone, heard: [...heardWords(phone.call.line.sent)] }
  }
  const numbers = ['One', 'two', 'three', 'four', 'five', 'six.']

  it('says the rest itself, and every word is heard once', async () => {
    const { heard, second, notes, failed, phone } = await count(({ first }) => {
      first.fault = { is: 'break', after: 2 }
    })
    expect(heard).toEqual(numbers)
    expect([second.texts, notes]).toEqual([[], []])
    expect(failed).toEqual(['ElevenLabs: ElevenLabs closed the connection (1011: out of breath).'])
    await phone.stop()
  })

  it('is relieved by another one if it fails a second time', async () => {
    const { heard, second, notes, phone } = await count(({ first }) => {
      let dialled = first.asked.length
      const { push } = first.asked
      first.asked.push = (asked) => {
        if (++dialled === 2) first.fault = { is: 'refuse', status: 503 }
        return push.call(first.asked, asked)
      }
      first.fault = { is: 'break', after: 2 }
    })
    expect(heard).toEqual(numbers)
    expect(second.texts).toEqual(['One two three four five six. '])
    expect(notes).toEqual([
      'Deepgram speaks for now: ElevenLabs refused the connection (503): It was refused.',
    ])
    await phone.stop()
  })

  it('says the rest itself as a stand-in too, although the first voice is back', async () => {
    const { heard, first, second, phone } = await count((vendors) => {
      vendors.first.fault = { is: 'mute' }
      vendors.second.fault = { is: 'break', after: 4 }
      const { push } = vendors.second.texts
      vendors.second.texts.push = (text) => {
        vendors.first.fault = undefined
        return push.call(vendors.second.texts, text)
      }
    })
    expect(heard).toEqual(numbers)
    expect(first.texts).toHaveLength(1)
    expect(second.texts).toHaveLength(2)
    await phone.call.says('go on')
    await phone.until(() => phone.call.spoken().length === 4)
    expect(first.texts.slice(1)).toEqual(['Seven eight. '])
    await phone.stop()
  })
})
