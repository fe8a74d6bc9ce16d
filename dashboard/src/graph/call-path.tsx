// The way that a call took through its graph, drawn on the version that it was made with.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import { isTree } from '../ui/forms/tree.ts'
import { withPlaces } from './arrange.ts'
import { noMarks } from './drawn.ts'
import { readGraph } from './edits.ts'
import { GraphCanvas } from './graph-canvas.tsx'

export interface CallPathProps {
  place: { readonly workspaceId: string }
  agentId: string
  version: number | null
  /** The nodes, in order. */
  steps: readonly string[]
  over: boolean
}

export function CallPath({ place: { workspaceId }, agentId, version, steps, over }: CallPathProps) {
  const then = useQuery({
    queryKey: ['agent-version', workspaceId, agentId, version],
    queryFn: () => api.agentVersion(workspaceId, agentId, version ?? 1),
    enabled: version !== null,
  })
  const now = useQuery({
    queryKey: ['agent-graph', workspaceId, agentId],
    queryFn: () => api.agentGraph(workspaceId, agentId),
  })
  const graph = useMemo(() => {
    const written = then.data?.agent_config.llm_agent
    const nodes = isTree(written) && Array.isArray(written.nodes) ? written.nodes : now.data?.nodes
    if (!nodes) return undefined
    const start =
      isTree(written) && typeof written.current_node_id === 'string' ? written.current_node_id : null
    return withPlaces(readGraph({ nodes, current_node_id: start, layout: now.data?.layout ?? {} }))
  }, [then.data, now.data])
  const marks = useMemo(
    () => (over ? { ...noMarks, path: steps } : { path: steps, live: steps.at(-1) }),
    [steps, over],
  )
  return (
    <div className="space-y-4">
      <ol aria-label="Nodes, in order" className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        {steps.map((id, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added
          <li key={at} className="flex items-center gap-2">
            {at > 0 && (
              <span aria-hidden="true" className="text-muted">
                →
              </span>
            )}
            <span className="rounded-md border border-line bg-surface px-2 py-0.5 font-mono text-xs">
              {id}
            </span>
          </li>
        ))}
      </ol>
      {graph && graph.nodes.length > 0 && (
        <div className="h-[28rem] rounded-xl border border-line">
          <GraphCanvas
            graph={graph}
            faults={[]}
            marks={marks}
            label="The way of the call through its graph"
          />
        </div>
      )}
    </div>
  )
}
