// The operations on the pronunciation dictionary.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id } from '../words.ts'
import { LanguageTag, NewPronunciation, PronunciationChange, StoredPronunciation } from './pronunciation.ts'

const ById = z.strictObject({
  id: Id.describe('The pronunciation_id that `createPronunciation` answered with.'),
})
const tag = 'Pronunciations'
const byEntry = { params: { id: exampleIds.pronunciation } }

const entry = {
  pronunciation_id: exampleIds.pronunciation,
  written: 'Siobhan',
  say_as: 'shivawn',
  ipa: 'ʃɪˈvɔːn',
  language: null,
  agent_id: null,
  created_at: exampleTimes.created,
  updated_at: exampleTimes.created,
}

export const createPronunciation = operation({
  ...voiceAddresses.createPronunciation,
  tag,
  summary: 'Say how a word is pronounced',
  description:
    'From the next call on. Needs `say_as`, `ipa` or both. The same `written` for the same agent and language is refused: change the entry with `updatePronunciation`. A workspace has at most 1,000 entries. The [guide](/docs/guide/pronunciation) says what voices make of them.',
  body: NewPronunciation,
  status: 201,
  data: StoredPronunciation,
  example: { body: { written: 'Siobhan', say_as: 'shivawn', ipa: 'ʃɪˈvɔːn' }, data: entry },
})

export const listPronunciations = operation({
  ...voiceAddresses.listPronunciations,
  tag,
  summary: 'List the pronunciation dictionary, newest first',
  description:
    'The entries of the workspace and of its agents, each as `getPronunciation` answers it. A call uses those without an agent and those of its own agent.',
  query: PageQuery.extend({
    agent_id: Id.optional().describe('Only the entries of this agent. Left out: all.'),
    language: LanguageTag.optional().describe('Only the entries of this language. Left out: all.'),
  }),
  data: pageOf(StoredPronunciation),
  example: { query: { page: 1 }, data: onePage(entry) },
})

export const getPronunciation = operation({
  ...voiceAddresses.getPronunciation,
  tag,
  summary: 'Read one entry of the pronunciation dictionary',
  description: 'As `createPronunciation` answered it, with later changes.',
  params: ById,
  data: StoredPronunciation,
  example: { ...byEntry, data: entry },
})

export const updatePronunciation = operation({
  ...voiceAddresses.updatePronunciation,
  tag,
  summary: 'Change how a word is pronounced',
  description:
    'Changes only the keys that are sent; null clears one. Calls under way go on with the entry as it was.',
  params: ById,
  body: PronunciationChange,
  data: StoredPronunciation,
  example: { ...byEntry, body: { say_as: 'shih-vawn' }, data: { ...entry, say_as: 'shih-vawn' } },
})

export const deletePronunciation = operation({
  ...voiceAddresses.deletePronunciation,
  tag,
  summary: 'Remove an entry of the pronunciation dictionary',
  description:
    'From the next call on the word is said as the voice sees fit, or as another entry says. Calls under way go on with it. Entries of an agent are removed with the agent.',
  params: ById,
  data: z.strictObject({
    pronunciation_id: Id.describe('The entry that was removed.'),
    deleted: z.literal(true).describe('It is removed.'),
  }),
  example: { ...byEntry, data: { pronunciation_id: exampleIds.pronunciation, deleted: true } },
})
