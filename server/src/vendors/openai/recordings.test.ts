// OpenAI as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import {
  between,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'
import { synchronousVendors } from '../../../test/props/transcription-vendors/synchronous.ts'
import { parseWav } from '../../media/wav-parse.ts'

const scripted = synchronousVendors.openai

const { requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [[between(1, 20), /whisper-1.*PARLEY_STT_PROTOCOL/]])

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
