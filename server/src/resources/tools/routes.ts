// HTTP routes of tools.
import { createTool, deleteTool, getTool, listTools, tryTool, updateTool } from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Tools } from './tools.ts'

export function mountTools(mount: Mount, tools: Tools): void {
  mount(createTool, ({ body }, { workspaceId, work }) => tools.create(workspaceId, body, work))
  mount(listTools, ({ query }, { workspaceId }) => {
    const { type, ...page } = query
    return tools.list(workspaceId, type, page)
  })
  mount(getTool, ({ params }, { workspaceId }) => tools.get(workspaceId, params.id))
  mount(updateTool, ({ params, body }, { workspaceId }) => tools.update(workspaceId, params.id, body))
  mount(deleteTool, ({ params }, { workspaceId }) => tools.remove(workspaceId, params.id))
  mount(tryTool, ({ params, body }, { workspaceId }) => tools.try(workspaceId, params.id, body), {
    actsOutside: true,
  })
}
