// What a version changed: texts word by word, everything else before and after.
import type { AgentDifference } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { diffWordsWithSpace } from 'diff'
import { api } from '../api.ts'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'

interface VersionDiffProps {
  workspaceId: string
  agentId: string
  version: number
}

export function VersionDiff({ workspaceId, agentId, version }: VersionDiffProps) {
  const { data, error, isPending } = useQuery({
    queryKey: ['agent-version', workspaceId, agentId, version],
    queryFn: () => api.agentVersion(workspaceId, agentId, version),
  })
  if (isPending) return <ListSkeleton />
  if (error) return <RefusalNotice error={error} />
  if (data.compared_with === null)
    return <p className="text-muted">Nothing before it is kept to compare it with.</p>
  if (data.diff.length === 0) return <p className="text-muted">It does not differ from the version before.</p>
  return (
    <dl className="space-y-3">
      {data.diff.map((difference) => (
        <div key={difference.path} className="min-w-0">
          <dt className="font-mono text-xs font-medium wrap-anywhere text-muted">
            {difference.path.replace('agent_config.', '')}
          </dt>
          <dd className="mt-1">
            <Difference {...difference} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const block =
  'rounded-md border border-line bg-canvas px-3 py-2 whitespace-pre-wrap wrap-anywhere text-[0.8125rem]'
const gone = 'rounded-xs bg-bad-soft text-bad line-through'
const come = 'rounded-xs bg-good-soft text-good no-underline'

function Difference({ path, change, before, after }: AgentDifference) {
  if (typeof before === 'string' && typeof after === 'string') {
    // Two secrets may look the same, because only their ends are shown.
    if (before === after) return <p className={block}>Changed; only its ends are shown: {after}</p>
    return (
      <p className={block}>
        {diffWordsWithSpace(before, after).map(({ value, added, removed }, at) =>
          added ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
            <ins key={`${path} ${at}`} className={come}>
              {value}
            </ins>
          ) : removed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
            <del key={`${path} ${at}`} className={gone}>
              {value}
            </del>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
            <span key={`${path} ${at}`}>{value}</span>
          ),
        )}
      </p>
    )
  }
  return (
    <p className={block}>
      {change !== 'added' && <del className={gone}>{textOf(before)}</del>}
      {change === 'changed' && ' '}
      {change !== 'removed' && <ins className={come}>{textOf(after)}</ins>}
    </p>
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
