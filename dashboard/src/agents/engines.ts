// The speech engines that an agent can choose: those of the installation always work, a vendor's only with its credentials.
import type { VendorCredentials } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { synthesizerWords, transcriberWords } from './agent-words.ts'

export type EnginePart = 'synthesizer' | 'transcriber'

export interface VendorHere {
  /** The name by which an agent chooses the engine. */
  readonly name: string
  readonly label: string
  /** Why the engine does not work here. Undefined: it works. */
  readonly why: string | undefined
}

const labels: Record<EnginePart, Readonly<Record<string, string>>> = {
  synthesizer: synthesizerWords,
  transcriber: transcriberWords,
}

type Credentials = Pick<VendorCredentials, 'agent_names' | 'uses' | 'source' | 'last_check'>

/** All engines: first those that work, then the others, each group by name. `credentials`: undefined while they are being read. */
export function vendorsHere(part: EnginePart, credentials: readonly Credentials[] | undefined): VendorHere[] {
  return Object.entries(labels[part])
    .map(([name, label]) => ({ name, label, why: whyNot(part, name, label, credentials) }))
    .toSorted((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label))
}

const rank = ({ why }: VendorHere) => (why === undefined ? 0 : 1)

function whyNot(
  part: EnginePart,
  name: string,
  label: string,
  credentials: readonly Credentials[] | undefined,
) {
  if (!credentials) return undefined
  const own = credentials.find(({ agent_names, uses }) => agent_names.includes(name) && uses.includes(part))
  if (!own) return `${label} is not served by this version.`
  if (own.source === 'none') return `There is no key for ${label} here.`
  return own.last_check?.ok === false ? own.last_check.message : undefined
}

export function useVendors(part: EnginePart): VendorHere[] {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const { data } = useQuery({
    queryKey: ['credentials', workspaceId],
    queryFn: () => api.credentials(workspaceId),
    enabled: workspaceId !== '',
  })
  return vendorsHere(part, data?.vendors)
}
