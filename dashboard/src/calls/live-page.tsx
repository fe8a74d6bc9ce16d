// Running calls: all of them in a list, and of the chosen one what is said, as it is said.
import type { CallSummary, dashboard } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAgentNames } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { Link } from '../router.tsx'
import { ButtonAnchor } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { DraftBadge } from '../ui/words/draft-badge.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { When } from '../ui/words/when.tsx'
import { isOver, otherSide, typeWords } from './call-words.tsx'
import { Conversation } from './conversation.tsx'
import { ListenButton } from './listen-button.tsx'
import { StopButton } from './stop-button.tsx'
import { useCallEvents } from './use-call.ts'

// A request takes the server some milliseconds, and the browser sends none while the page is not visible.
const askAgainMs = 2_000

export function LivePage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const agents = useAgentNames(workspaceId) ?? {}
  const [shown, setShown] = useState<CallSummary>()
  const running = useQuery({
    queryKey: ['calls', workspaceId, 'running'],
    queryFn: () => api.calls(workspaceId, 1, { call_status: 'in-progress', limit: 100 }),
    staleTime: 0,
    refetchInterval: askAgainMs,
  })
  const calls = running.data?.data ?? []
  // The first call is shown unless another is chosen. After its end it stays here, although the list has it no more: its last
  // words are worth reading.
  const [first] = calls
  if (!shown && first) setShown(first)
  return (
    <>
      <PageHeader
        title="Live"
        lead="Calls under way. Whoever listens in is noted in the record of the call."
        back={{ to: '/calls', label: 'Calls' }}
      />
      {running.isPending && <ListSkeleton />}
      {running.isError && <RefusalNotice error={running.error} />}
      {running.data && calls.length === 0 && !shown && (
        <EmptyState
          icon="calls"
          title="No call is under way"
          action={<ButtonAnchor href="/talk">Talk to an agent</ButtonAnchor>}
        >
          This page shows calls as soon as somebody has answered.
        </EmptyState>
      )}
      {shown && (
        <div className="grid gap-5 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <RunningCalls calls={calls} agents={agents} shownId={shown.session_id} onChoose={setShown} />
          <ChosenCall
            key={shown.session_id}
            workspaceId={workspaceId}
            sessionId={shown.session_id}
            agentName={agents[shown.agent_id] ?? 'Agent'}
          />
        </div>
      )}
    </>
  )
}

interface RunningCallsProps {
  calls: readonly CallSummary[]
  agents: Record<string, string>
  shownId: string
  onChoose(call: CallSummary): void
}

function RunningCalls({ calls, agents, shownId, onChoose }: RunningCallsProps) {
  if (calls.length === 0) return <p className="text-muted">No other call is under way.</p>
  return (
    <ul aria-label="Calls under way" className="space-y-1.5">
      {calls.map((call) => (
        <li key={call.session_id}>
          <button
            type="button"
            aria-pressed={call.session_id === shownId}
            onClick={() => onChoose(call)}
            className="w-full rounded-lg border border-line px-3 py-2 text-left hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            <span className="flex items-center justify-between gap-2 font-medium tabular-nums">
              <span className="truncate">{otherSide(call)}</span>
              {call.sandbox && <SandboxBadge />}
              {call.draft && <DraftBadge />}
            </span>
            <span className="block truncate text-[0.8125rem] text-muted">
              {typeWords[call.call_type]}, {agents[call.agent_id] ?? 'Agent'},{' '}
              <When at={call.call_initiated_time ?? call.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ChosenCallProps {
  workspaceId: string
  sessionId: string
  agentName: string
}

function ChosenCall({ workspaceId, sessionId, agentName }: ChosenCallProps) {
  const place = { workspaceId, sessionId }
  const live = useCallEvents(place)
  const over = isOver(live.status as CallSummary['call_status'])
  return (
    <section
      aria-label="The conversation"
      className="flex min-h-96 flex-col rounded-xl border border-line bg-surface shadow-card"
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line p-3">
        {over ? (
          <p className="text-muted">This call has ended.</p>
        ) : (
          <>
            <ListenButton place={place} />
            <StopButton place={place} />
          </>
        )}
        <Link
          to={`/calls/${sessionId}`}
          className="ml-auto text-[0.8125rem] underline decoration-edge underline-offset-3"
        >
          Open the call
        </Link>
      </div>
      <div className="flex max-h-[60vh] flex-1 flex-col overflow-hidden">
        <Conversation live={live} begun agentName={agentName} callerName="Caller" />
      </div>
    </section>
  )
}
