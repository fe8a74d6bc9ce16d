// One batch: its live progress, its commands, and the outcome of every recipient.
import type { BatchDetail, BatchStatus, CallingWindow, dashboard, RetryConfig } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentScope } from '../agents/agents.tsx'
import { api, type BatchCommand, batchCommands, batchResultsAt } from '../api.ts'
import { go } from '../router.tsx'
import { Button, DownloadLink } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { type BatchPlace, isOver, useBatch, useBatchProgress, useBatchRefresh } from './batch.ts'
import { BatchProgress } from './batch-progress.tsx'
import { BatchBadge, counted, recipientWords } from './batch-words.tsx'
import { RecipientList } from './recipient-list.tsx'
import { RedialButton, unreachedOf } from './redial-button.tsx'

interface BatchPageProps {
  workspace: dashboard.Workspace
  batchId: string
}

export function BatchPage({ workspace, batchId }: BatchPageProps) {
  const place = { workspaceId: workspace.workspace_id, batchId }
  const batch = useBatch(place)
  const live = batch.data !== undefined && !(isOver(batch.data.status) && batch.data.counts.in_progress === 0)
  useBatchProgress(place, live)
  return (
    <RecordShell query={batch} what="batch" list="batches" workspace={workspace}>
      {(batch) => <LoadedBatch place={place} batch={batch} />}
    </RecordShell>
  )
}

/** The commands for each state, the most common one first. */
const commands: Record<BatchStatus, readonly BatchCommand[]> = {
  created: ['execute', 'cancel'],
  scheduled: ['execute', 'cancel'],
  in_progress: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  completed: [],
  cancelled: [],
  failed: [],
}

/** A batch that waits for its trunk goes on by itself, unless somebody says that it should not. */
const commandsFor = ({ status, resumes_at }: BatchDetail): readonly BatchCommand[] =>
  resumes_at === null ? commands[status] : ['resume', 'pause', 'cancel']

const verbFor = (name: BatchCommand, { status }: BatchDetail): string =>
  name === 'pause' && status === 'paused' ? 'Stay paused' : verbs[name]

const verbs: Record<BatchCommand, string> = {
  execute: 'Start calling',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel batch',
}

function LoadedBatch({ place, batch }: { place: BatchPlace; batch: BatchDetail }) {
  const refresh = useBatchRefresh()
  const toast = useToast()
  const [asking, setAsking] = useState<'cancel' | 'delete'>()
  const command = useMutation({
    mutationFn: (name: BatchCommand) => api.commandBatch(place.workspaceId, place.batchId, name),
    onSuccess: ({ message }) => {
      toast(message)
      setAsking(undefined)
      refresh(place)
    },
  })
  return (
    <>
      <PageHeader
        title={batch.name}
        lead={batch.status_reason ?? counted(batch.recipient_count, 'recipient')}
        back={{ to: '/batches', label: 'Batches' }}
        badge={
          <>
            <BatchBadge status={batch.status} />
            <SandboxBadge share={{ simulated: batch.sandbox_count, all: batch.recipient_count }} />
          </>
        }
        action={
          <>
            {commandsFor(batch).map((name, at) => (
              <Button
                key={name}
                needs={batchCommands[name]}
                kind={name === 'cancel' ? 'warning' : at === 0 ? 'primary' : 'plain'}
                busy={command.isPending && command.variables === name}
                onClick={() => (name === 'cancel' ? setAsking('cancel') : command.mutate(name))}
              >
                {verbFor(name, batch)}
              </Button>
            ))}
            {batch.started_at && (
              <DownloadLink href={batchResultsAt(place.workspaceId, place.batchId)}>
                Download results
              </DownloadLink>
            )}
            {isOver(batch.status) && unreachedOf(batch) > 0 && <RedialButton place={place} batch={batch} />}
            {isOver(batch.status) && (
              <Button kind="warning" needs={voice.deleteBatch} onClick={() => setAsking('delete')}>
                Delete
              </Button>
            )}
          </>
        }
      />
      {command.error && !asking && (
        <div className="mb-4">
          <RefusalNotice error={command.error} />
        </div>
      )}
      <Card>
        <BatchProgress counts={batch.counts} total={batch.recipient_count} />
        <Facts facts={factsOf(place.workspaceId, batch)} />
      </Card>
      <RecipientList place={place} />
      {asking === 'cancel' && (
        <ConfirmDialog
          title="Cancel this batch?"
          verb="Cancel batch"
          action={{
            isPending: command.isPending,
            error: command.error,
            mutate: () => command.mutate('cancel'),
          }}
          onClose={() => setAsking(undefined)}
        >
          Calls under way go on to their end. The {counted(batch.counts.pending, 'recipient')} still waiting
          will not be called. This cannot be undone; to stop for a while, pause it.
        </ConfirmDialog>
      )}
      {asking === 'delete' && (
        <DeleteBatchDialog place={place} batch={batch} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}

const factsOf = (workspaceId: string, batch: BatchDetail) => ({
  Agent: <AgentScope workspaceId={workspaceId} agentId={batch.agent_id} />,
  'Calls from': batch.from_phone_number ?? 'No number of its own',
  'At a time': batch.max_concurrency
    ? counted(batch.max_concurrency, 'call')
    : 'As many as the workspace may have',
  Hours: hoursOf(batch.calling_window),
  Retries: retriesOf(batch.retry_config),
  ...(batch.schedule_time && { Scheduled: <ExactTime at={batch.schedule_time} /> }),
  ...(batch.started_at && { Started: <ExactTime at={batch.started_at} /> }),
  ...(batch.resumes_at && { 'Tried again': <ExactTime at={batch.resumes_at} /> }),
  ...(batch.completed_at && { Ended: <ExactTime at={batch.completed_at} /> }),
})

const hoursOf = (window: CallingWindow | null): string => {
  if (!window) return 'At any hour'
  const days = window.days.length === 7 ? 'every day' : window.days.map((day) => day.slice(0, 3)).join(', ')
  return `${window.start_time}–${window.end_time}, ${days}, ${window.timezone}`
}

const retriesOf = (retry: RetryConfig | null): string =>
  retry && retry.max_retries > 0 && retry.retry_on.length > 0
    ? `${counted(retry.max_retries, 'time')} after ${retry.intervals_minutes.join(', ')} min: ${retry.retry_on.map((status) => recipientWords[status].toLowerCase()).join(', ')}`
    : 'None'

interface DeleteBatchDialogProps {
  place: BatchPlace
  batch: BatchDetail
  onClose(): void
}

function DeleteBatchDialog({ place, batch, onClose }: DeleteBatchDialogProps) {
  const refresh = useBatchRefresh()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteBatch(place.workspaceId, place.batchId),
    onSuccess: () => {
      refresh()
      toast('Batch deleted')
      go('/batches', { replace: true })
    },
  })
  return (
    <ConfirmDialog title="Delete this batch?" verb="Delete batch" action={remove} onClose={onClose}>
      <strong className="font-medium wrap-anywhere text-ink">{batch.name}</strong> and its list of recipients
      are gone; the records of its calls stay. This cannot be undone.
    </ConfirmDialog>
  )
}
