// Recordings and their transcripts: the messages of the speech-to-text service.
import { z } from 'zod'
import { Id, Open, Text, Timestamp } from '../words.ts'

/** A time in seconds from the beginning of the recording. */
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
    file_id: Id.describe('Names the file; `createTranscript` takes it.'),
    filename: Text.nullable().describe('As it was uploaded. null: no name was given.'),
    bytes: z.int().min(0).describe('The size in bytes.'),
    media_type: Text.meta({ description: 'What the file is by its content, whatever it was called.' }),
    duration: Seconds.nullable().meta({ description: 'The length in seconds. null: the file does not say.' }),
    created_at: Timestamp.describe('When it was uploaded.'),
    expires_at: Timestamp.describe('When it is deleted.'),
    url: Text.describe(
      'The recording itself, for players: a signed address that needs no key and expires. Reading the file again signs a new one.',
    ),
  })
  .meta({ id: 'File', description: 'A recording that was uploaded.' })
export type SpeechFile = z.infer<typeof SpeechFile>

/** The most speakers, more than any engine can tell apart. */
export const mostSpeakers = 20
const Speakers = z.int().min(1).max(mostSpeakers)

export const NewTranscript = z
  .strictObject({
    file_id: Id.nullish().meta({
      description:
        'A file that was uploaded. Either this or `audio_url`. Left out: the recording is elsewhere.',
    }),
    audio_url: Url.optional().meta({
      description:
        'A public https address of the recording, fetched without following redirects. Left out: it was uploaded.',
    }),
    language: LanguageCode.nullish().meta({
      description: 'What is spoken, as a code such as `en` or `pt-BR`. Left out: it is detected.',
    }),
    diarize: z.boolean().default(false).meta({ description: 'Whether to tell speakers apart.' }),
    num_speakers: Speakers.optional().meta({
      description: 'How many speakers there are, with `diarize`. Left out: the engine counts them.',
    }),
    min_speakers: Speakers.optional().describe(
      'How many speakers there are at least, with `diarize`. Left out: 1.',
    ),
    max_speakers: Speakers.optional().describe(
      'How many speakers there are at most, with `diarize`. Left out: 20.',
    ),
    align: z.boolean().default(false).meta({ description: 'Whether to give the time of every word.' }),
    translate_to: LanguageCode.optional().meta({
      description:
        'Also translate into this language, a code such as `de`; needs a language model. Left out: no translation.',
    }),
    keyterms: z
      .array(z.string().min(1).max(100).meta({ pattern: '^[^\\x00]*$' }))
      .max(100)
      .default([])
      .meta({ description: 'Names and terms to expect, for engines that support it.' }),
    callback_url: Url.optional().meta({
      description:
        'A public https address that gets a signed POST when the transcript is done. Left out: nobody is told.',
    }),
    metadata: Open.nullish().describe('Yours; kept and given back. Left out: none.'),
  })
  .meta({ id: 'NewTranscript', description: 'What to transcribe, and how.' })
export type NewTranscript = z.output<typeof NewTranscript>

export const TranscriptStatus = z.enum(['queued', 'processing', 'completed', 'failed'])
export type TranscriptStatus = z.infer<typeof TranscriptStatus>

export const Speaker = z
  .string()
  .max(20)
  .meta({ pattern: '^SPEAKER_\\d\\d$', examples: ['SPEAKER_00'] })
const Confidence = Share.nullable()

const Word = z
  .strictObject({
    word: Text.describe('As it was said, with its punctuation.'),
    start: Seconds.describe('Seconds from the beginning of the recording.'),
    end: Seconds.describe('Seconds from the beginning of the recording.'),
    confidence: Confidence.describe('How sure the engine is, from 0 to 1. null: it does not say.'),
    speaker: Speaker.nullable().describe('Who said it. null: speakers were not told apart.'),
  })
  .describe('One word with its time.')

