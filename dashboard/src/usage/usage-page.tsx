// What a workspace has used, by day, agent, batch, number or vendor; its limits, and notices of those that were reached.
import type { dashboard, UsageGroup, UsageReport, UsageRow } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, usageFileAt } from '../api.ts'
import { callsBetween, dayOf } from '../calls/calls.ts'
import { Link, usePlace } from '../router.tsx'
import { ButtonLink, DownloadLink } from '../ui/controls/button.tsx'
import { LimitNotice } from '../ui/feedback/limit-notice.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Filter } from '../ui/lists/filter.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import { type Column, Table } from '../ui/lists/table.tsx'
import { money } from '../ui/words/money.ts'
import { UsageChart } from './usage-chart.tsx'
import { Limits, minutesWords } from './usage-limits.tsx'

const groups: Record<UsageGroup, string> = {
  day: 'By day',
  agent: 'By agent',
  batch: 'By batch',
  number: 'By number',
  vendor: 'By engine',
}
const periods: Record<string, string> = { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days' }

export function UsagePage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const { query, page } = usePlace()
  const group = (Object.keys(groups) as UsageGroup[]).find((one) => one === query.get('by')) ?? 'day'
  const days = Object.keys(periods).find((one) => one === query.get('days')) ?? '30'
  const asked = { group_by: group, timezone: zone(), from: dayBefore(Number(days) - 1) }
  const usage = useQuery({
    queryKey: ['usage', workspaceId, asked, page],
    queryFn: () => api.usage(workspaceId, { ...asked, page }),
    placeholderData: keepPreviousData,
  })
  const at = (by: string, over: string) => `/usage?by=${by}&days=${over}`
  return (
    <>
      <PageHeader
        title="Usage"
        lead={`What ${workspace.name} has used. Calls count when they have ended.`}
        action={
          <>
            <ButtonLink kind="plain" to="/usage/prices">
              Prices
            </ButtonLink>
            <DownloadLink href={usageFileAt(workspaceId, asked)}>Download CSV</DownloadLink>
          </>
        }
      />
      <LimitNotice workspaceId={workspaceId} />
      <div className="mb-4 flex flex-wrap justify-between gap-2">
        <Filter
          label="Grouped"
          choices={Object.entries(groups).map(([by, words]) => ({
            to: at(by, days),
            words,
            chosen: by === group,
          }))}
        />
        <Filter
          label="Period"
          choices={Object.entries(periods).map(([over, words]) => ({
            to: at(group, over),
            words,
            chosen: over === days,
          }))}
        />
      </div>
      {usage.isPending && <FormSkeleton />}
      {usage.isError && <RefusalNotice error={usage.error} />}
      {usage.data && (
        <div className="space-y-6">
          <Card>
            <Facts facts={totalsOf(usage.data)} />
          </Card>
          <Chart report={usage.data} group={group} from={asked.from} />
          <Table
            label="Usage"
            items={usedIn(usage.data)}
            keyOf={({ key, part }) => `${key} ${part}`}
            columns={columns(group, usage.data.currency, callsIn(group, asked.from))}
          />
          <Pager at={at(group, days)} pagination={usage.data.pagination} />
        </div>
      )}
      <Limits workspaceId={workspaceId} />
    </>
  )
}

function Chart({ report, group, from }: { report: UsageReport; group: UsageGroup; from: string }) {
  const { rows, ...ways } = useMemo(
    () => ({
      // Time runs to the right.
      rows: group === 'day' ? report.data.toReversed() : report.data,
      nameOf: (row: UsageRow) => nameOf(group, row),
      callsOf: callsIn(group, from),
    }),
    [report, group, from],
  )
  return <UsageChart rows={rows} currency={report.currency} {...ways} />
}

/** The address of the list of the calls that a row counts, as far as filters can express it. */
function callsIn(group: UsageGroup, from: string): (row: UsageRow) => string | undefined {
  const today = dayOf(new Date())
  const by = { agent: 'agent_id', batch: 'batch_id', number: 'phone_number_id' } as const
  return ({ key }) => {
    if (key === null || group === 'vendor') return undefined
    return group === 'day' ? callsBetween(key, key) : callsBetween(from, today, { [by[group]]: key })
  }
}

/** The rows of the table: days without usage are in the chart only. */
const usedIn = ({ data }: UsageReport): readonly UsageRow[] => {
  const used = data.filter(({ calls }) => calls > 0)
  return used.length > 0 ? used : data.slice(0, 1)
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A day in the time zone of this browser. */
function dayBefore(days: number): string {
  const now = new Date()
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12))
}

const whole = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })

function totalsOf({ totals, currency }: UsageReport) {
  return {
    Calls: whole(totals.calls),
    Answered: whole(totals.connected_calls),
    Minutes: minutesWords(totals.minutes),
    Cost: (
      <>
        {money(totals.cost, currency)}
        {totals.unpriced_calls > 0 && currency && (
          <span className="text-[0.8125rem] text-muted">
            {' '}
            without {whole(totals.unpriced_calls)} unpriced calls
          </span>
        )}
      </>
    ),
    Heard: `${whole(totals.stt_seconds / 60)} min`,
    'Characters spoken': whole(totals.tts_characters),
    'Tokens read': whole(totals.llm_input_tokens),
    'Tokens written': whole(totals.llm_output_tokens),
  }
}

const parts: Record<string, string> = {
  transcriber: 'Transcriber',
  synthesizer: 'Voice',
  'language-model': 'Language model',
  line: 'Line',
}

const nameOf = (group: UsageGroup, { key, name, part }: UsageRow): string => {
  if (group === 'vendor') return [key, part && parts[part]].filter(Boolean).join(', ')
  if (key === null) return group === 'batch' ? 'Without a batch' : 'Without a number'
  return name ?? (group === 'day' ? key : 'Deleted')
}

const columns = (
  group: UsageGroup,
  currency: string | null,
  callsOf: (row: UsageRow) => string | undefined,
): Column<UsageRow>[] => [
  {
    head: groups[group].replace('By ', '').replace(/^./, (letter) => letter.toUpperCase()),
    cell: (row) => <span className="font-medium wrap-anywhere tabular-nums">{nameOf(group, row)}</span>,
  },
  {
    head: 'Calls',
    cell: (row) => {
      const to = callsOf(row)
      const calls = <span className="tabular-nums">{whole(row.calls)}</span>
      return to && row.calls > 0 ? (
        <Link to={to} className="underline decoration-edge underline-offset-3 hover:decoration-ink">
          {calls}
        </Link>
      ) : (
        calls
      )
    },
  },
  {
    head: 'Answered',
    wide: true,
    cell: ({ connected_calls }) => <span className="text-muted tabular-nums">{whole(connected_calls)}</span>,
  },
  { head: 'Minutes', cell: ({ minutes }) => <span className="tabular-nums">{minutesWords(minutes)}</span> },
  {
    head: 'Tokens',
    wide: true,
    cell: ({ llm_input_tokens, llm_output_tokens }) => (
      <span className="text-muted tabular-nums">{whole(llm_input_tokens + llm_output_tokens)}</span>
    ),
  },
  {
    head: 'Cost',
    wide: true,
    cell: ({ cost }) => <span className="text-muted tabular-nums">{money(cost, currency)}</span>,
  },
]
