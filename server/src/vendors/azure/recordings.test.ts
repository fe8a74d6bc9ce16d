// Azure as a transcriber of recordings, against a scripted server.

import { expect, it } from 'vitest'
import {
  between,
  recordingsSuite,
  refusedOptions,
} from '../../../test/props/transcription-vendors/recordings-suite.ts'
import { synchronousVendors } from '../../../test/props/transcription-vendors/synchronous.ts'

const scripted = synchronousVendors.azure

const { requestsFor } = recordingsSuite(scripted)
refusedOptions(scripted, [
  [between(2, 2), /Azure AI Speech takes only the greatest.*max_speakers/],
  [between(1, 1), /two speakers or more/],
])

it('gets the options of a recording', async () => {
  const [received] = await requestsFor({ ...between(1, 3), language: 'no', keyterms: ['Ada'] })
  expect(received?.what).toBe('POST /speechtotext/transcriptions:transcribe')
  expect(received?.query.get('api-version')).toBe('2025-10-15')
  expect(JSON.parse(received?.fields.definition?.[0] ?? '')).toEqual({
    locales: ['nb-NO'],
    diarization: { enabled: true, maxSpeakers: 3 },
    phraseList: { phrases: ['Ada'] },
  })
  const [french] = await requestsFor({ language: 'fr' })
  expect(JSON.parse(french?.fields.definition?.[0] ?? '')).toEqual({ locales: ['fr-FR'] })
})
