// The calls of a workspace, newest first: found by filters, numbers and words, and up to date while calls run.
import type { CallSummary, dashboard } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAgentNames } from '../agents/agents.tsx'
import { api, callsCountedTo } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { ButtonAnchor, ButtonLink } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { DraftBadge } from '../ui/words/draft-badge.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { When, WhenCell } from '../ui/words/when.tsx'
import { CallFilterBar } from './call-filter-bar.tsx'
import { callsAt, type Filters, filtersIn, wireOf } from './call-filters.ts'
import { CallBadge, lengthWords, otherSide, reasonWords, typeWords } from './call-words.tsx'

// A request takes the server some milliseconds, and the browser sends none while the page is not visible.
const askAgainMs = 4_000

export function CallsPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page, query } = usePlace()
  const workspaceId = workspace.workspace_id
  const filters = filtersIn(query)
  const agents = useAgentNames(workspaceId) ?? {}
  const calls = useQuery({
    queryKey: ['calls', workspaceId, filters, page],
    queryFn: () => api.calls(workspaceId, page, wireOf(filters)),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: askAgainMs,
  })
  // Most agents have no rubric; without scores the column would be empty.
  const isScored = calls.data?.data.some(({ qa_score }) => qa_score !== null) ?? false
  const list = useRowKeys()
  return (
    <>
      <PageHeader
        title="Calls"
        lead="Every conversation of your agents: what was said, how it went, how it ended."
        action={
          <>
            <ButtonLink to="/calls/live">Live</ButtonLink>
            <ButtonAnchor href="/talk">Talk to an agent</ButtonAnchor>
          </>
        }
      />
      <CallFilterBar workspaceId={workspaceId} filters={filters} agents={agents} />
      <div ref={list}>
        <Listing
          label="Calls"
          query={calls}
          columns={columns(agents, isScored)}
          keyOf={({ session_id }) => session_id}
          at={callsAt(filters)}
          countedTo={callsCountedTo}
          empty={<NoCalls filters={filters} />}
        />
      </div>
    </>
  )
}

function NoCalls({ filters }: { filters: Filters }) {
  return Object.keys(filters).length > 0 ? (
    <EmptyState
      icon="calls"
      title="No call like that"
      action={
        <Link to="/calls" className="font-medium text-accent-ink underline underline-offset-3">
          Show all calls
        </Link>
      }
    >
      No call fits all of these filters. The words of a call are found once it has ended.
    </EmptyState>
  ) : (
    <EmptyState
      icon="calls"
      title="No calls yet"
      action={<ButtonAnchor href="/talk">Talk to an agent</ButtonAnchor>}
    >
      Talk to an agent in this browser, call people with a batch, or give an agent a telephone number.
    </EmptyState>
  )
}

const scoreColumn: Column<CallSummary> = {
  head: 'Score',
  wide: true,
  cell: ({ qa_score }) => (
    <span className="text-muted tabular-nums">{qa_score === null ? '—' : Math.round(qa_score)}</span>
  ),
}

const columns = (agents: Record<string, string>, isScored: boolean): Column<CallSummary>[] => [
  {
    head: 'Call',
    cell: (call) => (
      <div className="flex min-w-0 items-start gap-2.5">
        <Icon
          name={call.call_type === 'web' ? 'microphone' : call.call_type}
          className="mt-0.5 size-4 text-muted"
        />
        <div className="min-w-0">
          <Link
            to={`/calls/${call.session_id}`}
            className="font-medium wrap-anywhere tabular-nums after:absolute after:inset-0 after:content-['']"
          >
            {otherSide(call)}
          </Link>
          <p className="text-[0.8125rem] wrap-anywhere text-muted">
            <span className="sr-only">{typeWords[call.call_type]}, </span>
            {agents[call.agent_id] ?? 'A deleted agent'}
            <span className="md:hidden">
              , <When at={call.created_at} />
              {call.duration !== null && call.duration > 0 && `, ${lengthWords(call.duration)}`}
            </span>
          </p>
        </div>
      </div>
    ),
  },
  {
    head: 'Status',
    cell: (call) => (
      <span className="inline-flex flex-wrap gap-1">
        <CallBadge {...call} />
        {call.sandbox && <SandboxBadge />}
        {call.draft && <DraftBadge />}
      </span>
    ),
  },
  {
    head: 'Length',
    wide: true,
    cell: ({ duration }) => (
      <span className="whitespace-nowrap text-muted tabular-nums">
        {duration ? lengthWords(duration) : '—'}
      </span>
    ),
  },
  {
    head: 'Ended because',
    wide: true,
    cell: ({ hangup_reason }) => (
      <span className="text-muted">{hangup_reason ? reasonWords[hangup_reason] : '—'}</span>
    ),
  },
  ...(isScored ? [scoreColumn] : []),
  { head: 'When', wide: true, cell: ({ created_at }) => <WhenCell at={created_at} /> },
]

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null

/** The keys of the list: / searches, the arrows (or j and k) move between the rows, and Enter opens one. */
function useRowKeys() {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
        return
      }
      const by = steps[event.key]
      const links = [...(list.current?.querySelectorAll<HTMLElement>('tbody tr a') ?? [])]
      if (by === undefined || links.length === 0) return
      const at = links.indexOf(document.activeElement as HTMLElement)
      // The arrows scroll the page unless a row is focused.
      if (at < 0 && event.key.startsWith('Arrow')) return
      event.preventDefault()
      links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return list
}
