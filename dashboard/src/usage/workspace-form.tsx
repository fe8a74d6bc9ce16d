// What the forms for the limits and the prices of a workspace share. Only owners of the installation can change them, because
// they limit everybody else.
import type { BodyOf, dashboard } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
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

export function SaveBar({ changed, busy }: { changed: boolean; busy: boolean }) {
  return (
    <div className="sticky bottom-0 flex items-center justify-end gap-3 border-t border-line bg-canvas py-4">
      {changed && <p className="text-[0.8125rem] text-muted">Not saved yet</p>}
      <Button type="submit" kind="primary" needs={ownersOnly} disabled={!changed} busy={busy}>
        Save changes
      </Button>
    </div>
  )
}
