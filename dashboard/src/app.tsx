// Which page is shown at which path.
import type { dashboard } from '@parley/contract'
import { lazy, type ReactNode } from 'react'
import { usePlace } from './router.tsx'
import { SessionGate, useUser } from './session/session.tsx'
import { WorkspaceProvider } from './session/workspace.tsx'
import { InWorkspace } from './shell/in-workspace.tsx'
import { NowherePage } from './shell/nowhere-page.tsx'
import { Shell } from './shell/shell.tsx'
import { LazyPart } from './ui/feedback/lazy-part.tsx'
import { ListSkeleton } from './ui/feedback/skeleton.tsx'
import { Toasts } from './ui/feedback/toasts.tsx'

// A page is loaded when it is first shown, so that the first one is there sooner.
const AgentPage = lazy(async () => ({ default: (await import('./agents/agent-page.tsx')).AgentPage }))
const AgentsPage = lazy(async () => ({ default: (await import('./agents/agents-page.tsx')).AgentsPage }))
const NewAgentPage = lazy(async () => ({
  default: (await import('./agents/new-agent-page.tsx')).NewAgentPage,
}))
const GraphPage = lazy(async () => ({ default: (await import('./graph/graph-page.tsx')).GraphPage }))
const VersionsPage = lazy(async () => ({
  default: (await import('./versions/versions-page.tsx')).VersionsPage,
}))
const BatchPage = lazy(async () => ({ default: (await import('./batches/batch-page.tsx')).BatchPage }))
const BatchesPage = lazy(async () => ({ default: (await import('./batches/batches-page.tsx')).BatchesPage }))
const NewBatchPage = lazy(async () => ({
  default: (await import('./batches/new-batch-page.tsx')).NewBatchPage,
}))
const CallPage = lazy(async () => ({ default: (await import('./calls/call-page.tsx')).CallPage }))
const CallsPage = lazy(async () => ({ default: (await import('./calls/calls-page.tsx')).CallsPage }))
const KnowledgePage = lazy(async () => ({
  default: (await import('./knowledge/knowledge-page.tsx')).KnowledgePage,
}))
const RepositoryPage = lazy(async () => ({
  default: (await import('./knowledge/repository-page.tsx')).RepositoryPage,
}))
const LivePage = lazy(async () => ({ default: (await import('./calls/live-page.tsx')).LivePage }))
const NewNumberPage = lazy(async () => ({
  default: (await import('./numbers/new-number-page.tsx')).NewNumberPage,
}))
const NumberPage = lazy(async () => ({ default: (await import('./numbers/number-page.tsx')).NumberPage }))
const NumbersPage = lazy(async () => ({ default: (await import('./numbers/numbers-page.tsx')).NumbersPage }))
const OverviewPage = lazy(async () => ({
  default: (await import('./overview/overview-page.tsx')).OverviewPage,
}))
const PronunciationsPage = lazy(async () => ({
  default: (await import('./pronunciations/pronunciations-page.tsx')).PronunciationsPage,
}))
const AccountPage = lazy(async () => ({ default: (await import('./settings/account-page.tsx')).AccountPage }))
const KeysPage = lazy(async () => ({ default: (await import('./settings/keys-page.tsx')).KeysPage }))
const InvitationPage = lazy(async () => ({
  default: (await import('./session/invitation-page.tsx')).InvitationPage,
}))
const PeoplePage = lazy(async () => ({ default: (await import('./settings/people-page.tsx')).PeoplePage }))
const UsersPage = lazy(async () => ({ default: (await import('./settings/users-page.tsx')).UsersPage }))
const WorkspacesPage = lazy(async () => ({
  default: (await import('./settings/workspaces-page.tsx')).WorkspacesPage,
}))
const TranscriptPage = lazy(async () => ({
  default: (await import('./transcripts/transcript-page.tsx')).TranscriptPage,
}))
const TranscriptsPage = lazy(async () => ({
  default: (await import('./transcripts/transcripts-page.tsx')).TranscriptsPage,
}))
const DeliveryPage = lazy(async () => ({
  default: (await import('./webhooks/delivery-page.tsx')).DeliveryPage,
}))
const NewToolPage = lazy(async () => ({ default: (await import('./tools/tool-page.tsx')).NewToolPage }))
const ToolPage = lazy(async () => ({ default: (await import('./tools/tool-page.tsx')).ToolPage }))
const CredentialsPage = lazy(async () => ({
  default: (await import('./settings/credentials-page.tsx')).CredentialsPage,
}))
const ToolsPage = lazy(async () => ({ default: (await import('./tools/tools-page.tsx')).ToolsPage }))
const LimitsPage = lazy(async () => ({ default: (await import('./usage/limits-page.tsx')).LimitsPage }))
const PricesPage = lazy(async () => ({ default: (await import('./usage/prices-page.tsx')).PricesPage }))
const UsagePage = lazy(async () => ({ default: (await import('./usage/usage-page.tsx')).UsagePage }))
const WebhookPage = lazy(async () => ({ default: (await import('./webhooks/webhook-page.tsx')).WebhookPage }))
const WebhooksPage = lazy(async () => ({
  default: (await import('./webhooks/webhooks-page.tsx')).WebhooksPage,
}))

