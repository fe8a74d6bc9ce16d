// Sarvam against servers that speak its protocols.

import { expect, it } from 'vitest'
import { cleanupsHere } from '../../../test/props/vendors/cleanups-here.ts'
import {
  inJson,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { openSarvamStt } from '../../../test/props/vendors/sarvam-stt.ts'
import { openSarvamTts } from '../../../test/props/vendors/sarvam-tts.ts'
import {
  interruptedBetweenClauses,
  synthesizerSettings,
  transcriberSettings,
} from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { levelsOf } from '../../../test/props/vendors/word-ears.ts'
import { makeFrame } from '../../media/frame.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const cleanups = cleanupsHere()
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openSarvamStt(apiKey) }
const synthesizer = { vendor: speaks, credentials: { apiKey }, open: () => openSarvamTts(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'socket', idleMs: 20_000 })

it('an utterance begins with the first sound after the last one, and nothing is asked for without any', async () => {
  const server = await openSarvamStt(apiKey)
  const stop = new AbortController()
  cleanups.push(
    () => server.close(),
    () => stop.abort(),
  )
  server.understands = true
  const stream = hears
    .open({ credentials: { apiKey }, baseUrl: server.baseUrl })
    .open({ model: '', language: 'en', rateHz: 8_000, endpointingMs: 500 }, stop.signal)
  const finals: string[] = []
  void (async () => {
    for await (const event of stream) if (event.type === 'final') finals.push(event.text)
  })()
  const say = (...words: string[]) => {
    for (const level of levelsOf(words)) {
      const frame = makeFrame(8_000)
      frame.samples.fill(level)
      stream.write(frame)
    }
    stream.finalize?.()
  }
  stream.finalize?.()
  say('three', 'nine')
  stream.finalize?.()
  say('seven')
  await expect.poll(() => finals).toEqual(['three nine', 'seven'])
  expect(server.told.filter((what) => what === 'finalize').length).toBe(2)
})

transcriberSettings({
  ...transcriber,
  usually: {
    model: 'saaras:v3-realtime',
    language_code: 'en-IN',
    mode: 'transcribe',
    endpointing: 'manual',
    encoding: 'linear16',
    sample_rate: '16000',
  },
  rows: [
    [{ model: 'saaras:v4-realtime' }, { model: 'saaras:v4-realtime' }],
    [{ language: 'ta' }, { language_code: 'ta-IN' }],
    // Its voices and its transcription of files write it in another way.
    [{ language: 'or' }, { language_code: 'or-IN' }],
    [{ language: 'auto' }, { language_code: 'auto' }],
    [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
    [{ samplingRateHz: 48_000 }, { sample_rate: '8000' }],
    [{ encoding: 'mulaw' }, { encoding: 'mulaw' }],
    [{ task: 'translate' }, { mode: 'translate' }],
    [{ task: 'codemix' }, { mode: 'codemix' }],
    [{ endpointingMs: 300 }, { endpointing: 'manual' }],
    [{ keyterms: ['Maple', 'Nguyen'] }, { prompt: 'Maple, Nguyen' }],
    [
      { keyterms: ['Maple', 'New Delhi', 'x'.repeat(65)], model: 'saaras:v4-realtime' },
      { keyterms: '["Maple","New Delhi"]' },
    ],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('language_code'),
  written: 'en-IN,en-IN,-,hi-IN,-,-,-,-,auto',
})

synthesizerSuite(speaks.label, { ...synthesizer, over: 'socket', idleMs: 60_000 })

synthesizerSettings(synthesizer, [
  [{ voice: 'Priya' }, '"speaker":"priya"'],
  [{ voice: 'priya', voiceId: 'rahul' }, '"speaker":"rahul"'],
  [{ language: 'or' }, '"language_code":"od-IN"'],
  [{ model: 'bulbul:v2' }, ['model=bulbul%3Av2', '"speaker":"anushka"']],
  [{ temperature: 0.3 }, '"temperature":0.3'],
  [{ speed: 1.5 }, '"pace":1.5'],
  [{ bufferSize: 80 }, '"min_buffer_size":80'],
])

synthesizerLanguages(synthesizer, {
  where: inJson('language_code'),
  written: 'en-IN,en-IN,-,hi-IN,-,-,-,-,en-IN',
})

interruptedBetweenClauses(synthesizer)
