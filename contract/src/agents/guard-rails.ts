// An agent's guard rails, as they are written in `api_tools.guard_rails`.
import { z } from 'zod'

export const personalDataKinds = [
  'card_number',
  'email',
  'phone',
  'iban',
  'date_of_birth',
  'national_id',
] as const

const mostEntries = 200
const longestPhrase = 200

const Phrase = z
  .string('must be a text')
  .trim()
  .min(1, 'must not be empty')
  .max(longestPhrase, `must have at most ${longestPhrase} characters`)
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must have a letter or a digit')

const Phrases = z
  .array(Phrase, 'must be a list of texts')
  .max(mostEntries, `must have at most ${mostEntries} entries`)

const longestSentence = 2_000
const Sentence = z.union(
  [z.string().trim().min(1).max(longestSentence), z.record(z.string(), z.string().max(longestSentence))],
  'must be a text, or texts by language code',
)

const Topic = z.union(
  [
    Phrase.transform((topic) => ({ topic, examples: [], words: [] })),
    z.strictObject({ topic: Phrase, examples: Phrases.default([]), words: Phrases.default([]) }),
  ],
  'must be a text, or {topic, examples, words}',
)

export const GuardRailsConfig = z.strictObject(
  {
    refuse_topics: z.array(Topic, 'must be a list of topics').max(mostEntries).nullish(),
    refusal: Sentence.nullish(),
    never_say: Phrases.nullish(),
    replacement: Sentence.nullish(),
    mask: z
      .union(
        [z.literal('all').transform(() => [...personalDataKinds]), z.array(z.enum(personalDataKinds))],
        `must be "all" or a list of ${personalDataKinds.join(', ')}`,
      )
      .nullish(),
    recording: z.enum(['on', 'off', 'ask'], 'must be on, off or ask').nullish(),
    consent: z
      .strictObject(
        {
          question: Sentence.nullish(),
          refused: Sentence.nullish(),
          needs_yes: z.boolean('must be true or false').nullish(),
        },
        closed('question, refused and needs_yes'),
      )
      .nullish(),
  },
  closed('refuse_topics, refusal, never_say, replacement, mask, recording and consent'),
)
export type GuardRailsConfig = z.infer<typeof GuardRailsConfig>

/** The error for an object with other keys, or for something that is not an object. */
function closed(keys: string) {
  return {
    error: (issue: z.core.$ZodRawIssue) =>
      issue.code === 'unrecognized_keys'
        ? `has no key ${issue.keys.join(', ')}; there are ${keys}`
        : `must be an object with ${keys}`,
  }
}
