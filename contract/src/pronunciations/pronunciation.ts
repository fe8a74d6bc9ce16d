// The pronunciation dictionary of a workspace: how names and words are said.
import { z } from 'zod'
import { Id, Text, Timestamp } from '../words.ts'

const Written = Text.trim()
  .min(1)
  .max(100)
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'Must have a letter or a digit.')

const SayAs = Text.trim().min(1).max(200)

/** What IPA consists of: letters, marks of length, stress and tone, ties and the dots between syllables. */
const Ipa = Text.trim()
  .min(1)
  .max(200)
  .regex(
    /^[\p{L}\p{M}ˈˌːˑ.‿|‖ ˞ʼ˥˦˧˨˩ꜛꜜ-]+$/u,
    'Must be in the International Phonetic Alphabet, without slashes or brackets.',
  )

export const LanguageTag = z
  .string()
  .trim()
  .min(2)
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/, 'Must be a language code, such as es or es-MX.')

const wish = {
  written: Written.describe(
    'As it stands in the text, whole words: "Siobhan", "Dr. Nguyen", "SQL". Capitals do not matter.',
  ),
  say_as: SayAs.nullish().describe(
    'Spelled as it sounds in the language of the call: "shivawn". Left out or null: only `ipa` says it. One of `say_as` and `ipa` is needed; with both, `ipa` is used where the voice takes it.',
  ),
  ipa: Ipa.nullish().describe(
    'In the International Phonetic Alphabet, without slashes: "ʃɪˈvɔːn". Left out or null: only `say_as` says it. Used by the offline voices and by vendors that take phonemes.',
  ),
  language: LanguageTag.nullish().describe(
    'Only in calls in this language, as a code such as `es`. Left out or null: in all.',
  ),
  agent_id: Id.nullish().describe(
    'Only in calls of this agent, where it takes precedence. Left out or null: in all calls of the workspace.',
  ),
}

export const NewPronunciation = z.strictObject(wish)
export type NewPronunciation = z.infer<typeof NewPronunciation>

export const PronunciationChange = z.strictObject({ ...wish, written: wish.written.optional() })
export type PronunciationChange = z.infer<typeof PronunciationChange>

export const StoredPronunciation = z.strictObject({
  pronunciation_id: Id.describe('The id of this entry.'),
  written: Text.max(100).describe('As it stands in the text.'),
  say_as: Text.max(200).nullable().describe('Spelled as it sounds; null: it is given by `ipa` only.'),
  ipa: Text.max(200).nullable().describe('Its sounds; null: it is given by `say_as` only.'),
  language: Text.max(35).nullable().describe('The language it is for; null: all.'),
  agent_id: Id.nullable().describe('The agent it is for; null: all.'),
  created_at: Timestamp.describe('When it was created.'),
  updated_at: Timestamp.describe('When it was last changed.'),
})
export type StoredPronunciation = z.infer<typeof StoredPronunciation>
