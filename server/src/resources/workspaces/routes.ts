// Dashboard routes of workspaces.
import { dashboard } from '@parley/contract'
import { type DashboardDoor, visibleTo } from '../../http/dashboard-door.ts'
import type { Workspaces } from './workspaces.ts'

export function mountWorkspaces(door: DashboardDoor, workspaces: Workspaces): void {
  door.signedIn(dashboard.listWorkspaces, ({ query }, person) => workspaces.list(visibleTo(person), query))
  door.admin(dashboard.createWorkspace, ({ body }) => workspaces.create(body.name))
  door.admin(dashboard.updateWorkspace, ({ params, body }) => workspaces.update(params.id, body))
}
