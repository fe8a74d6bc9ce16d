// The repositories of a workspace: documents that its agents answer from.
import type { dashboard, Repository } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useState } from 'react'
import { Link, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { WhenCell } from '../ui/words/when.tsx'
import { useRepositories } from './knowledge.ts'
import { RepositoryBadge } from './knowledge-words.tsx'
import { NewRepositoryDialog } from './repository-dialogs.tsx'

export function KnowledgePage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const workspaceId = workspace.workspace_id
  const repositories = useRepositories(workspaceId, page)
  const [creating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" needs={voice.createRepository} onClick={() => setCreating(true)}>
      <Icon name="plus" className="size-3.5" />
      New repository
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Knowledge"
        lead="Documents that your agents answer from. An agent uses the repositories that are chosen in its editor."
        action={create}
      />
      <Listing
        label="Repositories"
        query={repositories}
        columns={columns}
        keyOf={({ repository_id }) => repository_id}
        at="/knowledge"
        empty={
          <EmptyState icon="knowledge" title="No documents yet" action={create}>
            Add a handbook, a price list or your web site, and agents answer from it, say where they know it
            from, and say so if it is not in there.
          </EmptyState>
        }
      />
      {creating && <NewRepositoryDialog workspaceId={workspaceId} onClose={() => setCreating(false)} />}
    </>
  )
}

const columns: Column<Repository>[] = [
  {
    head: 'Repository',
    cell: ({ repository_id, name, description }) => (
      <div className="min-w-0">
        <Link
          to={`/knowledge/${repository_id}`}
          className="font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
        >
          {name}
        </Link>
        {description && (
          <p className="line-clamp-2 text-[0.8125rem] wrap-anywhere text-muted">{description}</p>
        )}
      </div>
    ),
  },
  { head: 'Status', cell: ({ status }) => <RepositoryBadge status={status} /> },
  {
    head: 'Documents',
    wide: true,
    cell: ({ document_counts: { queued, processing, ready, failed } }) => (
      <span className="text-muted tabular-nums">
        {(queued + processing + ready + failed).toLocaleString('en')}
        {failed > 0 && <span className="text-bad">, {failed.toLocaleString('en')} failed</span>}
      </span>
    ),
  },
  {
    head: 'Passages',
    wide: true,
    cell: ({ chunk_count }) => (
      <span className="text-muted tabular-nums">{chunk_count.toLocaleString('en')}</span>
    ),
  },
  { head: 'Created', wide: true, cell: ({ created_at }) => <WhenCell at={created_at} /> },
]
