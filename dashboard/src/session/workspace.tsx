// The chosen workspace, remembered by this browser.
import type { dashboard } from '@parley/contract'
import { isAtLeast } from '@parley/contract/addresses'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import { everyWorkspace } from '../api.ts'
import { Rights, type WhyNot } from '../ui/controls/may.tsx'
import { useUser } from './session.tsx'

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

/** The names of workspaces by id, for lists and choices. */
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
  const user = useUser()
  return (
    <Around value={{ all, loading: isPending, error, current, choose }}>
      <Rights value={whyNotFor(user, current)}>{children}</Rights>
    </Around>
  )
}

const doers = { viewer: 'viewers', editor: 'editors', admin: 'admins' }

const whyNotFor =
  (user: dashboard.User, current: dashboard.Workspace | undefined): WhyNot =>
  (access) => {
    if (access === 'anyone' || access === 'person' || user.owner) return undefined
    if (access === 'owner') return 'Only an owner of this installation may do this.'
    if (current && isAtLeast(current.role, access)) return undefined
    return `Your role here is ${current?.role ?? 'none'}; ${doers[access]} may do this.`
  }
