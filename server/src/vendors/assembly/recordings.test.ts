// AssemblyAI as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import { asynchronousVendors } from '../../../test/props/transcription-vendors/asynchronous.ts'
import {
  between,
  jsonOf,
  recordingsSuite,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'

const scripted = asynchronousVendors.assembly

const { requestsFor } = recordingsSuite(scripted)

it('gets the options of a recording', async () => {
  const [upload, submission] = await requestsFor({ ...between(2, 4), keyterms: ['Ada'] })
  expect(upload?.headers['content-type']).toBe('application/octet-stream')
  expect(jsonOf(submission)).toEqual({
    audio_url: 'https://cdn.assemblyai.com/upload/u1',
    speech_models: ['universal-3-5-pro', 'universal-2'],
    language_detection: true,
    language_detection_options: { on_no_speech_detected: 'fallback', fallback_language: 'en' },
    speaker_labels: true,
    speaker_options: { min_speakers_expected: 2, max_speakers_expected: 4 },
    keyterms_prompt: ['Ada'],
  })
  const [, known] = await requestsFor({ ...between(3, 3), language: 'de' })
  expect(jsonOf(known)).toMatchObject({ language_code: 'de', speaker_labels: true, speakers_expected: 3 })
  expect(jsonOf(known)).not.toHaveProperty('language_detection')
})
