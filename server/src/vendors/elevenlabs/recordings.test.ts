// ElevenLabs as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import {
  between,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'
import { synchronousVendors } from '../../../test/props/transcription-vendors/synchronous.ts'

const scripted = synchronousVendors.elevenlabs

const { requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [
  [between(2, 4), /ElevenLabs takes only the greatest.*max_speakers/],
  [{ keyterms: ['one two three four five six'] }, /5 words; shorten "one two/],
])

it('gets the options of a recording', async () => {
  const wishes = { ...between(1, 3), language: 'de', keyterms: ['Ada', 'Grace Hopper'] }
  const [received] = await requestsFor(wishes)
  expect(received?.what).toBe('POST /v1/speech-to-text')
  expect(received?.fields).toEqual({
    model_id: ['scribe_v2'],
    timestamps_granularity: ['word'],
    tag_audio_events: ['false'],
    diarize: ['true'],
    num_speakers: ['3'],
    language_code: ['de'],
    keyterms: ['Ada', 'Grace Hopper'],
    file: [],
  })
})
