// What is said in a completed transcript, with its corrections, which are saved while they are typed.
import type { Corrections, Transcript } from '@parley/contract'
import { transcriptAddresses } from '@parley/contract/addresses'
import { useEffect, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { useWhyNot } from '../ui/controls/may.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { authorWords } from '../ui/words/author-words.ts'
import type { SaveState } from './corrections-saver.ts'
import { CorrectionsStatus } from './corrections-status.tsx'
import { usualName } from './edited-transcript.ts'
import type { Clash } from './edits.ts'
import { type Edits, howMany, noEdits } from './edits.ts'
import { forgetFormerEdits, formerEdits } from './kept-edits.ts'
import { Reading } from './reading.tsx'
import { clockOf } from './transcript.ts'
import { useCorrections, useStoredCorrections } from './use-corrections.ts'

interface CorrectedReadingProps {
  workspaceId: string
  transcript: Transcript
}

export function CorrectedReading({ workspaceId, transcript }: CorrectedReadingProps) {
  const stored = useStoredCorrections(workspaceId, transcript.transcript_id)
  const whyNot = useWhyNot(transcriptAddresses.putTranscriptCorrections)
  if (stored.data) {
    // When the role of the user changes, the editor begins anew.
    return <Correctable key={whyNot} workspaceId={workspaceId} transcript={transcript} stored={stored.data} />
  }
  if (stored.isPending) return <FormSkeleton />
  return (
    <Reading workspaceId={workspaceId} transcript={transcript} edits={noEdits}>
      <RefusalNotice error={stored.error} />
    </Reading>
  )
}

function Correctable({ workspaceId, transcript, stored }: CorrectedReadingProps & { stored: Corrections }) {
  const { saver, saving, tidy, whyNot } = useCorrections(workspaceId, transcript, stored)
  const { edits } = saving
  return (
    <Reading
      workspaceId={workspaceId}
      transcript={transcript}
      edits={edits}
      {...(whyNot === undefined && { onEdit: (next: Edits) => saver.edit(next) })}
      status={
        <CorrectionsStatus
          saving={saving}
          isCorrected={howMany(tidy(edits)) > 0}
          onRetry={() => saver.flush()}
          onRevert={() => saver.edit(noEdits)}
        />
      }
    >
      <FormerNotice
        transcriptId={transcript.transcript_id}
        tidy={tidy}
        onTake={(former) => saver.bring(former)}
      />
      <ClashNotice
        saving={saving}
        transcript={transcript}
        onChoose={(clash, whose) => saver.settle(clash, whose)}
      />
    </Reading>
  )
}

interface ClashNoticeProps {
  saving: SaveState
  transcript: Transcript
  onChoose(clash: Clash, whose: 'mine' | 'theirs'): void
}

/** Shows names and lines that somebody else has corrected meanwhile in both versions, and the user chooses. */
function ClashNotice({ saving: { clashes, stored }, transcript, onChoose }: ClashNoticeProps) {
  if (clashes.length === 0) return null
  return (
    <div role="alert" className="space-y-3 rounded-lg bg-wait-soft px-3.5 py-3 text-[0.8125rem]">
      <p className="font-medium text-wait">
        {authorWords(stored.author)} has corrected the same meanwhile. Nothing is lost: choose what is kept.
      </p>
      <ul className="space-y-3">
        {clashes.map((clash) => (
          <li key={clash.kind + clash.key}>
            <p className="mb-1 text-muted">{placeOf(clash, transcript)}</p>
            <div className="flex flex-wrap gap-2">
              {(['mine', 'theirs'] as const).map((whose) => (
                <Choice key={whose} onChoose={() => onChoose(clash, whose)}>
                  {whose === 'mine' ? 'Keep mine' : 'Take theirs'}: {wordsOf(clash[whose], clash, transcript)}
                </Choice>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Choice({ onChoose, children }: { onChoose(): void; children: React.ReactNode }) {
  return (
    <Button onClick={onChoose} className="h-auto! min-h-8 py-1 text-left whitespace-normal! wrap-anywhere">
      <span>{children}</span>
    </Button>
  )
}

const placeOf = ({ kind, key }: Clash, { segments }: Transcript): string =>
  kind === 'names'
    ? `The name of ${usualName(key)}`
    : `The line at ${clockOf(segments[Number(key)]?.start ?? 0)}`

/** The corrected text, or words that say that it was left as it was heard. */
function wordsOf(text: string | undefined, { kind, key }: Clash, { segments }: Transcript): string {
  if (kind === 'names') return text?.trim() || usualName(key)
  return (text ?? segments[Number(key)]?.text ?? '') || '(nothing)'
}

interface FormerNoticeProps {
  transcriptId: string
  tidy(edits: Edits): Edits
  onTake(former: Edits): void
}

/** Offers, once, corrections that only this browser has, from releases whose servers did not store them. */
function FormerNotice({ transcriptId, tidy, onTake }: FormerNoticeProps) {
  const [former, setFormer] = useState(() => {
    const edits = formerEdits(transcriptId)
    return edits && tidy(edits)
  })
  const count = former ? howMany(former) : 0
  useEffect(() => {
    if (count === 0) forgetFormerEdits(transcriptId)
  }, [transcriptId, count])
  if (!former || count === 0) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-accent-soft px-3.5 py-3 text-accent-ink"
    >
      <p className="min-w-0 flex-1">
        {count === 1 ? 'A correction of this transcript is' : `${count} corrections of this transcript are`}{' '}
        in this browser only.
      </p>
      <div className="flex gap-2">
        <Button
          size="small"
          needs={transcriptAddresses.putTranscriptCorrections}
          onClick={() => {
            onTake(former)
            setFormer(undefined)
          }}
        >
          Save for everybody
        </Button>
        <Button size="small" kind="quiet" onClick={() => setFormer(undefined)}>
          Throw away
        </Button>
      </div>
    </div>
  )
}