export function App() {
  const { steps } = usePlace()
  if (steps[0] === 'invitation')
    return (
      <LazyPart isPage>
        <InvitationPage />
      </LazyPart>
    )
  return (
    <Toasts>
      <SessionGate>
        <WorkspaceProvider>
          <Shell>
            {/* By its address: another page has not the fault of this one. */}
            <LazyPart key={steps.join('/')} isPage fallback={<ListSkeleton />}>
              <Page />
            </LazyPart>
          </Shell>
        </WorkspaceProvider>
      </SessionGate>
    </Toasts>
  )
}

function Page(): ReactNode {
  const { steps } = usePlace()
  const { owner } = useUser()
  const [first = 'agents', ...rest] = steps
  if (first === 'agents') return <InWorkspace>{(workspace) => agentsAt(workspace, rest)}</InWorkspace>
  if (first === 'overview' && rest.length === 0)
    return <InWorkspace>{(workspace) => <OverviewPage workspace={workspace} />}</InWorkspace>
  if (first === 'usage') return <InWorkspace>{(workspace) => usageAt(workspace, rest)}</InWorkspace>
  if (first === 'calls') return <InWorkspace>{(workspace) => callsAt(workspace, rest)}</InWorkspace>
  if (first === 'tools') return <InWorkspace>{(workspace) => toolsAt(workspace, rest)}</InWorkspace>
  if (first === 'knowledge') return <InWorkspace>{(workspace) => knowledgeAt(workspace, rest)}</InWorkspace>
  if (first === 'numbers') return <InWorkspace>{(workspace) => numbersAt(workspace, rest)}</InWorkspace>
  if (first === 'batches') return <InWorkspace>{(workspace) => batchesAt(workspace, rest)}</InWorkspace>
  if (first === 'webhooks') return <InWorkspace>{(workspace) => webhooksAt(workspace, rest)}</InWorkspace>
  if (first === 'transcripts')
    return <InWorkspace>{(workspace) => transcriptsAt(workspace, rest)}</InWorkspace>
  if (rest.length > 0) return <NowherePage />
  if (first === 'people')
    return <InWorkspace>{(workspace) => <PeoplePage workspace={workspace} />}</InWorkspace>
  if (first === 'vendors')
    return <InWorkspace>{(workspace) => <CredentialsPage workspace={workspace} />}</InWorkspace>
  if (first === 'pronunciations')
    return <InWorkspace>{(workspace) => <PronunciationsPage workspace={workspace} />}</InWorkspace>
  if (first === 'keys') return <KeysPage />
  if (first === 'workspaces') return <WorkspacesPage />
  if (first === 'users' && owner) return <UsersPage />
  if (first === 'account') return <AccountPage />
  return <NowherePage />
}

function agentsAt(workspace: dashboard.Workspace, [agentId, part, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (agentId === undefined) return <AgentsPage workspace={workspace} />
  if (part === 'graph') return <GraphPage key={agentId} workspace={workspace} agentId={agentId} />
  if (part === 'versions') return <VersionsPage key={agentId} workspace={workspace} agentId={agentId} />
  if (part !== undefined) return <NowherePage />
  if (agentId === 'new') return <NewAgentPage workspace={workspace} />
  return <AgentPage key={agentId} workspace={workspace} agentId={agentId} />
}

function callsAt(workspace: dashboard.Workspace, [sessionId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (sessionId === undefined) return <CallsPage workspace={workspace} />
  if (sessionId === 'live') return <LivePage workspace={workspace} />
  return <CallPage key={sessionId} workspace={workspace} sessionId={sessionId} />
}

function usageAt(workspace: dashboard.Workspace, [part, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (part === undefined) return <UsagePage workspace={workspace} />
  const id = workspace.workspace_id
  if (part === 'limits') return <LimitsPage key={id} workspace={workspace} />
  if (part === 'prices') return <PricesPage key={id} workspace={workspace} />
  return <NowherePage />
}

function knowledgeAt(workspace: dashboard.Workspace, [repositoryId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (repositoryId === undefined) return <KnowledgePage workspace={workspace} />
  return <RepositoryPage key={repositoryId} workspace={workspace} repositoryId={repositoryId} />
}

function numbersAt(workspace: dashboard.Workspace, [numberId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (numberId === undefined) return <NumbersPage workspace={workspace} />
  if (numberId === 'new') return <NewNumberPage workspace={workspace} />
  return <NumberPage key={numberId} workspace={workspace} numberId={numberId} />
}

function toolsAt(workspace: dashboard.Workspace, [toolId, ...more]: string[]): ReactNode {
  if (more.length > 0) return <NowherePage />
  if (toolId === undefined) return <ToolsPage workspace={workspace} />
  if (toolId === 'new') return <NewToolPage workspace={workspace} />
  return <ToolPage key={toolId} workspace={workspace} toolId={toolId} />
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
