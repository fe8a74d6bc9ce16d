// Dashboard routes of API keys.
import { dashboard, isAtLeast, type Role } from '@parley/contract'
import { type DashboardDoor, type Person, roleIn, visibleTo } from '../../http/doors/dashboard-door.ts'
import { fail } from '../../http/failure.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Keys, Reach } from './keys.ts'

export function mountKeys(door: DashboardDoor, keys: Keys, workspaces: Workspaces): void {
  door.signedIn(dashboard.listKeys, ({ query }, person) => keys.list(visibleTo(person, 'editor'), query))
  door.signedIn(dashboard.createKey, async ({ body }, person) => {
    const reach: Reach = 'access' in body ? { access: body.access } : { workspaceId: body.workspace_id }
    const wanted = 'workspaceId' in reach ? [reach.workspaceId] : reach.access
    for (const workspaceId of wanted) mustReach(person, workspaceId, body.role)
    await workspaces.mustExist(wanted, 'workspaceId' in reach ? 'workspace_id' : 'access')
    return keys.create(body.label, reach, body.role)
  })
  door.signedIn(dashboard.updateKey, ({ params, body }, person) =>
    keys.update((role) => visibleTo(person, role), params.id, body),
  )
}

/** Refuses a key that may do more than the person who makes it. */
function mustReach(person: Person, workspaceId: string, keyRole: Role | null): void {
  const role = roleIn(person, workspaceId) ?? fail('WORKSPACE_ACCESS_DENIED')
  const needed = keyRole === null || keyRole === 'admin' ? 'admin' : 'editor'
  if (!isAtLeast(role, needed)) fail('ROLE_REQUIRED', { message: tooMuch[role] ?? '' })
}

const tooMuch: Partial<Record<Role, string>> = {
  viewer: 'You are a viewer of this workspace, and viewers make no keys.',
  editor: 'You are an editor of this workspace: give the key the role editor or viewer.',
}
