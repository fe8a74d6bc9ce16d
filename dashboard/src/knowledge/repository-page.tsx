// One repository: its documents, how to add some, and what a search in it finds.
import type { dashboard, Repository } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { NotHere } from '../ui/feedback/not-here.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { AddDocuments } from './add-documents.tsx'
import { DocumentList } from './document-list.tsx'
import { useRepository } from './knowledge.ts'
import { RepositoryBadge } from './knowledge-words.tsx'
import { DeleteRepositoryDialog, RepositorySettingsDialog } from './repository-dialogs.tsx'
import { TrySearch } from './try-search.tsx'

interface RepositoryPageProps {
  workspace: dashboard.Workspace
  repositoryId: string
}

export function RepositoryPage({ workspace, repositoryId }: RepositoryPageProps) {
  const place = { workspaceId: workspace.workspace_id, repositoryId }
  const repository = useRepository(place)
  const [open, setOpen] = useState<'settings' | 'deletion'>()
  if (repository.isPending) return <FormSkeleton />
  if (repository.isError) {
    return (
      <NotHere error={repository.error} what="repository" list="knowledge">
        There is no such repository in {workspace.name}. It may have been deleted.
      </NotHere>
    )
  }
  const { data } = repository
  const dialog = { ...place, repository: data, onClose: () => setOpen(undefined) }
  return (
    <>
      <PageHeader
        title={data.name}
        lead={data.description ?? undefined}
        back={{ to: '/knowledge', label: 'Knowledge' }}
        badge={<RepositoryBadge status={data.status} />}
        action={
          <>
            <Button needs={voice.updateRepository} onClick={() => setOpen('settings')}>
              Settings
            </Button>
            <Button kind="warning" needs={voice.deleteRepository} onClick={() => setOpen('deletion')}>
              Delete
            </Button>
          </>
        }
      />
      <div className="space-y-6">
        <Card>
          <Facts facts={factsOf(data)} />
        </Card>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <AddDocuments place={place} />
          <TrySearch place={place} />
        </div>
      </div>
      <DocumentList place={place} isLive={data.status === 'processing'} />
      {open === 'settings' && <RepositorySettingsDialog {...dialog} />}
      {open === 'deletion' && <DeleteRepositoryDialog {...dialog} />}
    </>
  )
}

const whole = (value: number) => value.toLocaleString('en')

function factsOf({ document_counts: counts, chunk_count, language, chunk_size, top_k }: Repository) {
  const waiting = counts.queued + counts.processing
  return {
    Documents: [
      `${whole(counts.ready)} ready`,
      ...(waiting > 0 ? [`${whole(waiting)} on their way`] : []),
      ...(counts.failed > 0 ? [`${whole(counts.failed)} failed`] : []),
    ].join(', '),
    Passages: whole(chunk_count),
    Language: language,
    'A question gets': `${top_k} passages of about ${chunk_size} letters`,
  }
}
