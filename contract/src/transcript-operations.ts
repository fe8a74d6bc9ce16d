// Every operation of the speech-to-text service, in the order of its reference.
import { z } from 'zod'
import { transcriptAddresses } from './addresses.ts'
import { type Operation, operation } from './operation.ts'
import { PageQuery, pageOf } from './pagination.ts'
import { NewTranscript, SpeechFile, Transcript, TranscriptStatus, TranscriptSummary } from './transcript.ts'
import { Id } from './words.ts'

const ByFile = z.strictObject({ id: Id.meta({ description: 'The file_id of an upload.' }) })
const ByTranscript = z.strictObject({ id: Id.meta({ description: 'The transcript_id.' }) })
const Format = z.enum(['json', 'text', 'srt', 'vtt'])
export type TranscriptFormat = z.infer<typeof Format>

const file = {
  file_id: '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60',
  filename: 'meeting.mp3',
  bytes: 4_812_044,
  media_type: 'audio/mpeg',
  duration: 300.7,
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: '2026-02-07T09:30:00.000Z',
}

export const uploadFile = operation({
  ...transcriptAddresses.uploadFile,
  tag: 'Files',
  summary: 'Upload a recording, audio or video: as multipart/form-data in file, or as the raw body',
  file: 'required',
  status: 201,
  data: SpeechFile,
  example: { data: file },
})

export const getFile = operation({
  ...transcriptAddresses.getFile,
  tag: 'Files',
  summary: 'Read what is known of a file',
  params: ByFile,
  data: SpeechFile,
  example: { data: file },
})

export const deleteFile = operation({
  ...transcriptAddresses.deleteFile,
  tag: 'Files',
  summary: 'Delete a file; its transcripts stay',
  params: ByFile,
  data: z.strictObject({ file_id: Id, deleted: z.literal(true) }),
})

const Queued = z.strictObject({ transcript_id: Id, status: z.literal('queued') })
const wish = { file_id: file.file_id, diarize: true, num_speakers: 2, align: true }

export const createTranscript = operation({
  ...transcriptAddresses.createTranscript,
  tag: 'Transcripts',
  summary: 'Have a recording transcribed in the background',
  body: NewTranscript,
  status: 202,
  data: Queued,
  example: {
    body: wish,
    data: { transcript_id: '0198b1f3-02aa-7d10-8a6b-2f1f6a0c9d11', status: 'queued' },
  },
})

export const transcribeNow = operation({
  ...transcriptAddresses.transcribeNow,
  tag: 'Transcripts',
  summary:
    'Have a recording transcribed and wait for it: JSON, or multipart/form-data with a file beside the same fields',
  body: NewTranscript,
  file: 'allowed',
  data: Transcript,
  example: { body: wish },
})

export const listTranscripts = operation({
  ...transcriptAddresses.listTranscripts,
  tag: 'Transcripts',
  summary: 'List transcripts without their words, newest first',
  query: PageQuery.extend({ status: TranscriptStatus.optional() }),
  data: pageOf(TranscriptSummary),
})

export const getTranscript = operation({
  ...transcriptAddresses.getTranscript,
  tag: 'Transcripts',
  summary: 'Read a transcript, or its text or subtitles once it is completed',
  params: ByTranscript,
  query: z.strictObject({
    format: Format.default('json').meta({ description: 'text, srt and vtt come without an envelope.' }),
  }),
  answers: 'json-or-text',
  data: Transcript,
})

export const deleteTranscript = operation({
  ...transcriptAddresses.deleteTranscript,
  tag: 'Transcripts',
  summary: 'Delete a transcript, and its stored file if nothing else uses it; one under way is broken off',
  params: ByTranscript,
  data: z.strictObject({ transcript_id: Id, deleted: z.literal(true) }),
})

const CallbackSecret = z.strictObject({
  secret: z.string().max(128).meta({ pattern: '^whsec_', description: 'Signs every callback.' }),
})

export const getCallbackSecret = operation({
  ...transcriptAddresses.getCallbackSecret,
  tag: 'Callbacks',
  summary: 'Read the secret that signs the callbacks of this workspace; made when it is first read or needed',
  data: CallbackSecret,
})

export const rotateCallbackSecret = operation({
  ...transcriptAddresses.rotateCallbackSecret,
  tag: 'Callbacks',
  summary: 'Replace that secret at once',
  data: CallbackSecret,
})

export const transcriptOperations: readonly Operation[] = [
  ...[uploadFile, getFile, deleteFile],
  ...[createTranscript, transcribeNow, listTranscripts, getTranscript, deleteTranscript],
  ...[getCallbackSecret, rotateCallbackSecret],
]
