// What people have corrected in a transcript: the names of its speakers, and the words of its segments. What the engine
// heard stays as it is.
import { z } from 'zod'
import { transcriptAddresses } from '../addresses.ts'
import { Author } from '../author.ts'
import { exampleIds, exampleTimes } from '../example-values.ts'
import { operation } from '../operation.ts'
import { Id, listOf, Text, Timestamp } from '../words.ts'
import { mostSpeakers, Speaker } from './transcript.ts'

// The largest number of a version that the database can count to.
const Version = z.int().min(0).max(2_147_483_647)

const corrections = {
  speakers: z
    .array(
      z
        .strictObject({
          speaker: Speaker.describe('One of the speakers of the transcript.'),
          name: Text.min(1).max(100).describe('What this speaker is called.'),
        })
        .describe('The name of one speaker.'),
    )
    .max(mostSpeakers)
    .describe('The speakers that have a name, each at most once. Left out, a speaker has none.'),
  segments: listOf(
    z
      .strictObject({
        id: z.int().min(0).describe('The place of the segment in the transcript, counted from 0.'),
        text: Text.max(10_000).describe('What is said there. Empty: nothing.'),
      })
      .describe('The words of one segment.'),
  ).describe(
    'The segments whose words were corrected, each at most once. Left out, a segment is as it was heard.',
  ),
}

/** The places of keys that stand earlier in the list as well. */
function repeated(keys: readonly (string | number)[]): number[] {
  const seen = new Set<string | number>()
  return keys.flatMap((key, at) => (seen.size < seen.add(key).size ? [] : [at]))
}

const NewCorrections = z
  .strictObject({
    ...corrections,
    base_version: Version.describe(
      'The version that these corrections were made from, counted from 1; 0: there were none. If others have been saved since, nothing is written.',
    ),
  })
  .superRefine(({ speakers, segments }, context) => {
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message, input: path })
    for (const at of repeated(speakers.map(({ speaker }) => speaker)))
      refuse(['speakers', at, 'speaker'], 'Must be unique: this speaker has a name already.')
    for (const at of repeated(segments.map(({ id }) => id)))
      refuse(['segments', at, 'id'], 'Must be unique: this segment is there already.')
  })
  .meta({ id: 'NewCorrections', description: 'Corrections of a transcript as they are written.' })
export type NewCorrections = z.infer<typeof NewCorrections>

const Corrections = z
  .strictObject({
    transcript_id: Id.describe('The transcript that was corrected.'),
    version: Version.describe(
      'Counted from 1, one more with every change; give it as `base_version` to change them. 0: nobody has corrected anything.',
    ),
    ...corrections,
    author: Author.nullable().describe('Who saved them. null: nobody has corrected anything.'),
    saved_at: Timestamp.nullable().describe('When they were saved. null: nobody has corrected anything.'),
  })
  .meta({ id: 'Corrections', description: 'Corrections of a transcript as they are read.' })
export type Corrections = z.infer<typeof Corrections>

const ByTranscript = z.strictObject({
  id: Id.describe('The transcript_id that `createTranscript` or `transcribeNow` answered with.'),
})
const tag = 'Transcripts'
const params = { id: exampleIds.transcript }

const example = {
  speakers: [{ speaker: 'SPEAKER_00', name: 'Ada' }],
  segments: [{ id: 0, text: 'Good morning, everyone. Shall we begin?' }],
}
const stored = {
  transcript_id: exampleIds.transcript,
  version: 1,
  ...example,
  author: { type: 'user', id: exampleIds.notice, name: 'ada@example.com' },
  saved_at: exampleTimes.later,
}

export const getTranscriptCorrections = operation({
  ...transcriptAddresses.getTranscriptCorrections,
  tag,
  summary: 'Read the corrections of a transcript',
  description:
    'The names of speakers and the words that people have corrected, in the dashboard or with `putTranscriptCorrections`, and who did so last. `getTranscript` goes on answering with what the engine heard; apply these to its speakers and segments.',
  params: ByTranscript,
  data: Corrections,
  example: { params, data: stored },
})

export const putTranscriptCorrections = operation({
  ...transcriptAddresses.putTranscriptCorrections,
  tag,
  summary: 'Replace the corrections of a transcript',
  description:
    'Replaces all of them; with two empty lists the transcript is what was heard again. Of two people who correct at the same time, the second is refused with CORRECTIONS_CONFLICT and loses nothing: read what there is now with `getTranscriptCorrections`, and send both. A request that changes nothing makes no version, so it may be repeated. They are deleted with the transcript.',
  params: ByTranscript,
  body: NewCorrections,
  data: Corrections,
  example: { params, body: { ...example, base_version: 0 }, data: stored },
})
