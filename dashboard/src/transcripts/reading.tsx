// The recording, the speakers, the lines and the files of a transcript, with its corrections.
import type { Transcript } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { boxLooks } from '../ui/forms/field.tsx'
import { usePlayback } from '../ui/sound/playback.ts'
import { formats, type Line, linesOf, usualName } from './edited-transcript.ts'
import type { Edits } from './edits.ts'
import { TranscriptLines } from './transcript-lines.tsx'
import { TranscriptPlayer } from './transcript-player.tsx'

interface ReadingProps {
  workspaceId: string
  transcript: Transcript
  edits: Edits
  /** Gets every change of the corrections. Left out: nothing can be corrected. */
  onEdit?(edits: Edits): void
  /** The state of the corrections, which stays in sight as the player does. */
  status?: ReactNode
  children: ReactNode
}

export function Reading({ workspaceId, transcript, edits, onEdit, status, children }: ReadingProps) {
  const { file_id: fileId, duration, speakers } = transcript
  const playing = usePlayback()
  const file = useQuery({
    queryKey: ['file', workspaceId, fileId],
    queryFn: () => api.file(workspaceId, fileId ?? ''),
    enabled: fileId !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const lines = linesOf(transcript, edits)
  return (
    <>
      {!file.data && !file.isLoading && (
        <p className="mt-6 text-[0.8125rem] text-muted">
          The recording is not stored here any more, so it cannot be played.
        </p>
      )}
      <div className="sticky top-2 z-10 mt-6 divide-y divide-line rounded-xl border border-line bg-surface shadow-card empty:hidden">
        {file.data && <TranscriptPlayer url={file.data.url} duration={duration ?? 0} playing={playing} />}
        {status}
      </div>
      <div className="mt-4 space-y-3 empty:hidden">{children}</div>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-3">
        {speakers.length > 0 && (
          <SpeakerNames speakers={speakers.map(({ speaker }) => speaker)} edits={edits} onEdit={onEdit} />
        )}
        <TranscriptFiles lines={lines} />
      </div>
      <TranscriptLines
        lines={lines}
        playing={file.data && playing}
        onEdit={onEdit && ((line, text) => onEdit({ ...edits, texts: { ...edits.texts, [line]: text } }))}
      />
    </>
  )
}

// The longest name that the server accepts.
const longestName = 100

interface SpeakerNamesProps {
  speakers: readonly string[]
  edits: Edits
  onEdit: ((edits: Edits) => void) | undefined
}

function SpeakerNames({ speakers, edits, onEdit }: SpeakerNamesProps) {
  const id = useId()
  return (
    <fieldset className="min-w-0" disabled={!onEdit}>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">Who speaks</legend>
      <div className="flex flex-wrap gap-2">
        {speakers.map((speaker) => (
          <input
            key={speaker}
            id={`${id}-${speaker}`}
            aria-label={`Name of ${usualName(speaker)}`}
            placeholder={usualName(speaker)}
            maxLength={longestName}
            value={edits.names[speaker] ?? ''}
            onChange={({ target }) =>
              onEdit?.({ ...edits, names: { ...edits.names, [speaker]: target.value } })
            }
            className={`${boxLooks} h-9 w-36! sm:h-8`}
          />
        ))}
      </div>
    </fieldset>
  )
}

const fileWords = { txt: 'Text', srt: 'SRT', vtt: 'VTT' } as const

/** The buttons that copy a transcript or save it as a file. */
function TranscriptFiles({ lines }: { lines: readonly Line[] }) {
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
      <Button onClick={copy}>Copy</Button>
      {(Object.keys(fileWords) as (keyof typeof fileWords)[]).map((format) => (
        <Button key={format} onClick={() => download(format)}>
          {fileWords[format]}
        </Button>
      ))}
    </div>
  )
}
