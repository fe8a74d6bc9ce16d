// One node on the canvas.
import type { GraphNode } from '@parley/contract'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { Icon } from '../ui/controls/icons.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { nodeWidth } from './arrange.ts'
import type { GraphFault } from './graph-faults.ts'

export interface NodeData extends Record<string, unknown> {
  readonly node: GraphNode
  readonly isStart: boolean
  readonly isEnd: boolean
  /** Whether a call is at this node. */
  readonly isLive: boolean
  /** The steps in which a call came to this node, counted from 1. */
  readonly visits: readonly number[]
  readonly faults: readonly GraphFault[]
}

export function NodeShape({ data, selected, isConnectable }: NodeProps<Node<NodeData>>) {
  const { node, isStart, isEnd, isLive, visits, faults } = data
  const refused = faults.some(({ isRefused }) => isRefused)
  const frame = isLive
    ? 'border-good ring-3 ring-good/35'
    : selected
      ? 'border-accent ring-2 ring-accent/30'
      : refused
        ? 'border-bad'
        : visits.length > 0
          ? 'border-accent'
          : 'border-edge'
  return (
    <div
      data-live={isLive || undefined}
      style={{ width: nodeWidth }}
      className={`rounded-lg border bg-surface px-3 py-2.5 text-left shadow-card ${frame}`}
    >
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      <div className="flex flex-wrap items-center gap-1.5">
        <p className="mr-auto min-w-0 truncate font-semibold">{node.id || 'No name'}</p>
        {visits.length > 0 && !isLive && <Badge tone="accent">{visits.join(', ')}</Badge>}
        {isLive && (
          <Badge tone="good" dot>
            Now
          </Badge>
        )}
        {isStart && <Badge tone="accent">Start</Badge>}
        {node.node_type === 'router' && <Badge tone="off">Router</Badge>}
        {isEnd && !isStart && <Badge tone="off">End</Badge>}
      </div>
      <p className="mt-1 line-clamp-3 text-xs text-muted">{wordsOf(node)}</p>
      {faults.map(({ path, message, isRefused }) => (
        <p
          key={path + message}
          className={`mt-1.5 flex gap-1 text-xs ${isRefused ? 'text-bad' : 'text-wait'}`}
        >
          <Icon name="alert" className="mt-0.5 size-3" />
          {message}
        </p>
      ))}
      <Handle type="source" position={Position.Bottom} isConnectable={isConnectable} />
    </div>
  )
}

function wordsOf({ static_message, prompt }: GraphNode): string {
  if (typeof static_message === 'string' && static_message) return `“${static_message}”`
  if (static_message) return `“${Object.values(static_message)[0] ?? ''}”`
  return prompt || ''
}
