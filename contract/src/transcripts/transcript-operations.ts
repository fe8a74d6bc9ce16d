// Every operation of the speech-to-text service, in the order of its reference.
import { z } from 'zod'
import { transcriptAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { type Operation, operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id } from '../words.ts'
import { NewTranscript, SpeechFile, Transcript, TranscriptStatus, TranscriptSummary } from './transcript.ts'
import { getTranscriptCorrections, putTranscriptCorrections } from './transcript-corrections.ts'

const ByFile = z.strictObject({ id: Id.describe('The file_id that `uploadFile` answered with.') })
const ByTranscript = z.strictObject({
  id: Id.describe('The transcript_id that `createTranscript` or `transcribeNow` answered with.'),
})
const Format = z.enum(['json', 'text', 'srt', 'vtt'])
export type TranscriptFormat = z.infer<typeof Format>

const file = {
  file_id: exampleIds.file,
  filename: 'meeting.mp3',
  bytes: 4_812_044,
  media_type: 'audio/mpeg',
  duration: 300.7,
  created_at: exampleTimes.created,
  expires_at: '2026-02-07T09:30:00.000Z',
  url: 'https://parley.example.com/files/0198a5b2-7c40-7d11-8e22-3f4455667788/content?expires=1780000000&signature=…',
}

const byFile = { params: { id: exampleIds.file } }
const byTranscript = { params: { id: exampleIds.transcript } }

const summary = {
  transcript_id: exampleIds.transcript,
  status: 'completed',
  progress: 1,
  file_id: file.file_id,
  language: 'en',
  language_confidence: 0.98,
  duration: file.duration,
  error: null,
  metadata: null,
  created_at: exampleTimes.created,
  completed_at: exampleTimes.later,
}

const transcript = {
  ...summary,
  text: 'Good morning. Shall we begin?',
  speakers: [{ speaker: 'SPEAKER_00', talk_time: 2.4 }],
  segments: [
    {
      id: 0,
      start: 0.4,
      end: 2.8,
      speaker: 'SPEAKER_00',
      text: 'Good morning. Shall we begin?',
      confidence: 0.94,
      words: [{ word: 'Good', start: 0.4, end: 0.7, confidence: 0.97, speaker: 'SPEAKER_00' }],
    },
  ],
  translation: null,
}

export const uploadFile = operation({
  ...transcriptAddresses.uploadFile,
  tag: 'Files',
  summary: 'Upload a recording',
  description:
    'Audio or video of any usual kind, as `file` of multipart/form-data or as the raw body; it is streamed to storage and may be large. What it is, is decided by its content, and a file without readable sound is refused with NOT_AUDIO. It is kept for some days (`expires_at`). Continue with `createTranscript`.',
  file: 'required',
  status: 201,
  data: SpeechFile,
  example: { form: {}, data: file },
})

export const getFile = operation({
  ...transcriptAddresses.getFile,
  tag: 'Files',
  summary: 'Read what is known of a file',
  description:
    'Size, kind and length, and when it will be deleted; never its contents. A file that was deleted or has expired is FILE_NOT_FOUND.',
  params: ByFile,
  data: SpeechFile,
  example: { ...byFile, data: file },
})

export const deleteFile = operation({
  ...transcriptAddresses.deleteFile,
  tag: 'Files',
  summary: 'Delete a file',
  description:
    'Removes the recording from storage before it expires. Its transcripts stay; `deleteTranscript` removes those. A file that is being transcribed is refused with RESOURCE_IN_USE.',
  params: ByFile,
  data: z.strictObject({
    file_id: Id.describe('The file that was deleted.'),
    deleted: z.literal(true).describe('It is deleted.'),
  }),
  example: { ...byFile, data: { file_id: exampleIds.file, deleted: true } },
})

const Queued = z.strictObject({
  transcript_id: Id.describe('Names the transcript in every other request.'),
  status: z.literal('queued').describe('It waits for an engine.'),
})
const wish = { file_id: file.file_id, diarize: true, num_speakers: 2, align: true }

export const createTranscript = operation({
  ...transcriptAddresses.createTranscript,
  tag: 'Transcripts',
  summary: 'Have a recording transcribed in the background',
  description:
    'The answer comes at once: read the transcript with `getTranscript` until it is completed, or give a `callback_url` that gets a signed POST. An option that the configured engine does not support is refused with OPTION_NOT_SERVED, which names the engine and what to do. A request that is sent twice is carried out twice: this service has no idempotency keys.',
  body: NewTranscript,
  status: 202,
  data: Queued,
  example: {
    body: wish,
    data: { transcript_id: exampleIds.transcript, status: 'queued' },
  },
})

export const transcribeNow = operation({
  ...transcriptAddresses.transcribeNow,
  tag: 'Transcripts',
  summary: 'Have a recording transcribed and wait for it',
  description:
    'As JSON, or as multipart/form-data with the recording in `file` beside the same fields. The answer is the whole transcript, completed or failed. After 300 seconds (by default) it answers with what there is, `status` processing, and the work goes on: read it with `getTranscript`.',
  body: NewTranscript,
  file: 'allowed',
  data: Transcript,
  example: { body: wish, form: { diarize: true }, data: transcript },
})

export const listTranscripts = operation({
  ...transcriptAddresses.listTranscripts,
  tag: 'Transcripts',
  summary: 'List transcripts, newest first',
  description: 'Without their words; `getTranscript` reads one of them whole, or as text or subtitles.',
  query: PageQuery.extend({
    status: TranscriptStatus.optional().describe('Only transcripts with this status. Left out: with any.'),
  }),
  data: pageOf(TranscriptSummary),
  example: { query: { status: 'completed' }, data: onePage(summary) },
})

export const getTranscript = operation({
  ...transcriptAddresses.getTranscript,
  tag: 'Transcripts',
  summary: 'Read a transcript, its text or its subtitles',
  description:
    'What the engine heard: at any time as JSON, with `progress` and what is known so far; as text, SRT or WebVTT once it is completed, before that it is refused with TRANSCRIPT_NOT_READY. What people have corrected is read with `getTranscriptCorrections`.',
  params: ByTranscript,
  query: z.strictObject({
    format: Format.default('json').meta({
      description: 'json has the envelope; text, srt and vtt are sent as they are.',
    }),
  }),
  answers: 'json-or-text',
  data: Transcript,
  example: {
    ...byTranscript,
    query: { format: 'json' },
    data: transcript,
    texts: {
      'text/plain': 'Good morning. Shall we begin?\n',
      'application/x-subrip': '1\n00:00:00,400 --> 00:00:02,800\nGood morning. Shall we begin?\n',
      'text/vtt': 'WEBVTT\n\n00:00:00.400 --> 00:00:02.800\nGood morning. Shall we begin?\n',
    },
  },
})

export const deleteTranscript = operation({
  ...transcriptAddresses.deleteTranscript,
  tag: 'Transcripts',
  summary: 'Delete a transcript',
  description:
    'Removes the transcript with its corrections, and its stored file if no other transcript needs that. One that is under way is broken off, and no callback is sent.',
  params: ByTranscript,
  data: z.strictObject({
    transcript_id: Id.describe('The transcript that was deleted.'),
    deleted: z.literal(true).describe('It is deleted.'),
  }),
  example: { ...byTranscript, data: { transcript_id: exampleIds.transcript, deleted: true } },
})

const CallbackSecret = z.strictObject({
  secret: z.string().max(128).meta({
    pattern: '^whsec_',
    description: 'Signs every callback of the workspace, as a whole with its prefix whsec_.',
  }),
})

const secret = 'whsec_3yBqW0xkP7n2TfVhJc9LrD5mQa8ZsUeG1iXoNwKdRtE='

export const getCallbackSecret = operation({
  ...transcriptAddresses.getCallbackSecret,
  tag: 'Callbacks',
  summary: 'Read the secret that signs callbacks',
  description:
    'One secret for all callbacks of the workspace, made when it is first read or needed. Receivers check a callback like an event of a call: see the [guide](/docs/guide/receiving-events).',
  data: CallbackSecret,
  example: { data: { secret } },
})

export const rotateCallbackSecret = operation({
  ...transcriptAddresses.rotateCallbackSecret,
  tag: 'Callbacks',
  summary: 'Replace the secret that signs callbacks',
  description:
    'Callbacks are signed with the new secret at once, also those that are tried again; the former one stops working. `getCallbackSecret` shows the new one at any time.',
  data: CallbackSecret,
  example: { data: { secret } },
})

export const transcriptOperations: readonly Operation[] = [
  ...[uploadFile, getFile, deleteFile],
  ...[createTranscript, transcribeNow, listTranscripts, getTranscript, deleteTranscript],
  ...[getTranscriptCorrections, putTranscriptCorrections],
  ...[getCallbackSecret, rotateCallbackSecret],
]
