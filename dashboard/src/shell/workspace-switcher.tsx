// Chooses the workspace that the pages show.
import { useId } from 'react'
import { go, usePlace } from '../router.tsx'
import { useWorkspaces } from '../session/workspace.tsx'
import { Icon } from '../ui/icons.tsx'

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
      <div className="relative">
        <select
          id={id}
          value={current.workspace_id}
          onChange={(event) => change(event.target.value)}
          className="h-9 w-full appearance-none truncate rounded-md border border-edge bg-surface pr-8 pl-2.5 font-medium shadow-card hover:bg-hover lg:h-8.5"
        >
          {all.map(({ workspace_id, name }) => (
            <option key={workspace_id} value={workspace_id}>
              {name}
            </option>
          ))}
        </select>
        <Icon
          name="unfold"
          className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  )
}
