// Dashboard routes of API keys.
import { dashboard } from '@parley/contract'
import { type DashboardDoor, type Person, visibleTo } from '../../http/dashboard-door.ts'
import { fail } from '../../http/failure.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Keys, Reach } from './keys.ts'

export function mountKeys(door: DashboardDoor, keys: Keys, workspaces: Workspaces): void {
  door.signedIn(dashboard.listKeys, ({ query }, person) => keys.list(visibleTo(person), query))
  door.signedIn(dashboard.createKey, async ({ body }, person) => {
    const reach: Reach = 'access' in body ? { access: body.access } : { workspaceId: body.workspace_id }
    const wanted = 'workspaceId' in reach ? [reach.workspaceId] : reach.access
    mustSee(person, wanted)
    await workspaces.mustExist(wanted, 'workspaceId' in reach ? 'workspace_id' : 'access')
    return keys.create(body.label, reach)
  })
  door.signedIn(dashboard.updateKey, ({ params, body }, person) =>
    keys.update(visibleTo(person), params.id, body),
  )
}

function mustSee(person: Person, workspaceIds: string[]): void {
  const visible = visibleTo(person)
  if (visible && !workspaceIds.every((id) => visible.includes(id))) fail('WORKSPACE_ACCESS_DENIED')
}
