// HTTP routes of credentials for vendors.
import {
  checkCredentials,
  deleteCredentials,
  getCredentials,
  listCredentials,
  putCredentials,
} from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Credentials } from './credentials.ts'

export function mountCredentials(mount: Mount, credentials: Credentials): void {
  mount(listCredentials, (_, { workspaceId }) => credentials.list(workspaceId))
  mount(getCredentials, ({ params }, { workspaceId }) => credentials.get(workspaceId, params.vendor))
  mount(putCredentials, ({ params, body }, { workspaceId }) =>
    credentials.put(workspaceId, params.vendor, body),
  )
  mount(deleteCredentials, ({ params }, { workspaceId }) => credentials.remove(workspaceId, params.vendor))
  mount(checkCredentials, ({ params }, { workspaceId }) => credentials.check(workspaceId, params.vendor), {
    actsOutside: true,
  })
}
