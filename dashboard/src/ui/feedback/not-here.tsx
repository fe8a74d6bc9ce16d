// The item that the address names does not exist, or could not be read.
import type { ReactNode } from 'react'
import { Refusal } from '../../api.ts'
import { ButtonLink } from '../controls/button.tsx'
import { EmptyState } from './empty-state.tsx'
import { RefusalNotice } from './refusal-notice.tsx'

interface NotHereProps {
  error: Error
  /** As in "agent". */
  what: string
  /** The list of those that exist. */
  list: 'agents' | 'calls' | 'knowledge' | 'numbers' | 'tools' | 'batches' | 'webhooks' | 'transcripts'
  children: ReactNode
}

export function NotHere({ error, what, list, children }: NotHereProps) {
  // A malformed id is an invalid request, but to the user it is simply something that does not exist.
  const missing = error instanceof Refusal && [400, 404].includes(error.status)
  if (!missing) return <RefusalNotice error={error} />
  return (
    <EmptyState
      icon={list === 'tools' ? 'tool' : list}
      title={`This ${what} is not here`}
      action={<ButtonLink to={`/${list}`}>See all {list}</ButtonLink>}
    >
      {children}
    </EmptyState>
  )
}
