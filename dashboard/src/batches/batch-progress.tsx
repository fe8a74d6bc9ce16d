// The progress of a batch: a bar of all recipients, coloured by outcome, with the numbers below it.
import type { RecipientCounts, RecipientStatus } from '@parley/contract'
import { recipientWords } from './batch-words.tsx'

/** From left to right. Recipients that are still waiting are the empty rest of the bar. */
const parts: readonly { readonly status: RecipientStatus; readonly colour: string }[] = [
  { status: 'completed', colour: 'bg-good' },
  { status: 'voicemail', colour: 'bg-wait' },
  { status: 'no-answer', colour: 'bg-teal' },
  { status: 'busy', colour: 'bg-plum' },
  { status: 'failed', colour: 'bg-bad' },
  { status: 'in_progress', colour: 'bg-accent motion-safe:animate-pulse' },
  { status: 'cancelled', colour: 'bg-muted/45' },
  { status: 'skipped', colour: 'bg-muted/80' },
  { status: 'pending', colour: 'bg-line' },
]

export function BatchProgress({ counts, total }: { counts: RecipientCounts; total: number }) {
  const open = counts.pending + counts.in_progress
  const percent = Math.floor(((total - open) / total) * 100)
  return (
    <div>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <p>
          <span className="text-2xl font-semibold tracking-tight tabular-nums">{percent} %</span>
          <span className="ml-2 text-muted">
            {(total - open).toLocaleString('en')} of {total.toLocaleString('en')} done
          </span>
        </p>
        {counts.in_progress > 0 && (
          <p className="text-[0.8125rem] text-muted tabular-nums">{counts.in_progress} under way now</p>
        )}
      </div>
      <div
        role="progressbar"
        aria-label="Recipients done"
        aria-valuenow={percent}
        className="flex h-2.5 gap-px overflow-hidden rounded-full bg-line"
      >
        {parts.map(({ status, colour }) => (
          <div
            key={status}
            className={`${colour} transition-[width] duration-500`}
            style={{ width: `${(counts[status] / total) * 100}%` }}
          />
        ))}
      </div>
      <dl className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
        {parts
          .filter(({ status }) => counts[status] > 0)
          .map(({ status, colour }) => (
            <div key={status} className="flex items-center gap-2 text-[0.8125rem]">
              <span aria-hidden="true" className={`size-2 rounded-full ${colour}`} />
              <dt className="text-muted">{recipientWords[status]}</dt>
              <dd className="font-medium tabular-nums">{counts[status].toLocaleString('en')}</dd>
            </div>
          ))}
      </dl>
    </div>
  )
}
