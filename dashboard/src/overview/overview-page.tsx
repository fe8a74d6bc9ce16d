// How the calls of a workspace went: counts, minutes, speed and ends. Every number leads to the calls behind it.
import type { CallOverview, dashboard } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useAgentNames } from '../agents/agents.tsx'
import { everyPhoneNumber } from '../api.ts'
import { callsAt, type Filters, noNumber, reasonWords, sinceWords, statusWords } from '../calls/calls.ts'
import { go, Link, usePlace } from '../router.tsx'
import { ButtonAnchor } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { LimitNotice } from '../ui/feedback/limit-notice.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Filter } from '../ui/lists/filter.tsx'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { money } from '../ui/words/money.ts'
import { CallsChart } from './calls-chart.tsx'
import { ScoreChart } from './score-chart.tsx'
import { Shares } from './shares.tsx'
import { type Costs, useCosts, useOverview, useQuality, type View } from './use-overview.ts'

const periods = Object.keys(sinceWords)

export function OverviewPage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const view = viewIn(usePlace().query)
  const overview = useOverview(workspaceId, view)
  const agents = useAgentNames(workspaceId) ?? {}
  const { data: stored = [] } = useQuery({
    queryKey: ['numbers', workspaceId, 'every'],
    queryFn: () => everyPhoneNumber(workspaceId),
  })
  const numbers = Object.fromEntries(
    stored.map(({ phone_number_id, phone_number }) => [phone_number_id, phone_number]),
  )
  const choose = (name: 'agent_id' | 'phone_number_id') => (value: string | undefined) => {
    const { [name]: _, ...rest } = view
    go(overviewAt(value === undefined ? rest : { ...rest, [name]: value }))
  }
  return (
    <>
      <PageHeader title="Overview" lead={`How calls in ${workspace.name} are going.`} />
      <LimitNotice workspaceId={workspaceId} />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <Filter
          label="Period"
          choices={periods.map((since) => ({
            to: overviewAt({ ...view, since }),
            words: sinceWords[since] ?? since,
            chosen: since === view.since,
          }))}
        />
        <div className="flex flex-wrap gap-2">
          <FilterSelect
            label="Agent"
            any="Any agent"
            options={agents}
            value={view.agent_id}
            onChoose={choose('agent_id')}
          />
          {stored.length > 0 && (
            <FilterSelect
              label="Number"
              any="Any number"
              options={numbers}
              value={view.phone_number_id}
              onChoose={choose('phone_number_id')}
            />
          )}
        </div>
      </div>
      {overview.isPending && <FormSkeleton />}
      {overview.isError && <RefusalNotice error={overview.error} />}
      {overview.data && (
        <Numbers
          workspaceId={workspaceId}
          view={view}
          agents={agents}
          numbers={numbers}
          overview={overview.data}
        />
      )}
    </>
  )
}

function viewIn(query: URLSearchParams): View {
  const [agent, number] = [query.get('agent_id'), query.get('phone_number_id')]
  return {
    since: periods.find((one) => one === query.get('since')) ?? '24h',
    ...(agent && { agent_id: agent }),
    ...(number && { phone_number_id: number }),
  }
}

const overviewAt = (view: View): string => `/overview?${new URLSearchParams({ ...view })}`

interface NumbersProps {
  workspaceId: string
  overview: CallOverview
  view: View
  /** By id. */
  agents: Readonly<Record<string, string>>
  numbers: Readonly<Record<string, string>>
}

