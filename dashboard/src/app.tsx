// Which page is shown at which path.
import type { dashboard } from '@parley/contract'
import type { ReactNode } from 'react'
import { AgentPage } from './agents/agent-page.tsx'
import { AgentsPage } from './agents/agents-page.tsx'
import { NewAgentPage } from './agents/new-agent-page.tsx'
import { BatchPage } from './batches/batch-page.tsx'
import { BatchesPage } from './batches/batches-page.tsx'
import { NewBatchPage } from './batches/new-batch-page.tsx'
import { usePlace } from './router.tsx'
import { SessionGate, useUser } from './session/session.tsx'
import { WorkspaceProvider } from './session/workspace.tsx'
import { AccountPage } from './settings/account-page.tsx'
import { KeysPage } from './settings/keys-page.tsx'
import { UsersPage } from './settings/users-page.tsx'
import { WorkspacesPage } from './settings/workspaces-page.tsx'
import { InWorkspace } from './shell/in-workspace.tsx'
import { NowherePage } from './shell/nowhere-page.tsx'
import { Shell } from './shell/shell.tsx'
import { TranscriptPage } from './transcripts/transcript-page.tsx'
import { TranscriptsPage } from './transcripts/transcripts-page.tsx'
import { Toasts } from './ui/toasts.tsx'
import { DeliveryPage } from './webhooks/delivery-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'

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
