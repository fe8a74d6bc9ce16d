// Labels for transcripts. The compiler checks that the list is complete.
import type { TranscriptStatus, TranscriptSummary } from '@parley/contract'
import { Badge, type Tone } from '../ui/words/badge.tsx'

const words: Record<TranscriptStatus, string> = {
  queued: 'Queued',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
}
const tones: Record<TranscriptStatus, Tone> = {
  queued: 'wait',
  processing: 'accent',
  completed: 'good',
  failed: 'bad',
}

export function TranscriptBadge({ status }: { status: TranscriptStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {words[status]}
    </Badge>
  )
}

/** The name that the dialog stored. Transcripts made over the API may have none. */
export const titleOf = ({ metadata, transcript_id }: TranscriptSummary): string =>
  typeof metadata?.filename === 'string' ? metadata.filename : transcript_id