function Numbers({ workspaceId, overview, view, agents, numbers }: NumbersProps) {
  const quality = useQuality(workspaceId, view)
  const byAgent = useCosts(workspaceId, 'agent', view)
  const byNumber = useCosts(workspaceId, 'number', view)
  const { since, agent_id, phone_number_id } = view
  const whose = useMemo<Filters>(
    () => ({ ...(agent_id && { agent_id }), ...(phone_number_id && { phone_number_id }) }),
    [agent_id, phone_number_id],
  )
  const at = (filters: Filters) => callsAt({ since, ...whose, ...filters })
  const { calls, answered, minutes, answer_ms, live } = overview
  const cost = phone_number_id === undefined ? byAgent.total : byNumber.of(phone_number_id)
  // Scores cannot be filtered by number.
  const isScored = phone_number_id === undefined
  const byHour = isByHour(overview)
  const callsOverTime = byHour ? 'Calls by hour' : 'Calls by day'
  return (
    <div className="space-y-6">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        <Figure
          name="Running now"
          to={callsAt({ call_status: 'in-progress', ...whose })}
          value={live}
          dot={live > 0}
        />
        <Figure name="Calls" to={at({})} value={calls} />
        <Figure name="Answered" to={at({ answered: 'true' })} value={percentOf(answered, calls)} />
        <Figure name="Minutes" to={at({ answered: 'true' })} value={minutesWords(minutes)} />
        <Figure name="Median answer" to={at({ answered: 'true' })} value={msWords(answer_ms.p50)} />
        <Figure name="Slowest 5 %" to={at({ answered: 'true' })} value={msWords(answer_ms.p95)} />
        <Figure name="Cost" to={`/usage?days=${daysOf[since] ?? 30}`} value={money(cost, byAgent.currency)} />
        {isScored && (
          <Figure
            name="Mean score"
            to={at({ answered: 'true' })}
            value={quality.data?.average_score == null ? '—' : Math.round(quality.data.average_score)}
          />
        )}
      </dl>
      {calls === 0 ? (
        <EmptyState
          icon="overview"
          title="No calls in this period"
          action={<ButtonAnchor href="/talk">Talk to an agent</ButtonAnchor>}
        >
          As soon as a call has ended, it is counted here.
        </EmptyState>
      ) : (
        <>
          <Panel title={callsOverTime}>
            <CallsChart label={callsOverTime} overview={overview} byHour={byHour} whose={whose} />
          </Panel>
          <div className="grid gap-6 lg:grid-cols-2">
            <Panel title="How they ended">
              <Shares
                of={calls}
                rows={overview.by_status.map((row) => ({
                  ...row,
                  words: statusWords[row.call_status],
                  to: at({ call_status: row.call_status }),
                }))}
              />
            </Panel>
            <Panel title="Why they ended">
              <Shares
                of={calls}
                rows={overview.by_reason.map((row) => ({
                  ...row,
                  words: row.hangup_reason ? reasonWords[row.hangup_reason] : 'Not known',
                  to: at({ hangup_reason: row.hangup_reason ?? 'none' }),
                }))}
              />
            </Panel>
            <Panel title="By agent">
              <Shares
                of={calls}
                rows={overview.by_agent.map((row) => ({
                  ...row,
                  words: agents[row.agent_id] ?? 'A deleted agent',
                  to: at({ agent_id: row.agent_id }),
                  more: sumWords(row, byAgent, row.agent_id),
                }))}
              />
            </Panel>
            <Panel title="By number">
              <Shares
                of={calls}
                rows={overview.by_number.map((row) => ({
                  ...row,
                  words: row.phone_number_id
                    ? (numbers[row.phone_number_id] ?? 'A removed number')
                    : 'Without a number',
                  to: at({ phone_number_id: row.phone_number_id ?? noNumber }),
                  more: sumWords(row, byNumber, row.phone_number_id),
                }))}
              />
            </Panel>
          </div>
          {isScored && quality.data && quality.data.calls > 0 && (
            <Panel title="Scores by day">
              <ScoreChart report={quality.data} agents={agents} since={since} />
            </Panel>
          )}
          <p className="text-[0.8125rem] text-muted">
            Calls count once they have ended. Times to answer are those of the newest{' '}
            {answer_ms.calls.toLocaleString('en')} calls with a conversation.
          </p>
        </>
      )}
    </div>
  )
}

interface Sums {
  readonly calls: number
  readonly answered: number
  readonly minutes: number
}

function sumWords({ calls, answered, minutes }: Sums, { currency, of }: Costs, id: string | null): string {
  const cost = of(id)
  const words = [`${percentOf(answered, calls)} answered`, `${minutesWords(minutes)} min`]
  return [...words, ...(cost === null ? [] : [money(cost, currency)])].join(' · ')
}

/** The period of the usage page that has the same days in it. */
const daysOf: Readonly<Record<string, number>> = { '24h': 7, '7d': 7, '30d': 30 }

/** Whether slots are hours: the server answers by hour for up to two days. */
const isByHour = ({ from, to }: CallOverview) => Date.parse(to) - Date.parse(from) <= 48 * 3_600_000

const percentOf = (part: number, all: number) => (all === 0 ? '—' : `${Math.round((part / all) * 100)} %`)
const msWords = (value: number | null) => (value === null ? '—' : `${Math.round(value)} ms`)
const minutesWords = (minutes: number) =>
  minutes.toLocaleString('en', { maximumFractionDigits: minutes < 10 ? 1 : 0 })

interface FigureProps {
  name: string
  to: string
  value: string | number
  dot?: boolean
}

function Figure({ name, to, value, dot = false }: FigureProps) {
  return (
    <div className="relative rounded-xl border border-line bg-surface px-4 py-3 shadow-card transition-colors hover:bg-hover">
      <dt className="flex items-center gap-1.5 text-xs font-medium text-muted">
        {dot && <span aria-hidden="true" className="size-1.5 rounded-full bg-good" />}
        {name}
      </dt>
      <dd className="mt-0.5 text-xl font-semibold tracking-tight tabular-nums">
        <Link to={to} className="after:absolute after:inset-0 after:rounded-xl after:content-['']">
          {typeof value === 'number' ? value.toLocaleString('en') : value}
        </Link>
      </dd>
    </div>
  )
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="min-w-0 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h2 className="mb-3 text-[0.8125rem] font-semibold">{title}</h2>
      {children}
    </section>
  )
}
