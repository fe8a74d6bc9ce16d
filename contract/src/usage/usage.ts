// What a workspace has used and what it costs, its limits on both, and the notices of those that were reached.
import { z } from 'zod'
import { Pagination } from '../pagination.ts'
import { Id, Text, Timestamp } from '../words.ts'

const count = () => z.int().min(0)
const amount = () => z.number().min(0)
// The largest price: more than any has, and small enough for a number to keep its digits.
const price = () => z.number().min(0).max(1_000_000)

export const UsageGroup = z.enum(['day', 'agent', 'batch', 'number', 'vendor'])
export type UsageGroup = z.infer<typeof UsageGroup>

/** The parts of a call that have a price. */
export const PricedPart = z.enum(['transcriber', 'synthesizer', 'language-model', 'line'])
export type PricedPart = z.infer<typeof PricedPart>

const PriceName = Text.min(1)
  .max(200)
  .describe(
    'What did the work, as `engines` of a call names it; of a language model the model, or `provider/model` for one vendor; of a line the carrier. *: everything that has no row of its own.',
  )

const Price = z
  .discriminatedUnion('part', [
    z.strictObject({
      part: z.enum(['transcriber', 'line']).describe('Charged by time.'),
      name: PriceName,
      per_minute: price().describe(
        'For one of the minutes, in `currency`; parts of a minute cost their part.',
      ),
    }),
    z.strictObject({
      part: z.literal('synthesizer').describe('Charged by text.'),
      name: PriceName,
      per_million_characters: price().describe('For a million characters, in `currency`.'),
    }),
    z.strictObject({
      part: z.literal('language-model').describe('Charged by tokens.'),
      name: PriceName,
      per_million_input_tokens: price().describe('For a million tokens that it reads, in `currency`.'),
      per_million_cached_tokens: price()
        .optional()
        .describe(
          'For a million of these tokens that its server had kept, in `currency`. Left out: as the others.',
        ),
      per_million_cache_write_tokens: price()
        .optional()
        .describe(
          'For a million of these tokens that its server began to keep, in `currency`. Left out: as the others.',
        ),
      per_million_output_tokens: price().describe('For a million tokens that it writes, in `currency`.'),
    }),
  ])
  .describe('The price of one part of a call.')

export const Prices = z
  .strictObject({
    currency: z
      .string()
      .max(3)
      .regex(/^[A-Z]{3}$/, 'Must be three capital letters of ISO 4217, such as EUR.')
      .describe('ISO 4217, such as EUR. Amounts are not converted when it changes.'),
    rows: z.array(Price).max(500).describe('One row for each part and name.'),
  })
  .describe('What the parts of calls cost. A call is priced when it ends, by the prices of that moment.')
export type Prices = z.infer<typeof Prices>

export const PublicPrices = Prices.extend({
  as_of: z.iso.date().max(10).describe('The day that the prices are from.'),
  source: Text.describe('Where they are from, and what they are worth.'),
}).describe('Prices of vendors to begin with. They count for a workspace only once they are among its own.')
export type PublicPrices = z.infer<typeof PublicPrices>

const figures = {
  calls: count().describe('How many calls ended.'),
  connected_calls: count().describe('How many of these somebody or something answered.'),
  duration_seconds: amount().describe('Seconds of connected calls.'),
  minutes: amount().describe('The same in minutes, in hundredths; never rounded up for each call.'),
  stt_seconds: amount().describe('Seconds of sound that transcribers were given.'),
  tts_characters: count().describe('Characters that synthesizers were given.'),
  llm_input_tokens: count().describe('Tokens that language models read, as their servers counted them.'),
  llm_output_tokens: count().describe('Tokens that language models wrote, as their servers counted them.'),
  cost: amount()
    .nullable()
    .describe('What the calls with known prices cost, in `currency`. null: no price is known.'),
  unpriced_calls: count().describe(
    'How many connected calls are not in `cost`, because some part of them has no price.',
  ),
}

const Figures = z.strictObject(figures)

export const UsageRow = z
  .strictObject({
    key: Text.nullable().describe(
      'A day as in 2026-01-31, the id of an agent, a batch or a number, or the name of a vendor or model. null: calls without a batch, or without a number.',
    ),
    name: Text.nullable().describe(
      'The name of the agent or batch, or the number itself. null: there is none, or it was deleted.',
    ),
    part: PricedPart.nullable().describe('With `group_by=vendor`: what the vendor did. null otherwise.'),
    ...figures,
  })
  .describe('The usage of one group.')
