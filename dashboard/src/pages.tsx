// Every page: its path, its component, its entry in the menu, and who may see it.
import type { dashboard } from '@parley/contract'
import { type Address, dashboardAddresses } from '@parley/contract/addresses'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from './ui/controls/icons.tsx'

/** The parts of a path that begin with a colon, by name: `agentId` of `agents/:agentId`. */
type PathValues<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? PathValues<First> & PathValues<Rest>
  : Path extends `:${infer Name}`
    ? Record<Name, string>
    : unknown

interface Row<Path extends string, Props> {
  readonly path: Path
  /** A page is loaded when it is first shown, so that the first one is there sooner. */
  load(): Promise<ComponentType<Props>>
  readonly menu?: { readonly label: string; readonly icon: IconName }
  /** The operation that a role must be allowed to see the page. Left out: everybody sees it. */
  readonly needs?: Pick<Address, 'access'>
}

export interface Page extends Omit<Row<string, never>, 'load'> {
  readonly component: LazyExoticComponent<ComponentType<Record<string, unknown>>>
  /** The component gets the workspace that the user has chosen. */
  readonly inWorkspace: boolean
}

const page = (row: Omit<Row<string, never>, 'load'>, load: () => Promise<unknown>, inWorkspace: boolean) => ({
  ...row,
  inWorkspace,
  component: lazy(async () => ({ default: (await load()) as ComponentType<Record<string, unknown>> })),
})

const ofWorkspace = <Path extends string>({
  load,
  ...row
}: Row<Path, PathValues<Path> & { workspace: dashboard.Workspace }>): Page => page(row, load, true)

const ofInstallation = <Path extends string>({ load, ...row }: Row<Path, PathValues<Path>>): Page =>
  page(row, load, false)

