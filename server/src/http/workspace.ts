// Step 3: the workspace. A bound key implies it; an unbound one must name it.
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiKey } from './authenticate.ts'
import { fail } from './failure.ts'

export function workspaceOf(key: ApiKey, headers: IncomingHttpHeaders): string {
  const header = headers['x-workspace-id']
  const named = (Array.isArray(header) ? header.join() : (header ?? '')).trim().toLowerCase()
  if (key.workspaceId !== null) {
    if (named !== '' && named !== key.workspaceId) fail('WORKSPACE_CONFLICT')
    return key.workspaceId
  }
  if (named === '') fail('WORKSPACE_SCOPE_REQUIRED')
  if (!key.access.has(named)) fail('WORKSPACE_ACCESS_DENIED')
  return named
}
