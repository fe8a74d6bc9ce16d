// OpenAI as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import {
  between,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'
import { synchronousVendors, textVendors } from '../../../test/props/transcription-vendors/synchronous.ts'
import { parseWav } from '../../media/wav-parse.ts'
import { transcribesRecordings } from './recordings.ts'

const scripted = synchronousVendors.openai

const { requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [[between(1, 20), /whisper-1.*PARLEY_STT_PROTOCOL/]])

const inText = textVendors.openai
const { requestsFor: requestsInText } = recordingsSuite(inText)
refusedOptions(inText, [
  [between(1, 20), /gpt-transcribe.*does not tell speakers apart/],
  [{ align: true }, /gpt-transcribe.*gives no times of words.*PARLEY_STT_PROTOCOL/],
])

it('gets what a model without times takes', async () => {
  const [received] = await requestsInText({ language: 'pt', keyterms: ['Parley', 'Ada'] })
  expect(received?.fields).toEqual({
    file: [],
    model: ['gpt-transcribe'],
    response_format: ['json'],
    'languages[]': ['pt'],
    'keywords[]': ['Parley', 'Ada'],
  })
})

it.each([
  [undefined, 'gpt-transcribe', 30],
  ['https://api.openai.com/v1', 'gpt-transcribe', 30],
  ['http://speaches.internal:8000/v1', 'whisper-1', 600],
])('at %s it asks for %s, in pieces of %i seconds', (baseUrl, model, seconds) => {
  const vendor = transcribesRecordings({ baseUrl, model: undefined, apiKey: 'k' })
  expect(vendor.name).toBe(`The transcription server (${model})`)
  expect(vendor.mostSeconds).toBe(seconds)
})

it('gets the options of a recording', async () => {
  const [received] = await requestsFor({ align: true, language: 'en', keyterms: ['Parley', 'Ada'] })
  expect(received?.what).toBe('POST /v1/audio/transcriptions')
  expect(received?.fields).toEqual({
    file: [],
    model: ['whisper-1'],
    response_format: ['verbose_json'],
    'timestamp_granularities[]': ['segment', 'word'],
    language: ['en'],
    prompt: ['Parley, Ada'],
  })
  expect(parseWav(received?.bytes ?? Buffer.alloc(0)).channels[0]?.length).toBe(32_000)
})
