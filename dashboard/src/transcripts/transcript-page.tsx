// One transcript: its progress, its recording, its lines with times and speakers, and its files as they were corrected.
import type { dashboard, Transcript } from '@parley/contract'
import { transcriptAddresses as speech } from '@parley/contract/addresses'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Card, Facts } from '../ui/facts.tsx'
import { boxLooks } from '../ui/field.tsx'
import { NotHere } from '../ui/not-here.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { usePlaying } from '../ui/playing.ts'
import { Progress } from '../ui/progress.tsx'
import { RefusalNotice } from '../ui/refusal-notice.tsx'
import { FormSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toasts.tsx'
import { ExactTime } from '../ui/when.tsx'
import { DeleteTranscriptDialog } from './delete-transcript-dialog.tsx'
import { type Edits, formats, type Line, linesOf, nameOf, noEdits, useEdits } from './edited-transcript.ts'
import { clockOf, languageOf, useTranscript } from './transcript.ts'
import { TranscriptLines } from './transcript-lines.tsx'
import { TranscriptPlayer } from './transcript-player.tsx'
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
          <Button kind="warning" needs={speech.deleteTranscript} onClick={() => setDeleting(true)}>
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
      {status === 'completed' && <Reading workspaceId={workspaceId} transcript={transcript} />}
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

function Reading({ workspaceId, transcript }: { workspaceId: string; transcript: Transcript }) {
  const { transcript_id: id, file_id: fileId, duration, speakers } = transcript
  const { edits, save } = useEdits(id)
  const playing = usePlaying()
  const file = useQuery({
    queryKey: ['file', workspaceId, fileId],
    queryFn: () => api.file(workspaceId, fileId ?? ''),
    enabled: fileId !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const lines = linesOf(transcript, edits)
  const correct = (line: number, text: string) => save({ ...edits, texts: { ...edits.texts, [line]: text } })
  return (
    <>
      {file.data ? (
        <TranscriptPlayer url={file.data.url} duration={duration ?? 0} playing={playing} />
      ) : (
        !file.isLoading && (
          <p className="mt-6 text-[0.8125rem] text-muted">
            The recording is not stored here any more, so it cannot be played.
          </p>
        )
      )}
      <div className="mt-4 flex flex-wrap items-end justify-between gap-3">
        {speakers.length > 0 && (
          <SpeakerNames speakers={speakers.map(({ speaker }) => speaker)} edits={edits} onSave={save} />
        )}
        <Files lines={lines} isEdited={edits !== noEdits} onRevert={() => save(noEdits)} />
      </div>
      <TranscriptLines lines={lines} playing={file.data && playing} onEdit={correct} />
    </>
  )
}

interface SpeakerNamesProps {
  speakers: readonly string[]
  edits: Edits
  onSave(edits: Edits): void
}

function SpeakerNames({ speakers, edits, onSave }: SpeakerNamesProps) {
  const id = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[0.8125rem] font-medium">Who speaks</legend>
      <div className="flex flex-wrap gap-2">
        {speakers.map((speaker) => (
          <input
            key={speaker}
            id={`${id}-${speaker}`}
            aria-label={`Name of ${nameOf(speaker, noEdits)}`}
            placeholder={nameOf(speaker, noEdits)}
            value={edits.names[speaker] ?? ''}
            onChange={({ target }) =>
              onSave({ ...edits, names: { ...edits.names, [speaker]: target.value } })
            }
            className={`${boxLooks} h-9 w-36! sm:h-8`}
          />
        ))}
      </div>
    </fieldset>
  )
}

const fileWords = { txt: 'Text', srt: 'SRT', vtt: 'VTT' } as const

interface FilesProps {
  lines: readonly Line[]
  isEdited: boolean
  onRevert(): void
}

/** As they were corrected here. */
function Files({ lines, isEdited, onRevert }: FilesProps) {
  const toast = useToast()
  const download = (format: keyof typeof formats) => {
    const url = URL.createObjectURL(new Blob([formats[format](lines)], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: `transcript.${format}` })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url))
  }
  const copy = async () => {
    await navigator.clipboard.writeText(formats.txt(lines))
    toast('Copied')
  }
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {isEdited && (
        <>
          <span className="text-[0.8125rem] text-muted">Corrections are kept in this browser.</span>
          <Button kind="quiet" onClick={onRevert}>
            Undo all
          </Button>
        </>
      )}
      <Button onClick={copy}>Copy</Button>
      {(Object.keys(fileWords) as (keyof typeof fileWords)[]).map((format) => (
        <Button key={format} onClick={() => download(format)}>
          {fileWords[format]}
        </Button>
      ))}
    </div>
  )
}
