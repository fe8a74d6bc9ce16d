// One transcript: its progress, its lines with times and speakers, and its downloads.
import type { dashboard, Segment, Transcript } from '@parley/contract'
import { useState } from 'react'
import { transcriptFileAt } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Card, Facts } from '../ui/facts.tsx'
import { NotHere } from '../ui/not-here.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Progress } from '../ui/progress.tsx'
import { RefusalNotice } from '../ui/refusal-notice.tsx'
import { FormSkeleton } from '../ui/skeleton.tsx'
import { ExactTime } from '../ui/when.tsx'
import { DeleteTranscriptDialog } from './delete-transcript-dialog.tsx'
import { clockOf, languageOf, useTranscript } from './transcript.ts'
import { TranscriptBadge } from './transcript-words.tsx'
import { titleOf } from './transcripts-page.tsx'

interface TranscriptPageProps {
  workspace: dashboard.Workspace
  transcriptId: string
}

export function TranscriptPage({ workspace, transcriptId }: TranscriptPageProps) {
  const transcript = useTranscript(workspace.workspace_id, transcriptId)
  if (transcript.isPending) return <FormSkeleton />
  if (transcript.isError) {
    return (
      <NotHere error={transcript.error} what="transcript" list="transcripts">
        There is no transcript with this id in {workspace.name}. It may be deleted, or live in another
        workspace.
      </NotHere>
    )
  }
  return <Loaded workspaceId={workspace.workspace_id} transcript={transcript.data} />
}

function Loaded({ workspaceId, transcript }: { workspaceId: string; transcript: Transcript }) {
  const [deleting, setDeleting] = useState(false)
  const { transcript_id: id, status, progress, error, duration, language, speakers } = transcript
  return (
    <>
      <PageHeader
        title={titleOf(transcript)}
        back={{ to: '/transcripts', label: 'Transcripts' }}
        badge={<TranscriptBadge status={status} />}
        action={
          <>
            {status === 'completed' && <Downloads workspaceId={workspaceId} id={id} />}
            <Button kind="warning" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
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
      {status === 'completed' && <Lines segments={transcript.segments} />}
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

const formats = { text: 'Text', srt: 'SRT', vtt: 'VTT' } as const
const extensions = { text: 'txt', srt: 'srt', vtt: 'vtt' } as const

function Downloads({ workspaceId, id }: { workspaceId: string; id: string }) {
  return (Object.keys(formats) as (keyof typeof formats)[]).map((format) => (
    <a
      key={format}
      href={transcriptFileAt(workspaceId, id, format)}
      download={`transcript.${extensions[format]}`}
      className="inline-flex h-9 items-center rounded-md border border-edge bg-surface px-3.5 font-medium shadow-card transition-colors hover:bg-hover sm:h-8 sm:px-3"
    >
      {formats[format]}
    </a>
  ))
}

function Lines({ segments }: { segments: readonly Segment[] }) {
  if (segments.length === 0) return <p className="mt-6 text-muted">Nobody speaks in this recording.</p>
  return (
    <ol aria-label="What is said" className="mt-6 space-y-0.5">
      {segments.map(({ id, start, speaker, text }, at) => {
        const turns = speaker !== null && segments[at - 1]?.speaker !== speaker
        return (
          <li key={id} className={`grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 ${turns ? 'pt-4' : ''}`}>
            <span className="pt-0.5 text-right text-[0.8125rem] text-muted tabular-nums">
              {clockOf(start)}
            </span>
            <div>
              {turns && <p className="text-[0.8125rem] font-medium text-accent-ink">{nameOf(speaker)}</p>}
              <p className="max-w-3xl leading-relaxed text-pretty">{text}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** SPEAKER_00 is the first. */
const nameOf = (speaker: string): string => `Speaker ${Number(speaker.replace(/\D/g, '')) + 1}`
