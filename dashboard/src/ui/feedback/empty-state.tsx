// Nothing here yet, and what to do about it.
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../controls/icons.tsx'

interface EmptyStateProps {
  icon: IconName
  title: string
  action?: ReactNode
  children: ReactNode
}

export function EmptyState({ icon, title, action, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-xl border border-dashed border-edge px-6 py-14 text-center">
      <span className="mb-4 flex size-10 items-center justify-center rounded-lg border border-line bg-surface text-muted shadow-card">
        <Icon name={icon} className="size-5" />
      </span>
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 max-w-sm text-balance text-muted">{children}</p>
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
