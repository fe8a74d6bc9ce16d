// Labels for batches and recipients. The compiler checks that the lists are complete.
import type { BatchStatus, RecipientStatus } from '@parley/contract'
import { Badge, type Tone } from '../ui/words/badge.tsx'

export const batchWords: Record<BatchStatus, string> = {
  created: 'Not started',
  scheduled: 'Scheduled',
  in_progress: 'Calling',
  paused: 'Paused',
  completed: 'Completed',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

const batchTones: Record<BatchStatus, Tone> = {
  created: 'off',
  scheduled: 'accent',
  in_progress: 'good',
  paused: 'wait',
  completed: 'good',
  cancelled: 'off',
  failed: 'bad',
}

export const recipientWords: Record<RecipientStatus, string> = {
  pending: 'Waiting',
  in_progress: 'Under way',
  completed: 'Completed',
  voicemail: 'Voicemail',
  'no-answer': 'No answer',
  busy: 'Busy',
  failed: 'Failed',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
}

const recipientTones: Record<RecipientStatus, Tone> = {
  pending: 'off',
  in_progress: 'accent',
  completed: 'good',
  voicemail: 'wait',
  'no-answer': 'wait',
  busy: 'wait',
  failed: 'bad',
  cancelled: 'off',
  skipped: 'off',
}

export function BatchBadge({ status }: { status: BatchStatus }) {
  return (
    <Badge tone={batchTones[status]} dot>
      {batchWords[status]}
    </Badge>
  )
}

export function RecipientBadge({ status }: { status: RecipientStatus }) {
  return (
    <Badge tone={recipientTones[status]} dot>
      {recipientWords[status]}
    </Badge>
  )
}

export const counted = (many: number, one: string, several = `${one}s`): string =>
  `${many.toLocaleString('en')} ${many === 1 ? one : several}`
