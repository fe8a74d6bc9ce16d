// HTTP routes of telephone numbers.
import {
  checkPhoneNumber,
  createPhoneNumber,
  deletePhoneNumber,
  getPhoneNumber,
  listPhoneNumbers,
  updatePhoneNumber,
} from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { PhoneNumbers } from './phone-numbers.ts'

export function mountPhoneNumbers(mount: Mount, numbers: PhoneNumbers): void {
  mount(createPhoneNumber, ({ body }, { workspaceId, work }) => numbers.create(workspaceId, body, work))
  mount(listPhoneNumbers, ({ query }, { workspaceId }) => {
    const { provider, status, ...page } = query
    return numbers.list(workspaceId, { provider, status }, page)
  })
  mount(getPhoneNumber, ({ params }, { workspaceId }) => numbers.get(workspaceId, params.id))
  mount(updatePhoneNumber, ({ params, body }, { workspaceId }) =>
    numbers.update(workspaceId, params.id, body),
  )
  mount(deletePhoneNumber, ({ params }, { workspaceId }) => numbers.remove(workspaceId, params.id))
  mount(checkPhoneNumber, ({ params }, { workspaceId }) => numbers.check(workspaceId, params.id), {
    actsOutside: true,
  })
}
