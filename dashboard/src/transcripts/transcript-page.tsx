// One transcript: its progress, and what is said in it once it is completed.
import type { dashboard, Transcript } from '@parley/contract'
import { transcriptAddresses } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { CorrectedReading } from './corrected-reading.tsx'
import { forgetFormerEdits, keepEdits } from './kept-edits.ts'
import { clockOf, languageOf, useTranscript, useTranscriptRefresh } from './transcript.ts'
import { TranscriptBadge, titleOf } from './transcript-words.tsx'

interface TranscriptPageProps {
  workspace: dashboard.Workspace
  transcriptId: string
}

export function TranscriptPage({ workspace, transcriptId }: TranscriptPageProps) {
  const transcript = useTranscript(workspace.workspace_id, transcriptId)
  return (
    <RecordShell query={transcript} what="transcript" list="transcripts" workspace={workspace}>
      {(transcript) => <LoadedTranscript workspaceId={workspace.workspace_id} transcript={transcript} />}
    </RecordShell>
  )
}

function LoadedTranscript({ workspaceId, transcript }: { workspaceId: string; transcript: Transcript }) {
  const [deleting, setDeleting] = useState(false)
  const { transcript_id: id, status, progress, error, duration, language, speakers } = transcript
  return (
    <>
      <PageHeader
        title={titleOf(transcript)}
        back={{ to: '/transcripts', label: 'Transcripts' }}
        badge={<TranscriptBadge status={status} />}
        action={
          <Button
            kind="warning"
            needs={transcriptAddresses.deleteTranscript}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        }
      />
      <Card>
        {error !== null && <RefusalNotice error={new Error(error)} />}
        {(status === 'queued' || status === 'processing') && (
          <Progress label="Transcription" share={progress} />
        )}
        <Facts
          facts={{
            Length: duration === null ? '–' : clockOf(duration),
            Language: languageOf(language),
            Speakers: speakers.length === 0 ? '–' : speakers.length,
            Created: <ExactTime at={transcript.created_at} />,
          }}
        />
      </Card>
      {status === 'completed' && <CorrectedReading workspaceId={workspaceId} transcript={transcript} />}
      {deleting && (
        <DeleteTranscriptDialog
          workspaceId={workspaceId}
          transcriptId={id}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

interface DeleteTranscriptDialogProps {
  workspaceId: string
  transcriptId: string
  onClose(): void
}

function DeleteTranscriptDialog(props: DeleteTranscriptDialogProps) {
  const { workspaceId, transcriptId, onClose } = props
  const refresh = useTranscriptRefresh()
  const toast = useToast()
  const { user_id: userId } = useUser()
  const remove = useMutation({
    mutationFn: () => api.deleteTranscript(workspaceId, transcriptId),
    onSuccess: () => {
      keepEdits({ userId, transcriptId }, undefined)
      forgetFormerEdits(transcriptId)
      refresh()
      toast('Transcript deleted')
      go('/transcripts', { replace: true })
    },
  })
  return (
    <ConfirmDialog title="Delete this transcript?" verb="Delete transcript" action={remove} onClose={onClose}>
      The transcript is deleted with its corrections, and so is the recording, unless another transcript needs
      it. This cannot be undone.
    </ConfirmDialog>
  )
}
