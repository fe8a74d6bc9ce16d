// From sums of the database to the usage on the wire, and to CSV. Pure.
import type { PricedPart, UsageGroup, UsageReport, UsageRow } from '@parley/contract'
import { csvCell } from '../../http/body/text-stream.ts'
import { type FiguresRow, figures } from './store.ts'
import type { UsageDay } from './usage-period.ts'

type Figures = UsageReport['totals']

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/**
 * A cost is known if one of the calls has a price; calls that used nothing cost nothing, where there are prices at
 * all.
 */
export function viewOf(sums: FiguresRow, currency: string | null): Figures {
  const number = (name: keyof FiguresRow): number => Number(sums[name])
  const isPriced =
    number('cost') > 0 ||
    (currency !== null && (number('connected') === 0 || number('unpriced') < number('connected')))
  return {
    calls: number('calls'),
    connected_calls: number('connected'),
    duration_seconds: number('duration_ms') / 1_000,
    minutes: rounded(number('duration_ms') / 60_000, 2),
    stt_seconds: number('stt_ms') / 1_000,
    tts_characters: number('tts_characters'),
    llm_input_tokens: number('input_tokens'),
    llm_output_tokens: number('output_tokens'),
    // Millionths: a token costs less than a hundredth.
    cost: isPriced ? rounded(number('cost'), 6) : null,
    unpriced_calls: number('unpriced'),
  }
}

export const statusCountsOf = (sums: FiguresRow): UsageReport['status_counts'] => ({
  completed: Number(sums.completed),
  busy: Number(sums.busy),
  'no-answer': Number(sums.no_answer),
  failed: Number(sums.failed),
  canceled: Number(sums.canceled),
})

const nothing = Object.fromEntries(figures.map((name) => [name, '0'])) as FiguresRow

export interface RowContext {
  readonly groupBy: UsageGroup
  readonly days: readonly UsageDay[]
  readonly names: ReadonlyMap<string, string>
  readonly currency: string | null
}

export function rowsOf(
  found: readonly (FiguresRow & { key: string })[],
  { groupBy, days, names, currency }: RowContext,
): UsageRow[] {
  if (groupBy === 'day') {
    const byDay = new Map(found.map((row) => [Number(row.key), row]))
    return days
      .map(({ day }, at) => ({
        key: day,
        name: null,
        part: null,
        ...viewOf(byDay.get(at + 1) ?? nothing, currency),
      }))
      .toReversed()
  }
  return found.map((row) => ({
    ...(groupBy === 'vendor'
      ? vendorOf(row.key)
      : { key: row.key || null, name: names.get(row.key) ?? null, part: null }),
    ...viewOf(row, currency),
  }))
}

/** "language-model:gpt-6-luna" */
function vendorOf(key: string): Pick<UsageRow, 'key' | 'name' | 'part'> {
  const end = key.indexOf(':')
  const name = key.slice(end + 1)
  return { key: name, name, part: key.slice(0, end) as PricedPart }
}

const keyColumns: Readonly<Record<UsageGroup, string>> = {
  day: 'day',
  agent: 'agent_id',
  batch: 'batch_id',
  number: 'phone_number_id',
  vendor: 'vendor',
}

const columns = [
  ...['calls', 'connected_calls', 'duration_seconds', 'minutes', 'stt_seconds', 'tts_characters'],
  ...['llm_input_tokens', 'llm_output_tokens', 'cost', 'unpriced_calls'],
] as (keyof Figures)[]

/** A line for each group, without a line of totals: spreadsheets add up by themselves. */
export function csvOfUsage({ group_by, data, currency }: UsageReport): string {
  const lines = data.map((row) => [
    row.key,
    row.name,
    row.part,
    ...columns.map((name) => row[name]),
    currency,
  ])
  return [[keyColumns[group_by], 'name', 'part', ...columns, 'currency'], ...lines]
    .map((cells) => `${cells.map(csvCell).join()}\r\n`)
    .join('')
}
