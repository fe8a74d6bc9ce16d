// The header of a page: its parent, its title and its main action.
import type { ReactNode } from 'react'
import { Link } from '../../router.tsx'
import { Icon } from '../controls/icons.tsx'

interface PageHeaderProps {
  title: string
  lead?: ReactNode
  /** The list to which the item of this page belongs. */
  back?: { to: string; label: string }
  /** Shown next to the title. */
  badge?: ReactNode
  action?: ReactNode
}

export function PageHeader({ title, lead, back, badge, action }: PageHeaderProps) {
  return (
    <header className="mb-6 sm:mb-8">
      <title>{`${title} · Parley`}</title>
      {back && (
        <Link
          to={back.to}
          className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-[0.8125rem] text-muted hover:text-ink"
        >
          <Icon name="back" className="size-3.5" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
            {badge}
          </div>
          {lead && <p className="mt-1 max-w-2xl wrap-anywhere text-muted">{lead}</p>}
        </div>
        {action && <div className="flex flex-wrap gap-2">{action}</div>}
      </div>
    </header>
  )
}
