// Dashboard routes of workspaces.
import { dashboard } from '@parley/contract'
import { type DashboardDoor, mustBeAdmin, visibleTo } from '../../http/dashboard-door.ts'
import type { Workspaces } from './workspaces.ts'

export function mountWorkspaces(door: DashboardDoor, workspaces: Workspaces): void {
  door.signedIn(dashboard.listWorkspaces, ({ query }, person) => workspaces.list(visibleTo(person), query))
  door.signedIn(dashboard.createWorkspace, async ({ body }, person) => {
    mustBeAdmin(person)
    return workspaces.create(body.name)
  })
  door.signedIn(dashboard.renameWorkspace, async ({ params, body }, person) => {
    mustBeAdmin(person)
    return workspaces.rename(params.id, body.name)
  })
}
