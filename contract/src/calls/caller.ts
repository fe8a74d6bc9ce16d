// People that agents talk to: what is known of one of them, and how that is erased.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, listOf, Text, Timestamp } from '../words.ts'

const count = () => z.int().min(0)

const Memory = z
  .strictObject({
    agent_id: Id.describe('The agent that remembers it.'),
    calls: count().describe('How many calls with this agent it remembers.'),
    last_call_at: Timestamp.describe('The end of the newest of them.'),
    summary: Text.nullable().describe('Of the newest call that has one. null: none has.'),
    facts: z
      .record(Text, z.unknown())
      .describe('What was extracted from the calls, by field; a newer value replaces an older one.'),
  })
  .describe('What an agent remembers of a caller.')

export const Caller = z
  .strictObject({
    caller: Text.describe('The number in E.164 form, the SIP address, or the `caller_id` of browser calls.'),
    calls: count().describe('How many records of calls with them there are.'),
    recordings: count().describe('How many of these have a recording.'),
    first_call_at: Timestamp.nullable().describe(
      'When the oldest of these was created. null: there is none.',
    ),
    last_call_at: Timestamp.nullable().describe('When the newest of these was created. null: there is none.'),
    memory: listOf(Memory).describe('What agents remember of them, newest first.'),
  })
  .describe('What is known of a caller.')
export type Caller = z.infer<typeof Caller>

const ErasureStatus = z.enum(['queued', 'in_progress', 'completed', 'failed'])

export const Erasure = z
  .strictObject({
    erasure_id: Id.describe('Names the erasure. Keep it: it proves what was done.'),
    status: ErasureStatus.describe('completed: nothing is left. failed: `error` says why; ask again.'),
    progress: z.number().min(0).max(1).describe('How much of it is done, from 0 to 1.'),
    removed: z
      .strictObject({
        calls: count().describe(
          'How many records of calls, with their transcripts, analyses, events and SIP messages.',
        ),
        recordings: count().describe('How many recordings in storage.'),
        events: count().describe('How many bodies of webhook events.'),
        deliveries: count().describe(
          'How many deliveries of these; those that were still to be sent are not sent.',
        ),
        recipients: count().describe(
          'How many recipients of batches, emptied; those that waited are skipped.',
        ),
        memories: count().describe('How many agents had remembered them.'),
        archived: count().describe('How many records of calls and events in files of the archive.'),
      })
      .describe('What was removed so far.'),
    error: Text.nullable().describe('Why it waits or has failed. null: neither.'),
    created_at: Timestamp.describe('When it was asked for.'),
    completed_at: Timestamp.nullable().describe('When it was completed or failed. null: not yet.'),
  })
  .describe('The erasure of a caller. It does not say whose it was.')
export type Erasure = z.infer<typeof Erasure>

const tag = 'Callers'

const ByCaller = z.strictObject({
  number: z
    .string()
    .min(1)
    .max(320)
    .refine((text) => !text.includes('\0'), 'Must not have the character NUL.')
    .meta({
      pattern: '^[^\\x00]*$',
      description:
        'A telephone number in E.164 form, with its + (%2B in an address), a SIP address, or the `caller_id` that browser calls had in their metadata.',
    }),
})
const ById = z.strictObject({ id: Id.describe('The erasure_id that `eraseCaller` answered with.') })
const byCaller = { params: { number: '+4930901820' } }

const erasure = {
  erasure_id: exampleIds.erasure,
  status: 'completed',
  progress: 1,
  removed: { calls: 14, recordings: 11, events: 14, deliveries: 28, recipients: 2, memories: 1, archived: 0 },
  error: null,
  created_at: exampleTimes.created,
  completed_at: exampleTimes.later,
}

export const getCaller = operation({
  ...voiceAddresses.getCaller,
  tag,
  summary: 'What is known of a caller',
  description:
    'How many records there are and what agents remember. A caller is who was called, who called, or the `caller_id` in the metadata of a browser call. The [guide](/docs/guide/callers) says how an agent is allowed to remember.',
  params: ByCaller,
  data: Caller,
  example: {
    ...byCaller,
    data: {
      caller: '+4930901820',
      calls: 14,
      recordings: 11,
      first_call_at: exampleTimes.created,
      last_call_at: exampleTimes.later,
      memory: [
        {
          agent_id: exampleIds.agent,
          calls: 14,
          last_call_at: exampleTimes.later,
          summary: 'Ada moved her appointment to Friday at ten.',
          facts: { name: 'Ada', appointment: '2026-02-06T10:00' },
        },
      ],
    },
  },
})

export const eraseCaller = operation({
  ...voiceAddresses.eraseCaller,
  tag,
  summary: 'Erase everything about a caller',
  description:
    'Removes the records, recordings, transcripts and analyses of all calls with them, the bodies of webhook events, what agents remember, their rows in batches, and what files of the archive have of them. It happens in the background: follow it with `getErasure`. A call that is under way is waited for; those that wait are cancelled. Figures of `getUsage` stay, as they name nobody. Answers that are kept for repeated requests are encrypted and gone after 24 hours. It cannot be undone.',
  params: ByCaller,
  status: 202,
  data: Erasure,
  example: {
    ...byCaller,
    data: {
      ...erasure,
      status: 'queued',
      progress: 0,
      removed: {
        calls: 0,
        recordings: 0,
        events: 0,
        deliveries: 0,
        recipients: 0,
        memories: 0,
        archived: 0,
      },
      completed_at: null,
    },
  },
})

export const getErasure = operation({
  ...voiceAddresses.getErasure,
  tag,
  summary: 'Follow an erasure',
  description: 'Its progress and what was removed. It stays as a proof and does not contain the caller.',
  params: ById,
  data: Erasure,
  example: { params: { id: exampleIds.erasure }, data: erasure },
})

export const listErasures = operation({
  ...voiceAddresses.listErasures,
  tag,
  summary: 'List erasures, newest first',
  description: 'Every erasure that was asked for in this workspace with `eraseCaller`.',
  query: PageQuery,
  data: pageOf(Erasure),
  example: { data: onePage(erasure) },
})
