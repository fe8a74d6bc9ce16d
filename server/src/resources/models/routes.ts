// HTTP routes of models.
import { listModels } from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Models } from './models.ts'

export function mountModels(mount: Mount, models: Models): void {
  mount(listModels, (_, { workspaceId }) => models.list(workspaceId))
}
