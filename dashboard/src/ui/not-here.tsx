// What the address names is not there, or could not be read.
import type { ReactNode } from 'react'
import { Refusal } from '../api.ts'
import { ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { RefusalNotice } from './refusal-notice.tsx'

interface NotHereProps {
  error: Error
  /** As in "agent". */
  what: string
  /** Where those that are there are listed. */
  list: 'agents' | 'batches' | 'webhooks' | 'transcripts'
  children: ReactNode
}

export function NotHere({ error, what, list, children }: NotHereProps) {
  // A malformed id is a fault of the request, but to a person it is just something that is not there.
  const missing = error instanceof Refusal && [400, 404].includes(error.status)
  if (!missing) return <RefusalNotice error={error} />
  return (
    <EmptyState
      icon={list}
      title={`This ${what} is not here`}
      action={<ButtonLink to={`/${list}`}>See all {list}</ButtonLink>}
    >
      {children}
    </EmptyState>
  )
}
