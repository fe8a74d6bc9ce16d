// What a workspace has used, by day, agent, batch, number or vendor; its limits, and notices of those that were reached.
import type { dashboard, UsageGroup, UsageLimits, UsageReport, UsageRow } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, usageFileAt } from '../api.ts'
import { usePlace } from '../router.tsx'
import { DownloadLink } from '../ui/button.tsx'
import { Card, Facts } from '../ui/facts.tsx'
import { Filter } from '../ui/filter.tsx'
import { Icon } from '../ui/icons.tsx'
import { money } from '../ui/money.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Pager } from '../ui/pager.tsx'
import { RefusalNotice } from '../ui/refusal-notice.tsx'
import { FormSkeleton } from '../ui/skeleton.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { UsageBars } from './usage-bars.tsx'

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
        action={<DownloadLink href={usageFileAt(workspaceId, asked)}>Download CSV</DownloadLink>}
      />
      <Notices workspaceId={workspaceId} />
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
          <UsageBars
            rows={usage.data.data}
            nameOf={(row) => nameOf(group, row)}
            costWords={({ cost }) => money(cost, usage.data.currency)}
          />
          <Table
            label="Usage"
            items={usage.data.data}
            keyOf={({ key, part }) => `${key} ${part}`}
            columns={columns(group, usage.data.currency)}
          />
          <Pager at={at(group, days)} pagination={usage.data.pagination} />
        </div>
      )}
      <Limits workspaceId={workspaceId} />
    </>
  )
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A day in the time zone of this browser, as in 2026-01-31. */
function dayBefore(days: number): string {
  const now = new Date()
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

const whole = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })
const minutesWords = (minutes: number) =>
  minutes.toLocaleString('en', { maximumFractionDigits: minutes < 10 ? 2 : 0 })

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

const columns = (group: UsageGroup, currency: string | null): Column<UsageRow>[] => [
  {
    head: groups[group].replace('By ', '').replace(/^./, (letter) => letter.toUpperCase()),
    cell: (row) => <span className="font-medium wrap-anywhere tabular-nums">{nameOf(group, row)}</span>,
  },
  { head: 'Calls', cell: ({ calls }) => <span className="tabular-nums">{whole(calls)}</span> },
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

function Notices({ workspaceId }: { workspaceId: string }) {
  const notices = useQuery({
    queryKey: ['notices', workspaceId],
    queryFn: () => api.notices(workspaceId),
  })
  const [newest] = notices.data?.data ?? []
  if (!newest) return null
  return (
    <div role="status" className="mb-6 flex gap-2.5 rounded-lg bg-wait-soft px-3.5 py-3 text-wait">
      <Icon name="alert" className="mt-0.5 size-4" />
      <p className="wrap-anywhere">
        {newest.message} (<When at={newest.created_at} />)
      </p>
    </div>
  )
}

const limitWords = {
  max_concurrency: 'Calls at once',
  calls_per_minute: 'Calls a minute',
  calls_per_day: 'Calls a day',
  minutes_per_day: 'Minutes a day',
  cost_per_day: 'Cost a day',
} satisfies Partial<Record<keyof UsageLimits, string>>

function Limits({ workspaceId }: { workspaceId: string }) {
  const limits = useQuery({
    queryKey: ['limits', workspaceId],
    queryFn: () => api.usageLimits(workspaceId),
    refetchInterval: 15_000,
  })
  if (!limits.data) return null
  const found = limits.data
  return (
    <section aria-label="Limits" className="mt-9">
      <h2 className="font-semibold">Limits</h2>
      <p className="mt-1 mb-3 text-[0.8125rem] text-muted">
        Set by an administrator. Days are those of UTC; the next one begins <When at={found.resets_at} />.
      </p>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {(Object.keys(limitWords) as (keyof typeof limitWords)[]).map((kind) => (
          <Limit key={kind} words={limitWords[kind]} {...found[kind]} />
        ))}
      </ul>
    </section>
  )
}

interface LimitProps {
  words: string
  limit: number | null
  used: number | null
}

function Limit({ words, limit, used }: LimitProps) {
  const share = limit ? Math.min(1, (used ?? 0) / limit) : 0
  return (
    <li className="rounded-xl border border-line bg-surface px-4 py-3 shadow-card">
      <p className="text-xs font-medium text-muted">{words}</p>
      <p className="mt-0.5 font-medium tabular-nums">
        {limit === null ? 'No limit' : `${minutesWords(used ?? 0)} of ${minutesWords(limit)}`}
      </p>
      <span aria-hidden="true" className="mt-2 block h-1.5 overflow-hidden rounded-full bg-hover">
        <span
          className={`block h-full rounded-full ${share >= 1 ? 'bg-bad-strong' : 'bg-accent'}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </li>
  )
}
