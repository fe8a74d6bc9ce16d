// A few workspaces by name.
import { useWorkspaceNames } from '../session/workspace.tsx'

// More names than this would push everything else off the row.
const namesShown = 2

export function WorkspaceNames({ ids }: { ids: readonly string[] }) {
  const names = useWorkspaceNames()
  const all = ids.map((id) => names[id] ?? id.slice(0, 8))
  const hidden = all.length - namesShown
  return (
    <span className="wrap-anywhere" title={all.join(', ')}>
      {all.slice(0, namesShown).join(', ') || 'None'}
      {hidden > 0 && ` and ${hidden} more`}
    </span>
  )
}
