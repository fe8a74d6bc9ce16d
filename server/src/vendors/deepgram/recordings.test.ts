// Deepgram as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import {
  between,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'
import { synchronousVendors } from '../../../test/props/transcription-vendors/synchronous.ts'

const scripted = synchronousVendors.deepgram

const { requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [[between(2, 2), /Deepgram counts.*leave out num_speakers/]])

it('gets the options of a recording', async () => {
  const [received] = await requestsFor({ ...between(1, 20), keyterms: ['Ada', 'Grace'] })
  expect(received?.what).toBe('POST /v1/listen')
  expect(received?.headers['content-type']).toBe('audio/wav')
  expect([...(received?.query ?? [])].join(' ')).toBe(
    'model,nova-3 smart_format,true utterances,true detect_language,true diarize,true keyterm,Ada keyterm,Grace',
  )
})
