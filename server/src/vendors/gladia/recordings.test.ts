// Gladia as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import { asynchronousVendors } from '../../../test/props/transcription-vendors/asynchronous.ts'
import { jobIn, plain, run } from '../../../test/props/transcription-vendors/fixture.ts'
import {
  between,
  jsonOf,
  recordingsSuite,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'

const scripted = asynchronousVendors.gladia

const { loopback, requestsFor } = recordingsSuite(scripted)

it('gets the options of a recording', async () => {
  const [upload, submission] = await requestsFor({
    ...between(2, 4),
    language: 'de',
    keyterms: ['Ada'],
  })
  expect(upload?.fields).toEqual({ audio: [] })
  expect(jsonOf(submission)).toEqual({
    audio_url: 'https://api.gladia.io/file/u1',
    model: 'solaria-1',
    language_config: { languages: ['de'], code_switching: false },
    diarization: true,
    diarization_config: { min_speakers: 2, max_speakers: 4 },
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: ['Ada'] },
  })
  const [, known] = await requestsFor(between(2, 2))
  expect(jsonOf(known).diarization_config).toEqual({ number_of_speakers: 2 })
})

it('a Gladia transcript without the requested diarization counts as failed', async () => {
  const { open, spoken, pollRoute } = scripted
  const diarization = { success: false, error: { message: 'Too many voices.' } }
  loopback().script = { ...spoken, [pollRoute]: { body: { status: 'done', result: { diarization } } } }
  const wishes = { ...plain, diarize: { minSpeakers: 1, maxSpeakers: 20 } }
  const { job } = await jobIn(loopback().folder, 2, wishes)
  await expect(run(open(loopback().server), job)).rejects.toThrow(
    'Gladia could not transcribe it: Too many voices.',
  )
})