export type UsageRow = z.infer<typeof UsageRow>

// The most rows of a page, as in other lists: a year by day takes four pages.
const mostRows = 100

export const UsageReport = z
  .strictObject({
    from: Timestamp.describe('The beginning of the time that is counted, at a full quarter of an hour.'),
    to: Timestamp.describe('Its end, at a full quarter of an hour.'),
    timezone: Text.describe('The time zone that days are in.'),
    group_by: UsageGroup.describe('What the rows are.'),
    currency: Text.nullable().describe('Of every `cost`. null: the workspace has no prices.'),
    totals: Figures.describe('All of it.'),
    status_counts: z
      .strictObject({
        completed: count().describe('How many took place.'),
        busy: count().describe('How many were busy or rejected.'),
        'no-answer': count().describe('How many nobody answered.'),
        failed: count().describe('How many failed.'),
        canceled: count().describe('How many were stopped before they began.'),
      })
      .describe('How the calls ended.'),
    data: z
      .array(UsageRow)
      .max(mostRows)
      .describe('One row for each group: days newest first, days without calls too; others by calls.'),
    pagination: Pagination.describe('Where this page stands among the groups.'),
  })
  .describe('The usage of a workspace.')
export type UsageReport = z.infer<typeof UsageReport>

export const Concurrency = z
  .strictObject({
    limit: count().describe(
      'How many calls the workspace may have at once: the smaller of its own limit and the operator’s.',
    ),
    in_use: count().describe('How many calls it has now, in both directions and in browsers.'),
    remaining: count().describe(
      'How many calls may begin now. More of them wait, or are refused if they come in.',
    ),
    peak: z
      .strictObject({
        calls: count().describe('How many calls there were at once, at most.'),
        at: Timestamp.nullable().describe(
          'The quarter of an hour in which that was. null: there was no call.',
        ),
      })
      .describe('The most since `from`.'),
  })
  .describe('How many calls the workspace has at once.')
export type Concurrency = z.infer<typeof Concurrency>

const limited = (what: string, unit: string) =>
  z
    .strictObject({
      limit: amount().nullable().describe(`${unit} may be used. null: there is no limit.`),
      used: amount()
        .nullable()
        .describe(`${unit} was used. null: it is not counted, because there is no limit.`),
      remaining: amount().nullable().describe(`${unit} is left. null: there is no limit.`),
    })
    .describe(what)

export const LimitKind = z.enum(['minutes_per_day', 'cost_per_day', 'calls_per_day', 'max_concurrency'])
export type LimitKind = z.infer<typeof LimitKind>

export const UsageLimits = z
  .strictObject({
    max_concurrency: limited('Calls at once, in both directions.', 'How many calls'),
    calls_per_minute: limited(
      'Calls that are dialled in a minute; simulated ones do not count.',
      'How many calls',
    ),
    calls_per_day: limited(
      'Calls that are dialled on a day in UTC; simulated ones do not count.',
      'How many calls',
    ),
    minutes_per_day: limited(
      'Minutes of all calls on a day in UTC; those of running calls count since they were dialled.',
      'How many minutes',
    ),
    cost_per_day: limited('What the calls that ended on a day in UTC cost.', 'How much, in `currency`,'),
    currency: Text.nullable().describe('Of `cost_per_day`. null: the workspace has no prices.'),
    resets_at: Timestamp.describe('When the day in UTC ends.'),
    reached: LimitKind.nullable().describe(
      'The limit of the day that stops new calls now. null: none does. Running calls always go on.',
    ),
  })
  .describe('The limits of a workspace, and how far they are used. An administrator sets them.')
export type UsageLimits = z.infer<typeof UsageLimits>

export const Notice = z
  .strictObject({
    notice_id: Id.describe('Names the notice.'),
    kind: LimitKind.describe('The limit that was reached.'),
    message: Text.describe('What happened and what can be done, in sentences.'),
    limit: amount().describe(
      'How many calls or minutes, or how much in `currency`, were allowed at that moment.',
    ),
    used: amount().describe('How many, or how much, were used at that moment.'),
    created_at: Timestamp.describe('When it first stopped a call on that day.'),
  })
  .describe('Something that the people of a workspace should know.')
export type Notice = z.infer<typeof Notice>
