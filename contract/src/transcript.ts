// Recordings and their transcripts: the messages of the speech-to-text service.
import { z } from 'zod'
import { Id, Open, Text, Timestamp } from './words.ts'

/** Seconds from the beginning of the recording. */
const Seconds = z.number().min(0)
const Share = z.number().min(0).max(1)

const LanguageCode = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  .meta({ description: 'A language code, as in en, de or pt-BR.', examples: ['en'] })

const Url = z.url().max(2048)

export const SpeechFile = z
  .strictObject({
    file_id: Id,
    filename: Text.nullable(),
    bytes: z.int().min(0),
    media_type: Text.meta({ description: 'What the file is by its content, whatever it was called.' }),
    duration: Seconds.nullable().meta({ description: 'Seconds; null when the file does not say.' }),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'File' })
export type SpeechFile = z.infer<typeof SpeechFile>

/** More speakers than any engine can tell apart. */
export const mostSpeakers = 20
const Speakers = z.int().min(1).max(mostSpeakers)

export const NewTranscript = z
  .strictObject({
    file_id: Id.nullish().meta({ description: 'A file that was uploaded. Either this or audio_url.' }),
    audio_url: Url.optional().meta({ description: 'A public https address of the recording.' }),
    language: LanguageCode.nullish().meta({ description: 'What is spoken; found out when it is left out.' }),
    diarize: z.boolean().default(false).meta({ description: 'Tell speakers apart.' }),
    num_speakers: Speakers.optional().meta({ description: 'How many there are, when that is known.' }),
    min_speakers: Speakers.optional(),
    max_speakers: Speakers.optional(),
    align: z.boolean().default(false).meta({ description: 'Give the time of every word.' }),
    translate_to: LanguageCode.optional().meta({ description: 'Also translate into this language.' }),
    keyterms: z
      .array(z.string().min(1).max(100).meta({ pattern: '^[^\\x00]*$' }))
      .max(100)
      .default([])
      .meta({ description: 'Names and terms to be expected.' }),
    callback_url: Url.optional().meta({
      description: 'A public https address that gets a signed POST when the transcript is done.',
    }),
    metadata: Open.nullish().meta({ description: 'Yours; kept and given back.' }),
  })
  .meta({ id: 'NewTranscript' })
export type NewTranscript = z.output<typeof NewTranscript>

export const TranscriptStatus = z.enum(['queued', 'processing', 'completed', 'failed'])
export type TranscriptStatus = z.infer<typeof TranscriptStatus>

const Speaker = z
  .string()
  .max(20)
  .meta({ pattern: '^SPEAKER_\\d\\d$', examples: ['SPEAKER_00'] })
const Confidence = Share.nullable()

const Word = z.strictObject({
  word: Text,
  start: Seconds,
  end: Seconds,
  confidence: Confidence,
  speaker: Speaker.nullable(),
})

export const Segment = z
  .strictObject({
    id: z.int().min(0),
    start: Seconds,
    end: Seconds,
    speaker: Speaker.nullable(),
    text: Text,
    confidence: Confidence,
    words: z.array(Word).max(100_000).meta({ description: 'Empty unless align was asked for.' }),
  })
  .meta({ id: 'Segment' })
export type Segment = z.infer<typeof Segment>

const Translation = z.strictObject({
  language: LanguageCode,
  text: Text,
  segments: z.array(z.strictObject({ id: z.int().min(0), text: Text })).max(100_000),
})

const summary = {
  transcript_id: Id,
  status: TranscriptStatus,
  progress: Share.meta({ description: 'From 0 to 1.' }),
  file_id: Id.nullable().meta({ description: 'The stored file; null when there is none, or no longer.' }),
  language: LanguageCode.nullable(),
  language_confidence: Confidence,
  duration: Seconds.nullable(),
  error: Text.nullable().meta({
    description: 'Why it failed, or why it was completed without its translation, in one sentence.',
  }),
  metadata: Open.nullable(),
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
}

export const TranscriptSummary = z.strictObject(summary).meta({ id: 'TranscriptSummary' })
export type TranscriptSummary = z.infer<typeof TranscriptSummary>

/** What an engine found in a recording; stored as it is sent. */
export const findings = {
  text: Text,
  speakers: z.array(z.strictObject({ speaker: Speaker, talk_time: Seconds })).max(mostSpeakers),
  segments: z.array(Segment).max(100_000),
  translation: Translation.nullable(),
}

export const Transcript = z.strictObject({ ...summary, ...findings }).meta({ id: 'Transcript' })
export type Transcript = z.infer<typeof Transcript>

/** The body of a callback. */
export const TranscriptEvent = z
  .strictObject({
    id: Id.meta({ description: 'The same in every attempt; deduplicate by it.' }),
    type: z.enum(['transcript.completed', 'transcript.failed']),
    created_at: Timestamp,
    data: TranscriptSummary,
  })
  .meta({ id: 'TranscriptEvent' })
export type TranscriptEvent = z.infer<typeof TranscriptEvent>
