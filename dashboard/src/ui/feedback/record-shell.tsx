// The frame of a page that shows one record: a placeholder while it is loaded, then the record, or a notice that there is none.
import type { ReactNode } from 'react'
import { Refusal } from '../../api.ts'
import { ButtonLink } from '../controls/button.tsx'
import { EmptyState } from './empty-state.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { FormSkeleton } from './skeleton.tsx'

interface RecordShellProps<Data> {
  /** The query that reads the record. */
  query: { readonly data: Data | undefined; readonly error: Error | null }
  /** The word for the record, as in "agent". */
  what: string
  /** The page that lists such records. */
  list: 'agents' | 'calls' | 'knowledge' | 'numbers' | 'tools' | 'batches' | 'webhooks' | 'transcripts'
  workspace: { readonly name: string }
  /** What may have become of a record that is not there. Left out: deleted, or in another workspace. */
  whyGone?: string
  /** Whether what was read before stays in sight if it cannot be read again. */
  keepsFormer?: boolean
  fallback?: ReactNode
  children(record: NonNullable<Data>): ReactNode
}

export function RecordShell<Data>({
  query: { data, error },
  keepsFormer = false,
  fallback = <FormSkeleton />,
  children,
  ...rest
}: RecordShellProps<Data>) {
  if (error && !(keepsFormer && data)) return <NoRecord error={error} {...rest} />
  return data ? children(data) : fallback
}

type NoRecordProps = Pick<RecordShellProps<unknown>, 'what' | 'list' | 'workspace' | 'whyGone'> & {
  error: Error
}

function NoRecord({ error, what, list, workspace, whyGone }: NoRecordProps) {
  // A malformed id is an invalid request, but to the user it is simply something that does not exist.
  const isMissing = error instanceof Refusal && [400, 404].includes(error.status)
  if (!isMissing) return <RefusalNotice error={error} />
  return (
    <EmptyState
      icon={list === 'tools' ? 'tool' : list}
      title={`This ${what} is not here`}
      action={<ButtonLink to={`/${list}`}>See all {list}</ButtonLink>}
    >
      {whyGone
        ? `There is no such ${what} in ${workspace.name}. ${whyGone}`
        : `There is no ${what} with this id in ${workspace.name}. It may be deleted, or live in another workspace.`}
    </EmptyState>
  )
}
