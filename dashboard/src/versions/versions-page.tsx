// The versions of an agent: who changed it when, what differs, and the way back.
import type { AgentVersion, dashboard, Pagination } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { callsAt } from '../calls/calls.ts'
import { go, Link, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import { authorWords } from '../ui/words/author-words.ts'
import { Badge } from '../ui/words/badge.tsx'
import { When } from '../ui/words/when.tsx'
import { VersionDiff } from './version-diff.tsx'

interface VersionsPageProps {
  workspace: dashboard.Workspace
  agentId: string
}

export function VersionsPage({ workspace, agentId }: VersionsPageProps) {
  const workspaceId = workspace.workspace_id
  const { page } = usePlace()
  const agent = useQuery({
    queryKey: ['agent-name', workspaceId, agentId],
    queryFn: () => api.agent(workspaceId, agentId),
  })
  const versions = useQuery({
    queryKey: ['agent-versions', workspaceId, agentId, page],
    queryFn: () => api.agentVersions(workspaceId, agentId, page),
    // Somebody else may have changed the agent meanwhile.
    staleTime: 0,
  })
  const both = {
    data: agent.data &&
      versions.data && { name: agent.data.agent_config.agent_name || 'Unnamed', ...versions.data },
    error: versions.error ?? agent.error,
  }
  return (
    <RecordShell query={both} what="agent" list="agents" workspace={workspace} fallback={<ListSkeleton />}>
      {(loaded) => <LoadedVersions workspaceId={workspaceId} agentId={agentId} {...loaded} />}
    </RecordShell>
  )
}

interface LoadedVersionsProps {
  workspaceId: string
  agentId: string
  /** Of the agent. */
  name: string
  data: readonly AgentVersion[]
  pagination: Pagination
}

function LoadedVersions({ workspaceId, agentId, name, data, pagination }: LoadedVersionsProps) {
  const { page, query } = usePlace()
  const [restoring, setRestoring] = useState<number>()
  const at = `/agents/${agentId}/versions`
  const named = Number(query.get('version')) || undefined
  const open = named ?? data[0]?.version
  // A link from a call may name a version that is on another page of the list.
  const isElsewhere = named !== undefined && !data.some(({ version }) => version === named)
  return (
    <>
      <PageHeader
        title={`${name}: versions`}
        lead="Every change is kept, and any of them can be brought back."
        back={{ to: `/agents/${agentId}`, label: name }}
      />
      {isElsewhere && (
        <div className="mb-5 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5">
          <h2 className="mb-3 font-semibold">Version {named}</h2>
          <OpenVersion
            workspaceId={workspaceId}
            agentId={agentId}
            onRestore={setRestoring}
            version={named}
            isCurrent={false}
          />
        </div>
      )}
      <ol className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card">
        {data.map((row) => (
          <li key={row.version} className="px-4 py-3 sm:px-5">
            <Summary row={row} at={at} page={page} isOpen={row.version === open} />
            {row.version === open && (
              <div className="mt-3 pb-1">
                <OpenVersion
                  workspaceId={workspaceId}
                  agentId={agentId}
                  onRestore={setRestoring}
                  version={row.version}
                  isCurrent={row.is_current}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
      <Pager at={at} pagination={pagination} />
      {restoring !== undefined && (
        <Restore
          workspaceId={workspaceId}
          agentId={agentId}
          version={restoring}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </>
  )
}

function Summary({
  row,
  at,
  page,
  isOpen,
}: {
  row: AgentVersion
  at: string
  page: number
  isOpen: boolean
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        to={`${at}?version=${row.version}${page > 1 ? `&page=${page}` : ''}`}
        aria-current={isOpen || undefined}
        className="font-semibold underline decoration-edge underline-offset-3"
      >
        Version {row.version}
      </Link>
      {row.is_current && (
        <Badge tone="good" dot>
          Current
        </Badge>
      )}
      {row.restored_from !== null && <Badge tone="accent">{`Brought back from ${row.restored_from}`}</Badge>}
      <span className="text-muted">
        <When at={row.saved_at} /> by {authorWords(row.author)}
      </span>
      <span className="ml-auto text-[0.8125rem] wrap-anywhere text-muted">{changedWords(row.changed)}</span>
    </div>
  )
}

// More names than this would push everything else off the row.
const mostNamed = 3

function changedWords(changed: AgentVersion['changed']): string {
  if (changed === null) return 'First'
  if (changed.length === 0) return 'No differences'
  const names = changed.slice(0, mostNamed).map((path) => path.replace('agent_config.', ''))
  return names.join(', ') + (changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '')
}

interface OpenVersionProps {
  workspaceId: string
  agentId: string
  version: number
  isCurrent: boolean
  onRestore(version: number): void
}

function OpenVersion({ workspaceId, agentId, version, isCurrent, onRestore }: OpenVersionProps) {
  return (
    <div className="space-y-4">
      <VersionDiff workspaceId={workspaceId} agentId={agentId} version={version} />
      <div className="flex flex-wrap items-center gap-3">
        {!isCurrent && (
          <Button needs={voice.restoreAgentVersion} onClick={() => onRestore(version)}>
            Bring version {version} back
          </Button>
        )}
        <Link
          to={callsAt({ agent_id: agentId, agent_version: String(version) })}
          className="text-[0.8125rem] font-medium underline decoration-edge underline-offset-3"
        >
          Calls with version {version}
        </Link>
      </div>
    </div>
  )
}

interface RestoreProps {
  workspaceId: string
  agentId: string
  version: number
  onClose(): void
}

function Restore({ workspaceId, agentId, version, onClose }: RestoreProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const restore = useMutation({
    mutationFn: () => api.restoreAgentVersion(workspaceId, agentId, version),
    onSuccess: (agent) => {
      for (const key of ['agents', 'agent', 'agent-name', 'agent-versions', 'agent-graph'])
        queries.invalidateQueries({ queryKey: [key, workspaceId] })
      toast(`Version ${version} is back, as version ${agent.version}`)
      onClose()
      go(`/agents/${agentId}/versions`)
    },
  })
  return (
    <ConfirmDialog
      title={`Bring version ${version} back?`}
      verb="Bring it back"
      action={restore}
      onClose={onClose}
    >
      Calls that begin from now on use it. It becomes a new version, so what the agent is now is kept. Whether
      the agent takes calls does not change.
    </ConfirmDialog>
  )
}
