// The field that chooses the workspace that the pages show.
import { useId } from 'react'
import { go, usePlace } from '../router.tsx'
import { useWorkspaces } from '../session/workspace.tsx'
import { SelectBox } from '../ui/forms/select-box.tsx'

export function WorkspaceSwitcher({ onChoose }: { onChoose(): void }) {
  const { all, current, choose } = useWorkspaces()
  const id = useId()
  const { steps } = usePlace()
  const change = (workspaceId: string) => {
    // Leaves the current item, which belongs to the former workspace; asks first if there is unsaved work.
    if (steps.length > 1 && !go(`/${steps[0]}`)) return
    choose(workspaceId)
    onChoose()
  }
  if (!current) return null
  return (
    <div>
      <label htmlFor={id} className="block px-2.5 pb-1.5 text-xs font-medium text-muted">
        Workspace
      </label>
      <SelectBox
        id={id}
        options={Object.fromEntries(all.map(({ workspace_id, name }) => [workspace_id, name]))}
        value={current.workspace_id}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
}
