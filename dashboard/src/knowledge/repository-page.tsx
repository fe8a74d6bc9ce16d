// One repository: its documents, how to add some, and what a search in it finds.
import type { dashboard, Repository } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { AddDocuments } from './add-documents.tsx'
import { DocumentList } from './document-list.tsx'
import { type RepositoryPlace, useRepository } from './knowledge.ts'
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
  return (
    <RecordShell
      query={repository}
      what="repository"
      list="knowledge"
      workspace={workspace}
      whyGone="It may have been deleted."
    >
      {(repository) => <LoadedRepository place={place} repository={repository} />}
    </RecordShell>
  )
}

function LoadedRepository({ place, repository }: { place: RepositoryPlace; repository: Repository }) {
  const [open, setOpen] = useState<'settings' | 'deletion'>()
  const dialog = { ...place, repository, onClose: () => setOpen(undefined) }
  return (
    <>
      <PageHeader
        title={repository.name}
        lead={repository.description ?? undefined}
        back={{ to: '/knowledge', label: 'Knowledge' }}
        badge={<RepositoryBadge status={repository.status} />}
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
          <Facts facts={factsOf(repository)} />
        </Card>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <AddDocuments place={place} />
          <TrySearch place={place} />
        </div>
      </div>
      <DocumentList place={place} isLive={repository.status === 'processing'} />
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
