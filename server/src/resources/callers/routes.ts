// HTTP routes of callers.
import { eraseCaller, getCaller, getErasure, listErasures } from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Callers } from './callers.ts'

export function mountCallers(mount: Mount, callers: Callers): void {
  mount(getCaller, ({ params }, { workspaceId }) => callers.get(workspaceId, params.number))
  mount(eraseCaller, ({ params }, { workspaceId, work }) => callers.erase(workspaceId, params.number, work))
  mount(getErasure, ({ params }, { workspaceId }) => callers.erasure(workspaceId, params.id))
  mount(listErasures, ({ query }, { workspaceId }) => callers.erasures(workspaceId, query))
}
