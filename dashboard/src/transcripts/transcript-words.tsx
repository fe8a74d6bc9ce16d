// Labels for transcripts. The compiler checks that the list is complete.
import type { TranscriptStatus } from '@parley/contract'
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
