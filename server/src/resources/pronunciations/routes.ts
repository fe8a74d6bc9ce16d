// HTTP routes of the pronunciation dictionary.
import {
  createPronunciation,
  deletePronunciation,
  getPronunciation,
  listPronunciations,
  updatePronunciation,
} from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Pronunciations } from './pronunciations.ts'

export function mountPronunciations(mount: Mount, dictionary: Pronunciations): void {
  mount(createPronunciation, ({ body }, { workspaceId, work }) => dictionary.create(workspaceId, body, work))
  mount(listPronunciations, ({ query }, { workspaceId }) => {
    const { agent_id: agentId, language, ...page } = query
    return dictionary.list(workspaceId, { agentId, language }, page)
  })
  mount(getPronunciation, ({ params }, { workspaceId }) => dictionary.get(workspaceId, params.id))
  mount(updatePronunciation, ({ params, body }, { workspaceId }) =>
    dictionary.update(workspaceId, params.id, body),
  )
  mount(deletePronunciation, ({ params }, { workspaceId }) => dictionary.remove(workspaceId, params.id))
}
