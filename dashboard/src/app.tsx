// Which page stands at which path.
import type { ReactNode } from 'react'
import { AccountPage } from './pages/account-page.tsx'
import { AgentPage } from './pages/agent-page.tsx'
import { AgentsPage } from './pages/agents-page.tsx'
import { KeysPage } from './pages/keys-page.tsx'
import { NewAgentPage } from './pages/new-agent-page.tsx'
import { NowherePage } from './pages/nowhere-page.tsx'
import { UsersPage } from './pages/users-page.tsx'
import { WorkspacesPage } from './pages/workspaces-page.tsx'
import { InWorkspace } from './parts/in-workspace.tsx'
import { Shell } from './parts/shell.tsx'
import { Toasts } from './parts/toasts.tsx'
import { usePlace } from './router.tsx'
import { SessionGate, useUser } from './session.tsx'
import { WorkspaceProvider } from './workspace.tsx'

export function App() {
  return (
    <Toasts>
      <SessionGate>
        <WorkspaceProvider>
          <Shell>
            <Page />
          </Shell>
        </WorkspaceProvider>
      </SessionGate>
    </Toasts>
  )
}

function Page(): ReactNode {
  const { steps } = usePlace()
  const { role } = useUser()
  const [first = 'agents', second, ...more] = steps
  if (more.length > 0) return <NowherePage />
  if (first === 'agents') {
    return (
      <InWorkspace>
        {(workspace) => {
          if (second === undefined) return <AgentsPage workspace={workspace} />
          if (second === 'new') return <NewAgentPage workspace={workspace} />
          return <AgentPage key={second} workspace={workspace} agentId={second} />
        }}
      </InWorkspace>
    )
  }
  if (second !== undefined) return <NowherePage />
  if (first === 'keys') return <KeysPage />
  if (first === 'workspaces') return <WorkspacesPage />
  if (first === 'users' && role === 'admin') return <UsersPage />
  if (first === 'account') return <AccountPage />
  return <NowherePage />
}
