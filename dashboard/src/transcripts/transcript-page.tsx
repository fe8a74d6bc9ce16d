// One transcript: its progress, and what is said in it once it is completed.
import type { dashboard, Transcript } from '@parley/contract'
import { transcriptAddresses } from '@parley/contract/addresses'
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { CorrectedReading } from './corrected-reading.tsx'
import { DeleteTranscriptDialog } from './delete-transcript-dialog.tsx'
import { clockOf, languageOf, useTranscript } from './transcript.ts'
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
