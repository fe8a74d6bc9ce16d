// The chosen workspace, remembered by this browser.
import type { dashboard } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import { everyWorkspace } from '../api.ts'

const rememberedAs = 'parley.workspace'

interface Workspaces {
  readonly all: readonly dashboard.Workspace[]
  readonly loading: boolean
  readonly error: Error | null
  readonly current: dashboard.Workspace | undefined
  choose(workspaceId: string): void
}

const Around = createContext<Workspaces | null>(null)

export function useWorkspaces(): Workspaces {
  const workspaces = use(Around)
  if (!workspaces) throw new Error('No workspaces here.')
  return workspaces
}

/** Id to name, for lists and choices. */
export const useWorkspaceNames = (): Record<string, string> =>
  Object.fromEntries(useWorkspaces().all.map(({ workspace_id, name }) => [workspace_id, name]))

export function WorkspaceProvider({ children }: { children: ReactNode }) {
  const [chosenId, setChosenId] = useState(() => localStorage.getItem(rememberedAs))
  const {
    data: all = [],
    isPending,
    error,
  } = useQuery({
    queryKey: ['workspaces', 'every'],
    queryFn: everyWorkspace,
  })
  const current = all.find(({ workspace_id }) => workspace_id === chosenId) ?? all[0]
  const choose = (workspaceId: string) => {
    localStorage.setItem(rememberedAs, workspaceId)
    setChosenId(workspaceId)
  }
  return <Around value={{ all, loading: isPending, error, current, choose }}>{children}</Around>
}