export const Segment = z
  .strictObject({
    id: z.int().min(0).describe('Its place in the transcript, counted from 0.'),
    start: Seconds.describe('Seconds from the beginning of the recording.'),
    end: Seconds.describe('Seconds from the beginning of the recording.'),
    speaker: Speaker.nullable().describe('Who said it. null: speakers were not told apart.'),
    text: Text.describe('The sentence.'),
    confidence: Confidence.describe('How sure the engine is, from 0 to 1. null: it does not say.'),
    words: z
      .array(Word)
      .max(100_000)
      .meta({ description: 'Its words with their times; empty unless `align` was asked for.' }),
  })
  .meta({ id: 'Segment', description: 'A sentence of one speaker.' })
export type Segment = z.infer<typeof Segment>

const Translation = z
  .strictObject({
    language: LanguageCode.describe('The language of the translation, a code such as `de`.'),
    text: Text.describe('The whole translation.'),
    segments: z
      .array(
        z
          .strictObject({
            id: z.int().min(0).describe('The place of the segment in the transcript, counted from 0.'),
            text: Text.describe('Its translation.'),
          })
          .describe('The translation of one segment.'),
      )
      .max(100_000)
      .describe('The translation of each segment.'),
  })
  .describe('The transcript in another language.')

const summary = {
  transcript_id: Id.describe('Names the transcript in every other request.'),
  status: TranscriptStatus.describe('queued, processing, completed or failed.'),
  progress: Share.meta({ description: 'The share that is done, from 0 to 1.' }),
  file_id: Id.nullable().meta({ description: 'The stored file; null when there is none, or no longer.' }),
  language: LanguageCode.nullable().describe('What is spoken, given or detected. null: not known yet.'),
  language_confidence: Confidence.describe(
    'How sure the detection is, from 0 to 1. null: the language was given, or is not known yet.',
  ),
  duration: Seconds.nullable().describe('The length of the recording in seconds. null: not known yet.'),
  error: Text.nullable().meta({
    description:
      'Why it failed, or why it was completed without its translation, in one sentence. null: nothing went wrong.',
  }),
  metadata: Open.nullable().describe('Yours, as it was given. null: none was.'),
  created_at: Timestamp.describe('When it was requested.'),
  completed_at: Timestamp.nullable().describe('When it was completed or failed. null: not yet.'),
}

export const TranscriptSummary = z.strictObject(summary).meta({
  id: 'TranscriptSummary',
  description: 'A transcript without its words, as lists and callbacks show it.',
})
export type TranscriptSummary = z.infer<typeof TranscriptSummary>

/** The result of an engine for a recording, stored as it is sent. */
export const findings = {
  text: Text.describe('Everything that was said; empty until it is completed.'),
  speakers: z
    .array(
      z
        .strictObject({
          speaker: Speaker.describe('The name that segments and words refer to.'),
          talk_time: Seconds.describe('Seconds that this speaker talked.'),
        })
        .describe('One of the speakers.'),
    )
    .max(mostSpeakers)
    .describe('Who speaks; empty unless `diarize` was asked for.'),
  segments: z.array(Segment).max(100_000).describe('The sentences in order; empty until it is completed.'),
  translation: Translation.nullable().describe('The translation. null: none was asked for, or it failed.'),
}

export const Transcript = z
  .strictObject({ ...summary, ...findings })
  .meta({ id: 'Transcript', description: 'A transcript with its words.' })
export type Transcript = z.infer<typeof Transcript>

/** The body of a callback. */
export const TranscriptEvent = z
  .strictObject({
    id: Id.meta({ description: 'The same in every attempt; deduplicate by it.' }),
    type: z.enum(['transcript.completed', 'transcript.failed']).describe('What came of it.'),
    created_at: Timestamp.describe('When it was done.'),
    data: TranscriptSummary.describe('The transcript without its words.'),
  })
  .meta({ id: 'TranscriptEvent', description: 'The body of a callback.' })
export type TranscriptEvent = z.infer<typeof TranscriptEvent>
