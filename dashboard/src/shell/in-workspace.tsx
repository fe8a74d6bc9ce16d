// Renders pages that need a workspace once there is one, and anew when another is chosen.
import type { dashboard } from '@parley/contract'
import { Fragment, type ReactNode } from 'react'
import { useUser } from '../session/session.tsx'
import { useWorkspaces } from '../session/workspace.tsx'
import { ButtonLink } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'

export function InWorkspace({ children }: { children(workspace: dashboard.Workspace): ReactNode }) {
  const { current, loading, error } = useWorkspaces()
  const { owner } = useUser()
  if (current)
    return (
      <Fragment key={current.workspace_id}>
        {current.role === 'viewer' && (
          <p className="mb-6 rounded-md bg-hover px-3 py-2 text-[0.8125rem] text-muted">
            You are a viewer of {current.name}: you can see everything and change nothing. An admin can give
            you another role.
          </p>
        )}
        {children(current)}
      </Fragment>
    )
  if (loading) return <ListSkeleton />
  if (error) return <RefusalNotice error={error} />
  return owner ? (
    <EmptyState
      icon="workspaces"
      title="No workspace yet"
      action={<ButtonLink to="/workspaces">Go to workspaces</ButtonLink>}
    >
      Agents live in a workspace. Create the first one, then come back here.
    </EmptyState>
  ) : (
    <EmptyState icon="workspaces" title="You have no workspace">
      Ask an owner of this installation to give you access to one.
    </EmptyState>
  )
}
