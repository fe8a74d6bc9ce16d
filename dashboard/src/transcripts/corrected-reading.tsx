// What is said in a completed transcript, with its corrections, which are saved while they are typed.
import type { Corrections, Transcript } from '@parley/contract'
import { transcriptAddresses } from '@parley/contract/addresses'
import { useWhyNot } from '../ui/controls/may.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { ClashNotice } from './clash-notice.tsx'
import { CorrectionsStatus } from './corrections-status.tsx'
import { type Edits, howMany, noEdits } from './edits.ts'
import { FormerNotice } from './former-notice.tsx'
import { Reading } from './reading.tsx'
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
