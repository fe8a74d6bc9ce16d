// Sessions in a list: which browser, from where, last seen when.
import type { dashboard } from '@parley/contract'
import type { ReactNode } from 'react'
import { Badge } from '../ui/words/badge.tsx'
import { When } from '../ui/words/when.tsx'
import { deviceWords } from './device-words.ts'

interface SessionRowsProps {
  sessions: readonly dashboard.SignedIn[]
  action?: (session: dashboard.SignedIn) => ReactNode
}

export function SessionRows({ sessions, action }: SessionRowsProps) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {sessions.map((session) => (
        <li key={session.session_id} className="flex items-center justify-between gap-4 px-4 py-3">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2 font-medium" title={session.device ?? undefined}>
              {deviceWords(session.device)}
              {session.current && <Badge tone="good">This browser</Badge>}
            </p>
            <p className="text-[0.8125rem] wrap-anywhere text-muted">
              {session.address ?? 'Unknown address'}, last seen <When at={session.last_seen_at} />
            </p>
          </div>
          {action?.(session)}
        </li>
      ))}
    </ul>
  )
}
