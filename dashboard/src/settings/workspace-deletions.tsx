// Workspaces that are being deleted or were deleted lately, with their progress.
import type { dashboard } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Badge } from '../ui/words/badge.tsx'
import { When } from '../ui/words/when.tsx'

const askAgainMs = 1_500

export function WorkspaceDeletions() {
  const { data } = useQuery({
    queryKey: ['workspace-deletions'],
    queryFn: api.workspaceDeletions,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ completed_at }) => completed_at === null) ? askAgainMs : false,
  })
  if (!data || data.data.length === 0) return null
  return (
    <section className="mt-9">
      <h2 className="mb-3 font-semibold">Deleted</h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {data.data.map((deletion) => (
          <li key={deletion.deletion_id} className="space-y-2 px-4 py-3">
            <Row {...deletion} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({
  name,
  status,
  progress,
  removed,
  error,
  requested_by,
  created_at,
}: dashboard.WorkspaceDeletion) {
  const percent = Math.round(progress * 100)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{name}</span>
        {status === 'completed' && <Badge tone="off">Deleted</Badge>}
        {status === 'failed' && <Badge tone="bad">Failed</Badge>}
      </div>
      {status !== 'completed' && status !== 'failed' && (
        <progress
          value={percent}
          max={100}
          aria-label={`Deletion of ${name}`}
          className="block h-1.5 w-full accent-accent"
        />
      )}
      <p className="text-[0.8125rem] text-muted">
        {error && `${error} `}
        {removed.calls} calls, {removed.recordings} recordings, {removed.files} files, {removed.rows} other
        entries and {removed.archived} records of the archive are gone. Asked for by {requested_by},{' '}
        <When at={created_at} />.
      </p>
    </>
  )
}
