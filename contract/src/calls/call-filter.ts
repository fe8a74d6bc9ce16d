// What a list of calls can be narrowed to.
import { z } from 'zod'
import { PageQuery } from '../pagination.ts'
import { Id, Text, Timestamp, wholeNumber } from '../words.ts'
import { CallDirection, CallStatus, HangupReason } from './call.ts'

/** The longest length to filter by, in seconds: a day, longer than any call. */
const Seconds = z.int().min(0).max(86_400)

/** A flag that arrives as text in a query string. */
const YesOrNo = z.preprocess((raw) => (raw === 'true' ? true : raw === 'false' ? false : raw), z.boolean())

/** A score from 0 to 100. */
const score = () => wholeNumber(z.int().min(0).max(100)).optional()

export const CallsQuery = PageQuery.extend({
  agent_id: Id.optional().describe('Only calls of this agent. Left out: of all agents.'),
  agent_version: wholeNumber(z.int().min(1).max(2_147_483_647))
    .optional()
    .describe(
      'Only calls that were made with this version of the agent that `agent_id` names, counted from 1. Left out: with any.',
    ),
  batch_id: Id.optional().describe('Only calls of this batch. Left out: all calls.'),
  call_status: CallStatus.optional().describe('Only calls with this status. Left out: with any.'),
  call_type: CallDirection.optional().describe('Only calls of this kind. Left out: of any.'),
  from: Timestamp.optional().meta({
    description:
      'Only calls requested at this time or later; RFC 3339 with an offset. Left out: from the first.',
  }),
  to: Timestamp.optional().meta({
    description: 'Only calls requested before this time; RFC 3339 with an offset. Left out: to the last.',
  }),
  phone_number_id: Id.optional().describe(
    'Only calls that went out from this number of yours or came in by it. Left out: of all numbers.',
  ),
  with_number: YesOrNo.optional().describe(
    'true: only calls over a number of yours; false: only those over none, as in a browser. Left out: all.',
  ),
  search: Text.min(1)
    .max(200)
    .optional()
    .describe(
      'Only calls in which this is found: a whole session_id or call_sid; the beginning or the last digits of a number of either side; or words that were said, all of them, the last one perhaps not complete. Words are found once the call has ended. Left out: all calls.',
    ),
  answered: YesOrNo.optional().describe(
    'true: only ended calls that somebody answered; false: only those that nobody did. Left out: all.',
  ),
  min_duration: wholeNumber(Seconds)
    .optional()
    .describe('Only ended calls of at least so many seconds. Left out: of any length.'),
  max_duration: wholeNumber(Seconds)
    .optional()
    .describe('Only ended calls of at most so many seconds. Left out: of any length.'),
  hangup_reason: z
    .enum([...HangupReason.options, 'none'])
    .optional()
    .describe(
      'Only calls that ended for this reason; `none`: only ended calls of which it is not known. Left out: for any.',
    ),
  sentiment: z
    .enum(['positive', 'neutral', 'negative'])
    .optional()
    .describe('Only calls whose analysis found this mood. Left out: all.'),
  disposition: Text.min(1)
    .max(200)
    .optional()
    .describe(
      'Only calls whose analysis found that this disposition field matches, by its `field_name`. Left out: all.',
    ),
  min_score: score().describe('Only calls with at least this `qa_score`, from 0 to 100. Left out: any.'),
  max_score: score().describe('Only calls with at most this `qa_score`, from 0 to 100. Left out: any.'),
  count_up_to: wholeNumber(z.int().min(1).max(100_000))
    .optional()
    .describe(
      'How many calls to count at most, so that a long list is answered quickly: `total` is then at most this, and this stands for as many or more. Left out: all are counted, however long it takes.',
    ),
}).refine((query) => query.agent_version === undefined || query.agent_id !== undefined, {
  path: ['agent_version'],
  error: 'Give agent_id as well: every agent counts its own versions.',
})
export type CallsQuery = z.infer<typeof CallsQuery>
