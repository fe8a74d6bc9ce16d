// Which page stands at which path.
import type { dashboard } from '@parley/contract'
import type { ReactNode } from 'react'
import { AccountPage } from './pages/account-page.tsx'
import { AgentPage } from './pages/agent-page.tsx'
import { AgentsPage } from './pages/agents-page.tsx'
import { BatchPage } from './pages/batch-page.tsx'
import { BatchesPage } from './pages/batches-page.tsx'
import { DeliveryPage } from './pages/delivery-page.tsx'
import { KeysPage } from './pages/keys-page.tsx'
import { NewAgentPage } from './pages/new-agent-page.tsx'
import { NewBatchPage } from './pages/new-batch-page.tsx'
import { NowherePage } from './pages/nowhere-page.tsx'
import { TranscriptPage } from './pages/transcript-page.tsx'
import { TranscriptsPage } from './pages/transcripts-page.tsx'
import { UsersPage } from './pages/users-page.tsx'
import { WebhookPage } from './pages/webhook-page.tsx'
import { WebhooksPage } from './pages/webhooks-page.tsx'
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
  const [first = 'agents', ...rest] = steps
  if (first === 'agents') return <InWorkspace>{(workspace) => agentsAt(workspace, rest)}</InWorkspace>
  if (first === 'batches') return <InWorkspace>{(workspace) => batchesAt(workspace, rest)}</InWorkspace>
  if (first === 'webhooks') return <InWorkspace>{(workspace) => webhooksAt(workspace, rest)}</InWorkspace>
  if (first === 'transcripts')
    return <InWorkspace>{(workspace) => transcriptsAt(workspace, rest)}</InWorkspace>
  if (rest.length > 0) return <NowherePage />
  if (first === 'keys') return <KeysPage />
  if (first === 'workspaces') return <WorkspacesPage />
  if (first === 'users' && role === 'admin') return <UsersPage />
  if (first === 'account') return <AccountPage />
  return <NowherePage />
}

function agentsAt(workspace: dashboard.Workspace, [agentId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (agentId === undefined) return <AgentsPage workspace={workspace} />
  if (agentId === 'new') return <NewAgentPage workspace={workspace} />
  return <AgentPage key={agentId} workspace={workspace} agentId={agentId} />
}

function batchesAt(workspace: dashboard.Workspace, [batchId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (batchId === undefined) return <BatchesPage workspace={workspace} />
  if (batchId === 'new') return <NewBatchPage workspace={workspace} />
  return <BatchPage key={batchId} workspace={workspace} batchId={batchId} />
}

function webhooksAt(workspace: dashboard.Workspace, steps: string[]): ReactNode {
  const [webhookId, log, deliveryId, ...more] = steps
  if (webhookId === undefined) return <WebhooksPage workspace={workspace} />
  if (log === undefined) return <WebhookPage key={webhookId} workspace={workspace} webhookId={webhookId} />
  if (log !== 'deliveries' || deliveryId === undefined || more.length > 0) return <NowherePage />
  return <DeliveryPage key={deliveryId} workspace={workspace} webhookId={webhookId} deliveryId={deliveryId} />
}

function transcriptsAt(workspace: dashboard.Workspace, [transcriptId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (transcriptId === undefined) return <TranscriptsPage workspace={workspace} />
  return <TranscriptPage key={transcriptId} workspace={workspace} transcriptId={transcriptId} />
}
