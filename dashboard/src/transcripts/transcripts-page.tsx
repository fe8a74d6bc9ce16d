// The transcripts of a workspace, newest first.
import type { dashboard, TranscriptSummary } from '@parley/contract'
import { transcriptAddresses } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { When } from '../ui/words/when.tsx'
import { NewTranscriptDialog } from './new-transcript-dialog.tsx'
import { clockOf, languageOf, whileUnderWay } from './transcript.ts'
import { TranscriptBadge, titleOf } from './transcript-words.tsx'

export function TranscriptsPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const workspaceId = workspace.workspace_id
  const [creating, setCreating] = useState(false)
  const transcripts = useQuery({
    queryKey: ['transcripts', workspaceId, page],
    queryFn: () => api.transcripts(workspaceId, page),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => whileUnderWay(state.data?.data.map(({ status }) => status) ?? []),
  })
  const create = (
    <Button kind="primary" needs={transcriptAddresses.createTranscript} onClick={() => setCreating(true)}>
      <Icon name="plus" className="size-3.5" />
      New transcript
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Transcripts"
        lead="Upload a recording and read what is said in it, when and by whom."
        action={create}
      />
      <Listing
        label="Transcripts"
        query={transcripts}
        columns={columns}
        keyOf={({ transcript_id }) => transcript_id}
        at="/transcripts"
        empty={
          <EmptyState icon="transcripts" title="No transcripts yet" action={create}>
            Upload audio or video. It is transcribed on this installation; nothing leaves it unless a
            transcription server is configured.
          </EmptyState>
        }
      />
      {creating && <NewTranscriptDialog workspaceId={workspaceId} onClose={() => setCreating(false)} />}
    </>
  )
}

const columns: Column<TranscriptSummary>[] = [
  {
    head: 'Recording',
    cell: (transcript) => (
      <Link
        to={`/transcripts/${transcript.transcript_id}`}
        className="font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
      >
        {titleOf(transcript)}
      </Link>
    ),
  },
  {
    head: 'Status',
    cell: ({ status, progress }) =>
      status === 'processing' ? (
        <Progress label="Transcription" share={progress} />
      ) : (
        <TranscriptBadge status={status} />
      ),
  },
  {
    head: 'Length',
    wide: true,
    cell: ({ duration }) => (
      <span className="text-muted tabular-nums">{duration === null ? '–' : clockOf(duration)}</span>
    ),
  },
  {
    head: 'Language',
    wide: true,
    cell: ({ language }) => <span className="text-muted">{languageOf(language)}</span>,
  },
  {
    head: 'Created',
    wide: true,
    cell: ({ created_at }) => (
      <span className="text-muted">
        <When at={created_at} />
      </span>
    ),
  },
]