/** In the order of the menu. A path with a fixed word stands before one with a value in the same place. */
export const pages: readonly Page[] = [
  ofWorkspace({
    path: 'overview',
    menu: { label: 'Overview', icon: 'overview' },
    load: async () => (await import('./overview/overview-page.tsx')).OverviewPage,
  }),
  ofWorkspace({
    path: 'agents',
    menu: { label: 'Agents', icon: 'agents' },
    load: async () => (await import('./agents/agents-page.tsx')).AgentsPage,
  }),
  ofWorkspace({
    path: 'agents/new',
    load: async () => (await import('./agents/new-agent-page.tsx')).NewAgentPage,
  }),
  ofWorkspace({
    path: 'agents/:agentId',
    load: async () => (await import('./agents/agent-page.tsx')).AgentPage,
  }),
  ofWorkspace({
    path: 'agents/:agentId/graph',
    load: async () => (await import('./graph/graph-page.tsx')).GraphPage,
  }),
  ofWorkspace({
    path: 'agents/:agentId/versions',
    load: async () => (await import('./versions/versions-page.tsx')).VersionsPage,
  }),
  ofWorkspace({
    path: 'calls',
    menu: { label: 'Calls', icon: 'calls' },
    load: async () => (await import('./calls/calls-page.tsx')).CallsPage,
  }),
  ofWorkspace({
    path: 'calls/live',
    load: async () => (await import('./calls/live-page.tsx')).LivePage,
  }),
  ofWorkspace({
    path: 'calls/:sessionId',
    load: async () => (await import('./calls/call-page.tsx')).CallPage,
  }),
  ofWorkspace({
    path: 'batches',
    menu: { label: 'Batches', icon: 'batches' },
    load: async () => (await import('./batches/batches-page.tsx')).BatchesPage,
  }),
  ofWorkspace({
    path: 'batches/new',
    load: async () => (await import('./batches/new-batch-page.tsx')).NewBatchPage,
  }),
  ofWorkspace({
    path: 'batches/:batchId',
    load: async () => (await import('./batches/batch-page.tsx')).BatchPage,
  }),
  ofWorkspace({
    path: 'numbers',
    menu: { label: 'Numbers', icon: 'numbers' },
    load: async () => (await import('./numbers/numbers-page.tsx')).NumbersPage,
  }),
  ofWorkspace({
    path: 'numbers/new',
    load: async () => (await import('./numbers/new-number-page.tsx')).NewNumberPage,
  }),
  ofWorkspace({
    path: 'numbers/:numberId',
    load: async () => (await import('./numbers/number-page.tsx')).NumberPage,
  }),
  ofWorkspace({
    path: 'knowledge',
    menu: { label: 'Knowledge', icon: 'knowledge' },
    load: async () => (await import('./knowledge/knowledge-page.tsx')).KnowledgePage,
  }),
  ofWorkspace({
    path: 'knowledge/:repositoryId',
    load: async () => (await import('./knowledge/repository-page.tsx')).RepositoryPage,
  }),
  ofWorkspace({
    path: 'tools',
    menu: { label: 'Tools', icon: 'tool' },
    load: async () => (await import('./tools/tools-page.tsx')).ToolsPage,
  }),
  ofWorkspace({
    path: 'tools/new',
    load: async () => (await import('./tools/tool-page.tsx')).NewToolPage,
  }),
  ofWorkspace({
    path: 'tools/:toolId',
    load: async () => (await import('./tools/tool-page.tsx')).ToolPage,
  }),
  ofWorkspace({
    path: 'pronunciations',
    menu: { label: 'Pronunciation', icon: 'speaker' },
    load: async () => (await import('./pronunciations/pronunciations-page.tsx')).PronunciationsPage,
  }),
  ofWorkspace({
    path: 'vendors',
    menu: { label: 'Vendors', icon: 'keys' },
    load: async () => (await import('./settings/credentials-page.tsx')).CredentialsPage,
  }),
  ofWorkspace({
    path: 'webhooks',
    menu: { label: 'Webhooks', icon: 'webhooks' },
    load: async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage,
  }),
  ofWorkspace({
    path: 'webhooks/:webhookId',
    load: async () => (await import('./webhooks/webhook-page.tsx')).WebhookPage,
  }),
  ofWorkspace({
    path: 'webhooks/:webhookId/deliveries/:deliveryId',
    load: async () => (await import('./webhooks/delivery-page.tsx')).DeliveryPage,
  }),
  ofWorkspace({
    path: 'usage',
    menu: { label: 'Usage', icon: 'usage' },
    load: async () => (await import('./usage/usage-page.tsx')).UsagePage,
  }),
  ofWorkspace({
    path: 'usage/limits',
    load: async () => (await import('./usage/limits-page.tsx')).LimitsPage,
  }),
  ofWorkspace({
    path: 'usage/prices',
    load: async () => (await import('./usage/prices-page.tsx')).PricesPage,
  }),
  ofWorkspace({
    path: 'transcripts',
    menu: { label: 'Transcripts', icon: 'transcripts' },
    load: async () => (await import('./transcripts/transcripts-page.tsx')).TranscriptsPage,
  }),
  ofWorkspace({
    path: 'transcripts/:transcriptId',
    load: async () => (await import('./transcripts/transcript-page.tsx')).TranscriptPage,
  }),
  ofWorkspace({
    path: 'people',
    menu: { label: 'People', icon: 'users' },
    load: async () => (await import('./settings/people-page.tsx')).PeoplePage,
  }),
  ofInstallation({
    path: 'keys',
    menu: { label: 'API keys', icon: 'keys' },
    needs: dashboardAddresses.listKeys,
    load: async () => (await import('./settings/keys-page.tsx')).KeysPage,
  }),
  ofInstallation({
    path: 'workspaces',
    menu: { label: 'Workspaces', icon: 'workspaces' },
    load: async () => (await import('./settings/workspaces-page.tsx')).WorkspacesPage,
  }),
  ofInstallation({
    path: 'users',
    menu: { label: 'Users', icon: 'users' },
    needs: dashboardAddresses.listUsers,
    load: async () => (await import('./settings/users-page.tsx')).UsersPage,
  }),
  // The side bar links to it by the name of the user.
  ofInstallation({
    path: 'account',
    load: async () => (await import('./settings/account-page.tsx')).AccountPage,
  }),
]

/** Shown without a session. */
export const InvitationPage = lazy(async () => ({
  default: (await import('./session/invitation-page.tsx')).InvitationPage,
}))

export interface PageMatch {
  readonly page: Page
  /** What the address has in the place of each name of the path. */
  readonly values: Readonly<Record<string, string>>
}

/** The page at an address, such as ['calls', '1f0c']. */
export function pageAt(steps: readonly string[]): PageMatch | undefined {
  for (const page of pages) {
    const values = valuesAt(page.path.split('/'), steps)
    if (values) return { page, values }
  }
  return undefined
}

function valuesAt(path: readonly string[], steps: readonly string[]): Record<string, string> | undefined {
  if (path.length !== steps.length) return undefined
  const values: Record<string, string> = {}
  for (const [place, part] of path.entries()) {
    const step = steps[place] as string
    if (part.startsWith(':')) values[part.slice(1)] = step
    else if (part !== step) return undefined
  }
  return values
}
