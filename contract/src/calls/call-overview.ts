// How the calls of a workspace went, in numbers.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { TimeZone } from '../batches/new-batch.ts'
import { exampleIds, exampleTimes } from '../example-values.ts'
import { operation } from '../operation.ts'
import { Id, Timestamp } from '../words.ts'
import { CallStatus, HangupReason } from './call.ts'

const sums = {
  calls: z.int().min(0).describe('How many calls have ended.'),
  answered: z.int().min(0).describe('How many of them somebody answered.'),
  minutes: z.number().min(0).describe('How many minutes were spoken.'),
}

const most = 1_000

export const CallOverview = z
  .strictObject({
    from: Timestamp.describe('From when calls are counted, by the time of their request.'),
    to: Timestamp.describe('Until when.'),
    live: z.int().min(0).describe('How many calls are in progress at this moment, whenever they began.'),
    ...sums,
    answer_ms: z
      .strictObject({
        p50: z
          .number()
          .min(0)
          .nullable()
          .describe('Milliseconds that half of the answers did not exceed. null: there was none.'),
        p95: z
          .number()
          .min(0)
          .nullable()
          .describe('Milliseconds that 95 of 100 answers did not exceed. null: there was none.'),
        calls: z.int().min(0).describe('From how many calls: the newest 5,000 that have answers.'),
      })
      .describe("Milliseconds from the caller's last sound to the agent's first."),
    by_status: z
      .array(z.strictObject({ call_status: CallStatus.describe('How they ended.'), ...sums }))
      .max(most)
      .describe('How calls ended.'),
    by_reason: z
      .array(
        z.strictObject({ hangup_reason: HangupReason.nullable().describe('Why. null: not known.'), ...sums }),
      )
      .max(most)
      .describe('Why calls ended, most frequent first.'),
    by_agent: z
      .array(z.strictObject({ agent_id: Id.describe('Whose calls.'), ...sums }))
      .max(most)
      .describe('By agent, the one with most calls first; at most 1,000.'),
    by_number: z
      .array(
        z.strictObject({
          phone_number_id: Id.nullable().describe(
            'Over which number of yours. null: over none, as in a browser.',
          ),
          ...sums,
        }),
      )
      .max(most)
      .describe('By number, the one with most calls first; at most 1,000.'),
    series: z
      .array(z.strictObject({ at: Timestamp.describe('When the hour or the day began.'), ...sums }))
      .max(most)
      .describe('By hour, or by day if it is more than two days; hours and days without calls are left out.'),
  })
  .meta({ id: 'CallOverview', description: 'How calls went in a period, in numbers.' })
export type CallOverview = z.infer<typeof CallOverview>

const ofAll = { calls: 40, answered: 31, minutes: 52.5 }

export const getCallOverview = operation({
  ...voiceAddresses.getCallOverview,
  tag: 'Calls',
  summary: 'Read how calls went in a period',
  description:
    'Counts, minutes, the share that was answered and how quickly agents answered, in total and by status, reason of the end, agent, number and time. Calls count once they have ended, in the period in which they were requested; `listCalls` with the same `from` and `to` has them one by one.',
  query: z.strictObject({
    from: Timestamp.optional().meta({
      description: 'RFC 3339 with an offset. Left out: 24 hours before `to`.',
    }),
    to: Timestamp.optional().meta({
      description: 'RFC 3339 with an offset; at most 92 days after `from`. Left out: now.',
    }),
    timezone: TimeZone.optional().describe('Where days begin, such as Europe/Berlin. Left out: UTC.'),
    agent_id: Id.optional().describe('Only calls of this agent. Left out: of all agents.'),
    phone_number_id: Id.optional().describe('Only calls over this number of yours. Left out: all calls.'),
  }),
  data: CallOverview,
  example: {
    query: { timezone: 'Europe/Berlin' },
    data: {
      from: exampleTimes.created,
      to: exampleTimes.ended,
      live: 2,
      ...ofAll,
      answer_ms: { p50: 640, p95: 980, calls: 31 },
      by_status: [{ call_status: 'completed', ...ofAll }],
      by_reason: [{ hangup_reason: 'user_hangup', ...ofAll }],
      by_agent: [{ agent_id: exampleIds.agent, ...ofAll }],
      by_number: [{ phone_number_id: exampleIds.phoneNumber, ...ofAll }],
      series: [{ at: exampleTimes.created, ...ofAll }],
    },
  },
})
