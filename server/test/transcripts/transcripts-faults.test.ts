// A short run of the crash test in faults/, with the offline engine, and proof that its checker can fail.
import { describe, expect, it } from 'vitest'
import { killTranscribers } from '../../../faults/transcribers-killed.ts'
import { checkTranscripts, isClean, type TranscriptsEvidence } from '../../../faults/transcript-check.ts'

it('after a kill during a transcription, the next process resumes it and gets the same words', async ({
  skip,
}) => {
  const outcome = await killTranscribers({ transcripts: 1, seconds: 36, killsOfEach: 1, say() {} })
  if (typeof outcome === 'string') return skip(outcome)
  expect(outcome.complaints).toEqual([])
  expect(outcome).toMatchObject({ completed: 1, kills: 1 })
})

describe('the checker', () => {
  const one = { transcriptId: 'a', status: 'completed', error: null, tries: 3, kills: 2 }
  const honest = { ...one, found: 'words', noted: ['piece 0', 'piece 1'] }
  const check = (doctored: object, more: Partial<TranscriptsEvidence> = {}) =>
    checkTranscripts({
      undisturbed: 'words',
      transcripts: [{ ...honest, ...doctored }],
      leftBehind: [],
      ...more,
    })

  it('accepts transcripts that were resumed', () => {
    expect(check({})).toMatchObject({ completed: 1, kept: 2, complaints: [] })
  })

  it.each([
    ['a transcript that was given up', 'lost', check({ status: 'failed' })],
    ['a transcript that never ended', 'lost', check({ status: 'processing' })],
    ['an attempt that no kill explains', 'lost', check({ kills: 1 })],
    ['other words', 'different', check({ found: 'swords' })],
    ['a piece that was transcribed twice', 'repeated', check({ noted: ['piece 0', 'piece 0'] })],
    ['audio that was left behind', 'leftBehind', check({}, { leftBehind: ['the sound of a'] })],
  ] as const)('notices %s', (_what, kind, findings) => {
    expect(findings[kind]).toBe(1)
    expect(isClean(findings)).toBe(false)
  })
})
