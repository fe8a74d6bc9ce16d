// Renders pages that need a workspace once there is one, and anew when another is chosen.
import type { dashboard } from '@parley/contract'
import { Fragment, type ReactNode } from 'react'
import { useUser } from '../session/session.tsx'
import { useWorkspaces } from '../session/workspace.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RefusalNotice } from '../ui/refusal-notice.tsx'
import { ListSkeleton } from '../ui/skeleton.tsx'

export function InWorkspace({ children }: { children(workspace: dashboard.Workspace): ReactNode }) {
  const { current, loading, error } = useWorkspaces()
  const { role } = useUser()
  if (current) return <Fragment key={current.workspace_id}>{children(current)}</Fragment>
  if (loading) return <ListSkeleton />
  if (error) return <RefusalNotice error={error} />
  return role === 'admin' ? (
    <EmptyState
      icon="workspaces"
      title="No workspace yet"
      action={<ButtonLink to="/workspaces">Go to workspaces</ButtonLink>}
    >
      Agents live in a workspace. Make the first one, then come back here.
    </EmptyState>
  ) : (
    <EmptyState icon="workspaces" title="You have no workspace">
      Ask an administrator of this installation to give you access to one.
    </EmptyState>
  )
}
