// The documents of a repository: their status as it changes, why one failed and what to do about it.
import type { DocumentStatus, KnowledgeDocument } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Filter } from '../ui/lists/filter.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { When } from '../ui/words/when.tsx'
import { type RepositoryPlace, useDocuments, useKnowledgeRefresh } from './knowledge.ts'
import { DocumentBadge, documentWords, kindOf, mendOf, sizeOf } from './knowledge-words.tsx'

const statuses = Object.keys(documentWords) as DocumentStatus[]

export function DocumentList({ place, isLive }: { place: RepositoryPlace; isLive: boolean }) {
  const { page, status: asked } = usePlace()
  const status = statuses.find((one) => one === asked)
  const documents = useDocuments(place, page, status, isLive)
  const at = (only?: DocumentStatus) =>
    `/knowledge/${place.repositoryId}${only ? `?status=${only}` : ''}#documents`
  return (
    <section id="documents" aria-labelledby="documents-title" className="mt-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="documents-title" className="font-semibold">
          Documents
        </h2>
        <Filter
          label="Documents by status"
          choices={[undefined, ...statuses].map((only) => ({
            to: at(only),
            words: only ? documentWords[only] : 'All',
            chosen: only === status,
          }))}
        />
      </div>
      <Listing
        label="Documents"
        query={documents}
        columns={columnsOf(place)}
        keyOf={({ document_id }) => document_id}
        at={at(status)}
        empty={
          <EmptyState icon="docs" title={status ? 'Nothing here' : 'No documents yet'}>
            {status ? 'No document is in this state at the moment.' : 'Add the first one above.'}
          </EmptyState>
        }
      />
    </section>
  )
}

const columnsOf = (place: RepositoryPlace): Column<KnowledgeDocument>[] => [
  { head: 'Document', cell: (document) => <Name document={document} /> },
  { head: 'Status', cell: (document) => <State document={document} /> },
  {
    head: 'Passages',
    wide: true,
    cell: ({ chunk_count }) => (
      <span className="text-muted tabular-nums">{chunk_count.toLocaleString('en')}</span>
    ),
  },
  {
    head: 'Indexed',
    wide: true,
    cell: ({ indexed_at }) => (
      <span className="text-muted">{indexed_at ? <When at={indexed_at} /> : '—'}</span>
    ),
  },
  { head: 'Actions', actions: true, cell: (document) => <Actions place={place} document={document} /> },
]

function Name({ document }: { document: KnowledgeDocument }) {
  const { title, url, status, error, duplicate_of, bytes } = document
  return (
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">{title}</p>
      <p className="text-[0.8125rem] wrap-anywhere text-muted">
        {kindOf(document)}
        {bytes !== null && `, ${sizeOf(bytes)}`}
        {url && url !== title && `, ${url}`}
        {duplicate_of && ', the same as another document, which is searched in its place'}
      </p>
      {status === 'failed' && (
        <p className="mt-1 text-[0.8125rem] wrap-anywhere text-bad">
          {error} {mendOf(document)}
        </p>
      )}
    </div>
  )
}

function State({ document: { status, progress, title } }: { document: KnowledgeDocument }) {
  if (status !== 'processing' || !progress.total) return <DocumentBadge status={status} />
  return (
    <div className="min-w-28">
      <Progress label={`Indexing of ${title}`} share={progress.done / progress.total} />
    </div>
  )
}

function Actions({ place, document }: { place: RepositoryPlace; document: KnowledgeDocument }) {
  const { workspaceId, repositoryId } = place
  const { document_id: documentId, title, kind } = document
  const refresh = useKnowledgeRefresh()
  const toast = useToast()
  const [removing, setRemoving] = useState(false)
  const again = useMutation({
    mutationFn: () => api.reindexDocument(workspaceId, repositoryId, documentId),
    onSuccess: refresh,
    onError: (error) => toast(error.message),
  })
  const remove = useMutation({
    mutationFn: () => api.deleteDocument(workspaceId, repositoryId, documentId),
    onSuccess: () => {
      refresh()
      toast(`${title} deleted`)
      setRemoving(false)
    },
  })
  return (
    <div className="flex flex-wrap justify-end gap-1">
      <Button
        size="small"
        kind="quiet"
        needs={voice.reindexDocument}
        busy={again.isPending}
        aria-label={`Index again: ${title}`}
        onClick={() => again.mutate()}
      >
        Index again
      </Button>
      <Button
        size="small"
        kind="quiet"
        needs={voice.deleteDocument}
        aria-label={`Delete ${title}`}
        onClick={() => setRemoving(true)}
      >
        Delete
      </Button>
      {removing && (
        <ConfirmDialog
          title={`Delete ${title}?`}
          verb="Delete document"
          action={remove}
          onClose={() => setRemoving(false)}
        >
          {kind === 'site' ? 'With all of its pages. ' : ''}From the next question on nothing of it is found.
        </ConfirmDialog>
      )}
    </div>
  )
}
