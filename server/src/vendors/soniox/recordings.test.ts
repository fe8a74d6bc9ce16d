// Soniox as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import { asynchronousVendors } from '../../../test/props/transcription-vendors/asynchronous.ts'
import { jobIn, plain, run } from '../../../test/props/transcription-vendors/fixture.ts'
import {
  between,
  jsonOf,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'

const scripted = asynchronousVendors.soniox

const { loopback, requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [[between(1, 3), /Soniox counts.*leave out num_speakers/]])

it('gets the options of a recording, and is cleaned up afterwards', async () => {
  const received = await requestsFor({ ...between(1, 20), language: 'de', keyterms: ['Ada'] })
  expect(jsonOf(received[1])).toEqual({
    model: 'stt-async-v5',
    file_id: 'f1',
    enable_language_identification: true,
    language_hints: ['de'],
    language_hints_strict: true,
    enable_speaker_diarization: true,
    context: { terms: ['Ada'] },
  })
  expect(loopback().asked().slice(-3)).toEqual([
    'GET /v1/transcriptions/s1/transcript',
    'DELETE /v1/transcriptions/s1',
    'DELETE /v1/files/f1',
  ])
})

it('Soniox files are deleted after a refused or failed transcription', async () => {
  const { open, spoken, pollRoute, failed } = scripted
  const refused = { status: 400, body: { message: 'No such model.' } }
  loopback().script = { ...spoken, 'POST /v1/transcriptions': refused }
  const { job } = await jobIn(loopback().folder, 2, plain)
  await expect(run(open(loopback().server), job)).rejects.toThrow(/answered 400: .*No such model/)
  expect(loopback().asked()).toEqual(['POST /v1/files', 'POST /v1/transcriptions', 'DELETE /v1/files/f1'])
  loopback().script = { ...spoken, [pollRoute]: failed, 'DELETE /v1/transcriptions/s1': { status: 500 } }
  await expect(run(open(loopback().server), job)).rejects.toThrow(
    'Soniox could not transcribe it: Broken, ….',
  )
  expect(loopback().asked().slice(-2)).toEqual(['DELETE /v1/transcriptions/s1', 'DELETE /v1/files/f1'])
})
