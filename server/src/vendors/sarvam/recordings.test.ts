// Sarvam as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import {
  between,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'
import { synchronousVendors } from '../../../test/props/transcription-vendors/synchronous.ts'

const scripted = synchronousVendors.sarvam

const { requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [
  [between(1, 20), /Sarvam does not tell speakers apart/],
  [{ align: true }, /Sarvam gives no times of words/],
  [{ language: 'fr' }, /"fr". It knows: as, bn/],
  [{ keyterms: ['Ada'] }, /PARLEY_STT_MODEL to saaras:v4/],
])

it('gets the options of a recording', async () => {
  const [received] = await requestsFor({ language: 'or' })
  expect(received?.what).toBe('POST /speech-to-text')
  expect(received?.fields).toMatchObject({ model: ['saaras:v3'], language_code: ['od-IN'] })
})
