// Dashboard routes of workspaces.
import { dashboard } from '@parley/contract'
import { type DashboardDoor, roleIn, visibleTo } from '../../http/doors/dashboard-door.ts'
import { fail } from '../../http/failure.ts'
import type { WorkspaceDeletions } from './deletions.ts'
import type { Workspaces } from './workspaces.ts'

export function mountWorkspaces(
  door: DashboardDoor,
  workspaces: Workspaces,
  deletions: WorkspaceDeletions,
): void {
  door.signedIn(dashboard.listWorkspaces, ({ query }, person) =>
    workspaces.list(visibleTo(person, 'viewer'), query, (id) => roleIn(person, id) ?? 'viewer'),
  )
  door.signedIn(dashboard.createWorkspace, ({ body }) => workspaces.create(body.name))
  door.signedIn(dashboard.updateWorkspace, ({ params, body }, { user }) => {
    const { name: _, ...limits } = body
    // A limit is worth nothing if those whom it limits can change it.
    if (Object.keys(limits).length > 0 && !user.owner) fail('ROLE_REQUIRED', { message: ownersLimit })
    return workspaces.update(params.id, body)
  })
  door.signedIn(dashboard.deleteWorkspace, ({ params, body }, { user }) =>
    deletions.request(params.id, body.name, { userId: user.user_id, name: user.name ?? user.email }),
  )
  door.signedIn(dashboard.listWorkspaceDeletions, ({ query }, { user }) =>
    deletions.list(user.owner ? null : user.user_id, query),
  )
}

const ownersLimit = 'Only an owner of this installation sets the limits and prices of a workspace.'
