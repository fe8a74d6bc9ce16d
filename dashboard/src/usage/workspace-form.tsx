// What the forms for the limits and the prices of a workspace share. Only owners of the installation can change them, because
// they limit everybody else.
import type { BodyOf, dashboard } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useToast } from '../ui/feedback/toasts.tsx'

/** The owners of the installation. */
export const ownersOnly = { access: 'owner' } as const

export function useSaveWorkspace(workspace: dashboard.Workspace) {
  const queries = useQueryClient()
  const toast = useToast()
  return async (change: BodyOf<typeof dashboard.updateWorkspace>): Promise<dashboard.Workspace> => {
    const saved = await api.updateWorkspace(workspace.workspace_id, change)
    await Promise.all(
      ['workspaces', 'limits', 'usage'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    )
    toast('Changes saved')
    return saved
  }
}
