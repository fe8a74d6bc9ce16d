// The recipients of a batch in the order of the list, each with its outcome.
import type { Recipient, RecipientStatus } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { lengthWords, reasonWords } from '../calls/calls.ts'
import { Link, usePlace } from '../router.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Filter } from '../ui/lists/filter.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { When } from '../ui/words/when.tsx'
import { type BatchPlace, batchKey } from './batch.ts'
import { RecipientBadge, recipientWords } from './batch-words.tsx'

const statuses = Object.keys(recipientWords) as RecipientStatus[]

export function RecipientList({ place }: { place: BatchPlace }) {
  const { workspaceId, batchId } = place
  const { page, status: asked } = usePlace()
  const status = statuses.find((one) => one === asked)
  const recipients = useQuery({
    queryKey: batchKey(place, 'recipients', status, page),
    queryFn: () => api.recipients(workspaceId, batchId, page, status),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  // The # keeps the scroll position when another page of the list is opened.
  const at = (only?: RecipientStatus) => `/batches/${batchId}${only ? `?status=${only}` : ''}#recipients`
  return (
    <section id="recipients" aria-labelledby="recipients-title" className="mt-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="recipients-title" className="font-semibold">
          Recipients
        </h2>
        <Filter
          label="Recipients by status"
          choices={[undefined, ...statuses].map((only) => ({
            to: at(only),
            words: only ? recipientWords[only] : 'All',
            chosen: only === status,
          }))}
        />
      </div>
      <Listing
        label="Recipients"
        query={recipients}
        columns={columns}
        keyOf={({ row }) => String(row)}
        at={at(status)}
        empty={
          <EmptyState icon="batches" title="Nobody here">
            No recipient of this batch is in this state at the moment.
          </EmptyState>
        }
      />
    </section>
  )
}

const columns: Column<Recipient>[] = [
  {
    head: 'Recipient',
    cell: ({ name, to_phone_number, recipient_id, attempts }) => (
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere tabular-nums">{name ?? to_phone_number}</p>
        <p className="text-[0.8125rem] wrap-anywhere text-muted tabular-nums">
          {name ? to_phone_number : recipient_id}
          {attempts > 1 && <span className="md:hidden">, {attempts} attempts</span>}
        </p>
      </div>
    ),
  },
  {
    head: 'Status',
    cell: ({ status, sandbox }) => (
      <span className="inline-flex flex-wrap gap-1">
        <RecipientBadge status={status} />
        {sandbox && <SandboxBadge />}
      </span>
    ),
  },
  {
    head: 'Attempts',
    wide: true,
    cell: ({ attempts, next_attempt_at }) => (
      <span className="text-muted tabular-nums">
        {attempts}
        {next_attempt_at && (
          <>
            , again <When at={next_attempt_at} />
          </>
        )}
      </span>
    ),
  },
  {
    head: 'Ended',
    wide: true,
    cell: ({ hangup_reason }) => (
      <span className="text-muted">{hangup_reason ? reasonWords[hangup_reason] : '—'}</span>
    ),
  },
  {
    head: 'Call',
    cell: ({ session_id, duration, name, to_phone_number }) =>
      session_id ? (
        <Link
          to={`/calls/${session_id}`}
          aria-label={`The last call to ${name ?? to_phone_number}`}
          className="font-medium whitespace-nowrap text-accent-ink tabular-nums underline underline-offset-3"
        >
          {duration === null ? 'Open' : lengthWords(duration)}
        </Link>
      ) : (
        <span className="text-muted">—</span>
      ),
  },
]
