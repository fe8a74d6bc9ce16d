// The operations on usage, limits and notices.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { TimeZone } from '../batches/new-batch.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, Timestamp } from '../words.ts'
import { Concurrency, Notice, Prices, PublicPrices, UsageGroup, UsageLimits, UsageReport } from './usage.ts'

const tag = 'Usage'

const Moment = z
  .union([Timestamp, z.iso.date().max(10)], 'Must be a day such as 2026-01-31, or a time with an offset.')
  .optional()

const figures = {
  calls: 120,
  connected_calls: 96,
  duration_seconds: 8640,
  minutes: 144,
  stt_seconds: 4300.5,
  tts_characters: 61_400,
  llm_input_tokens: 412_000,
  llm_output_tokens: 38_500,
  cost: 4.86,
  unpriced_calls: 0,
}

const page = onePage({ key: '2026-01-31', name: null, part: null, ...figures })

export const getUsage = operation({
  ...voiceAddresses.getUsage,
  tag,
  summary: 'What the workspace has used',
  description:
    'Counts calls when they have ended, at the time of their end: a day that is over does not change any more. The figures are exact and stay when records of calls are deleted. `from` and `to` are widened to full quarters of an hour. As CSV with `format=csv` or `Accept: text/csv`, then with all rows. What costs are is in the [guide](/docs/guide/usage).',
  query: PageQuery.extend({
    from: Moment.describe(
      'The first day, or the time at which counting begins. Left out: 30 days before `to`.',
    ),
    to: Moment.describe(
      'The last day, which is counted too, or the time at which counting ends. Left out: now. At most 366 days after `from`.',
    ),
    timezone: TimeZone.default('UTC').describe(
      'The time zone of days, a name such as Europe/Paris. Left out: UTC.',
    ),
    group_by: UsageGroup.default('day').describe(
      'What a row is: a day, an agent, a batch, a telephone number of the workspace, or a vendor or model. Left out: a day.',
    ),
    agent_id: Id.optional().describe('Only calls of this agent. Left out: of all.'),
    format: z
      .enum(['json', 'csv'])
      .optional()
      .describe('json has the envelope, csv is a file. Left out: what the Accept header prefers.'),
  }),
  answers: 'json-or-text',
  data: UsageReport,
  example: {
    query: { from: '2026-01-31', to: '2026-01-31', timezone: 'UTC', group_by: 'day' },
    data: {
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      timezone: 'UTC',
      group_by: 'day',
      currency: 'EUR',
      totals: figures,
      status_counts: { completed: 96, busy: 8, 'no-answer': 13, failed: 1, canceled: 2 },
      ...page,
    },
    texts: {
      'text/csv':
        'day,name,part,calls,connected_calls,duration_seconds,minutes,stt_seconds,tts_characters,llm_input_tokens,llm_output_tokens,cost,unpriced_calls,currency\r\n2026-01-31,,,120,96,8640,144,4300.5,61400,412000,38500,4.86,0,EUR\r\n',
    },
  },
})

export const getConcurrency = operation({
  ...voiceAddresses.getConcurrency,
  tag,
  summary: 'How many calls the workspace has at once',
  description:
    'Calls that are placed beyond the limit wait their turn; calls that come in beyond it are refused. `placeCall` is therefore never refused because of it.',
  query: z.strictObject({
    from: Timestamp.optional().describe('Since when the peak is looked for. Left out: 24 hours ago.'),
  }),
  data: Concurrency,
  example: {
    data: { limit: 50, in_use: 12, remaining: 38, peak: { calls: 31, at: '2026-01-31T09:30:00.000Z' } },
  },
})

export const getUsageLimits = operation({
  ...voiceAddresses.getUsageLimits,
  tag,
  summary: 'The limits of the workspace, and what is used of them',
  description:
    'When a limit of the day is reached, new calls are refused with MINUTES_PER_DAY_REACHED, COST_PER_DAY_REACHED or CALLS_PER_DAY_REACHED, calls that come in are refused as if every line were taken, and calls that wait, those of batches too, wait until the next day in UTC or a higher limit. Running calls go on. `listNotices` says when it happened.',
  data: UsageLimits,
  example: {
    data: {
      max_concurrency: { limit: 50, used: 12, remaining: 38 },
      calls_per_minute: { limit: null, used: null, remaining: null },
      calls_per_day: { limit: 5000, used: 1210, remaining: 3790 },
      minutes_per_day: { limit: 2000, used: 812.4, remaining: 1187.6 },
      cost_per_day: { limit: 100, used: 41.27, remaining: 58.73 },
      currency: 'EUR',
      resets_at: '2026-02-01T00:00:00.000Z',
      reached: null,
    },
  },
})

export const getPublicPrices = operation({
  ...voiceAddresses.getPublicPrices,
  tag,
  summary: 'What speech vendors ask on their public price lists',
  description:
    'A table to begin with, with its date and its source: an administrator adopts it with `parley workspace prices <id> public` and corrects it by the invoice. Nothing is priced by it before that.',
  data: PublicPrices,
  example: {
    data: {
      currency: 'USD',
      as_of: '2026-08-01',
      source: 'The vendors’ public price lists, pay as you go.',
      rows: [{ part: 'transcriber', name: 'deepgram', per_minute: 0.0077 }],
    },
  },
})

export const getUsagePrices = operation({
  ...voiceAddresses.getUsagePrices,
  tag,
  summary: 'What the parts of calls cost',
  description:
    'The prices that an administrator has set for this workspace. Without a row for a part its cost is unknown, and the calls that used it are `unpriced_calls` of `getUsage`: nothing is guessed.',
  data: Prices.nullable().describe('The prices. null: there are none.'),
  example: {
    data: {
      currency: 'EUR',
      rows: [
        { part: 'transcriber', name: 'deepgram', per_minute: 0.0058 },
        { part: 'synthesizer', name: 'elevenlabs', per_million_characters: 165 },
        {
          part: 'language-model',
          name: 'gpt-6-luna',
          per_million_input_tokens: 0.1,
          per_million_output_tokens: 0.5,
        },
        { part: 'line', name: '*', per_minute: 0.012 },
      ],
    },
  },
})

export const listNotices = operation({
  ...voiceAddresses.listNotices,
  tag,
  summary: 'List notices of the workspace, newest first',
  description:
    'Limits that stopped calls, once a day for each limit. See `getUsageLimits` for how it is now.',
  query: PageQuery,
  data: pageOf(Notice),
  example: {
    data: onePage({
      notice_id: exampleIds.notice,
      kind: 'minutes_per_day',
      message:
        'This workspace may use 2000 minutes a day and has used them. New calls are stopped until midnight UTC; running ones go on. An administrator can raise the limit.',
      limit: 2000,
      used: 2000.4,
      created_at: exampleTimes.created,
    }),
  },
})
