// Scripted vendors with asynchronous jobs: submit, then poll.
import { transcribesRecordings as assemblyTranscription } from '../../../src/vendors/assembly/recordings.ts'
import { transcribesRecordings as gladiaTranscription } from '../../../src/vendors/gladia/recordings.ts'
import { transcribesRecordings as sonioxTranscription } from '../../../src/vendors/soniox/recordings.ts'
import type { Reply, Script } from './fixture.ts'
import { all, inMs, type ScriptedVendor, said, sentences } from './said.ts'

export interface ScriptedAsyncVendor extends ScriptedVendor {
  readonly pollRoute: string
  /** The requests that submit a job, in order. */
  readonly submitRoutes: readonly string[]
  readonly working: Reply
  readonly failed: Reply
}

const assembly = (words: unknown[]) => ({
  body: { id: 't1', status: 'completed', language_code: 'en_us', language_confidence: 0.98, text: '', words },
})
const gladia = (utterances: unknown[]) => ({
  body: {
    id: 'g1',
    status: 'done',
    result: {
      metadata: { audio_duration: 2 },
      transcription: { full_transcript: '', languages: ['en'], utterances },
      diarization: { success: true, error: null },
    },
  },
})
/** Soniox sends sub-word tokens: 'Hello' as 'Hel' and 'lo'. */
const subWords = said.flatMap(({ text, start, end, speaker, confidence }, at) => {
  const middle = (start + end) / 2
  const rest = { speaker: String(speaker + 1), language: 'en', confidence }
  return [
    {
      ...rest,
      text: `${at === 0 ? '' : ' '}${text.slice(0, 3)}`,
      start_ms: inMs(start),
      end_ms: inMs(middle),
    },
    { ...rest, text: text.slice(3), start_ms: inMs(middle), end_ms: inMs(end) },
  ]
})

export const asynchronousVendors = {
  assembly: asyncVendor({
    name: 'AssemblyAI',
    counts: true,
    open: assemblyTranscription,
    key: ['authorization', 'sk-test-key'],
    confidence: { sentence: 0.85, language: 0.98 },
    submission: {
      'POST /v2/upload': { body: { upload_url: 'https://cdn.assemblyai.com/upload/u1' } },
      'POST /v2/transcript': { body: { id: 't1', status: 'queued' } },
    },
    pollRoute: 'GET /v2/transcript/t1',
    working: { body: { id: 't1', status: 'processing' } },
    failed: { body: { id: 't1', status: 'error', error: 'The file of sk-test-key is broken.' } },
    spoken: assembly(
      said.map(({ speaker, start, end, ...word }) => ({
        ...word,
        start: inMs(start),
        end: inMs(end),
        speaker: 'AB'[speaker],
      })),
    ),
    silent: assembly([]),
  }),
  gladia: asyncVendor({
    name: 'Gladia',
    counts: true,
    open: gladiaTranscription,
    key: ['x-gladia-key', 'sk-test-key'],
    confidence: { sentence: 0.9, language: null },
    submission: {
      'POST /v2/upload': { body: { audio_url: 'https://api.gladia.io/file/u1', audio_metadata: {} } },
      'POST /v2/pre-recorded': {
        status: 201,
        body: { id: 'g1', result_url: 'https://elsewhere.example/v2/pre-recorded/g1' },
      },
    },
    pollRoute: 'GET /v2/pre-recorded/g1',
    working: { body: { id: 'g1', status: 'processing', result: null } },
    failed: { body: { id: 'g1', status: 'error', error_code: 500, result: null } },
    spoken: gladia(
      sentences.map(({ words, ...sentence }) => ({
        ...sentence,
        confidence: 0.9,
        words: words.map(({ text, ...word }) => ({ ...word, word: ` ${text}` })),
      })),
    ),
    silent: gladia([]),
  }),
  soniox: asyncVendor({
    name: 'Soniox',
    open: sonioxTranscription,
    key: ['authorization', 'Bearer sk-test-key'],
    confidence: { sentence: 0.85, language: null },
    submission: {
      'POST /v1/files': { status: 201, body: { id: 'f1', filename: 'sound.wav' } },
      'POST /v1/transcriptions': { status: 201, body: { id: 's1', status: 'queued' } },
    },
    pollRoute: 'GET /v1/transcriptions/s1',
    working: { body: { id: 's1', status: 'processing', file_id: 'f1' } },
    failed: { body: { id: 's1', status: 'error', file_id: 'f1', error_message: 'Broken, sk-test-key.' } },
    spoken: { body: { id: 's1', status: 'completed', file_id: 'f1' } },
    silent: { body: { id: 's1', status: 'completed', file_id: 'f1' } },
    afterwards: (isSpoken) => ({
      'GET /v1/transcriptions/s1/transcript': { body: { id: 's1', tokens: isSpoken ? subWords : [] } },
      'DELETE /v1/transcriptions/s1': { status: 204, body: '' },
      'DELETE /v1/files/f1': { status: 204, body: '' },
    }),
  }),
}

type Parts = Omit<ScriptedAsyncVendor, 'reports' | 'submitRoutes' | 'spoken' | 'silent'> & {
  /** Takes a least and a greatest number of speakers. */
  readonly counts?: boolean
  readonly submission: Script
  readonly spoken: Reply
  readonly silent: Reply
  /** The requests after the job has completed. */
  afterwards?(isSpoken: boolean): Script
}

function asyncVendor({
  counts = false,
  submission,
  spoken,
  silent,
  afterwards,
  ...rest
}: Parts): ScriptedAsyncVendor {
  return {
    ...rest,
    reports: { ...all, counts },
    submitRoutes: Object.keys(submission),
    spoken: { ...submission, ...afterwards?.(true), [rest.pollRoute]: [rest.working, spoken] },
    silent: { ...submission, ...afterwards?.(false), [rest.pollRoute]: silent },
  }
}
