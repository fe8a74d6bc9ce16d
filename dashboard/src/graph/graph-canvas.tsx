// The graph as it is drawn: nodes that can be moved and joined, edges with their conditions, and where a call is.
import '@xyflow/react/dist/base.css'
import './graph-canvas.css'
import {
  applyNodeChanges,
  Background,
  Controls,
  type EdgeChange,
  type FitViewOptions,
  MarkerType,
  type Node,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { nodeWidth } from './arrange.ts'
import { type DrawnEdge, edgesToDraw, type Marks, nodesToDraw, withLabels } from './drawn.ts'
import { EdgeShape } from './edge-shape.tsx'
import type { EdgePlace, Graph, Point } from './edits.ts'
import type { GraphFault } from './graph-faults.ts'
import { type NodeData, NodeShape } from './node-shape.tsx'

/** The edits that changes on the canvas cause. Without them the graph can only be looked at. */
export interface CanvasEdits {
  onMove(id: string, to: Point): void
  onConnect(from: string, to: string): void
  onRemove(nodes: readonly string[], edges: readonly EdgePlace[]): void
}

interface GraphCanvasProps {
  graph: Graph
  faults: readonly GraphFault[]
  marks: Marks
  selected?: string | undefined
  onSelect?(id: string | undefined): void
  edits?: CanvasEdits
  /** The label of the graph for screen readers. */
  label: string
  /** A number that changes when the whole graph should be brought into view. */
  fit?: unknown
}

const nodeTypes = { step: NodeShape }
const edgeTypes = { way: EdgeShape }

export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas({ graph, faults, marks, selected, onSelect, edits, label, fit }: GraphCanvasProps) {
  const wanted = useMemo(() => nodesToDraw(graph, faults, marks, selected), [graph, faults, marks, selected])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // The library measures nodes and moves them while they are dragged; its values are kept when the graph changes.
  const [drawn, setDrawn] = useState<Node<NodeData>[]>(wanted)
  useEffect(() => {
    setDrawn((before) => {
      const known = new Map(before.map((node) => [node.id, node]))
      return wanted.map((node) => ({ ...known.get(node.id), ...node }))
    })
  }, [wanted])
  const [focused, setFocused] = useState<string>()
  const edges = useMemo(
    () =>
      withLabels(edgesToDraw(graph, faults, marks), drawn).map((edge) => ({
        ...edge,
        selected: chosen.has(edge.id),
        data: { ...edge.data, isFocused: edge.id === focused },
      })),
    [graph, faults, marks, drawn, chosen, focused],
  )
  const fitting = fittingFor(drawn, edges)
  // Labels get their places when the nodes have been measured.
  useFitting(`${fit} ${edges.some(({ data }) => data.label)}`, fitting)

  const take = (changes: NodeChange<Node<NodeData>>[]) => {
    setDrawn((nodes) => applyNodeChanges(changes, nodes))
    for (const change of changes) {
      if (change.type === 'position' && change.dragging === false && change.position)
        edits?.onMove(change.id, change.position)
      if (change.type === 'select' && change.selected) onSelect?.(change.id)
    }
  }
  return (
    <ReactFlow
      nodes={drawn}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={take}
      onNodeClick={(_, { id }) => onSelect?.(id)}
      onPaneClick={() => onSelect?.(undefined)}
      onConnect={({ source, target }) => edits?.onConnect(source, target)}
      onEdgesChange={(changes) => setChosen((before) => chosenAfter(before, changes))}
      onEdgeClick={(_, { source }) => onSelect?.(source)}
      onDelete={({ nodes, edges: gone }) => {
        // The edges of a removed node are removed with it.
        const lone = nodes.length > 0 ? [] : gone.map(({ data: { from, at } }) => ({ from, at }))
        edits?.onRemove(
          nodes.map(({ id }) => id),
          lone,
        )
        onSelect?.(undefined)
      }}
      deleteKeyCode={edits ? ['Delete', 'Backspace'] : null}
      nodesDraggable={edits !== undefined}
      nodesConnectable={edits !== undefined}
      edgesFocusable={edits !== undefined}
      nodesFocusable={onSelect !== undefined}
      elementsSelectable={onSelect !== undefined}
      defaultEdgeOptions={{ markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--muted)' } }}
      minZoom={0.15}
      maxZoom={1.5}
      fitView
      fitViewOptions={fitting}
      // The wheel scrolls the page; with a key, or by pinching, it zooms the graph.
      zoomOnScroll={false}
      preventScrolling={false}
      onFocus={({ target }) => setFocused(target.closest<SVGElement>('.react-flow__edge')?.dataset.id)}
      onBlur={() => setFocused(undefined)}
      aria-label={label}
    >
      <Background gap={22} size={1.2} />
      <Controls showInteractive={false} />
    </ReactFlow>
  )
}

function chosenAfter(before: ReadonlySet<string>, changes: EdgeChange<DrawnEdge>[]): ReadonlySet<string> {
  const after = new Set(before)
  for (const change of changes)
    if (change.type === 'select') after[change.selected ? 'add' : 'delete'](change.id)
  return after
}

/** How the graph is fitted into the view: with room for labels beside the nodes, as edges that lead back have them. */
function fittingFor(nodes: readonly Node[], edges: readonly DrawnEdge[]): FitViewOptions {
  const right = Math.max(...nodes.map(({ position }) => position.x + nodeWidth))
  const beyondPx = Math.max(0, ...edges.map(({ data }) => labelEnd(data) - right))
  return { maxZoom: 1, padding: { x: 0.15, y: 0.15, ...(beyondPx > 0 && { right: `${beyondPx + 24}px` }) } }
}

const labelEnd = (data: DrawnEdge['data']): number =>
  data?.label ? data.label.x + data.label.width / 2 : Number.NEGATIVE_INFINITY

/** Fits the view after the nodes have been drawn at their new places. */
function useFitting(fit: unknown, fitting: FitViewOptions): void {
  const { fitView } = useReactFlow()
  const last = useRef(fit)
  const latest = useRef(fitting)
  latest.current = fitting
  useEffect(() => {
    if (last.current === fit) return
    last.current = fit
    const frame = requestAnimationFrame(() => void fitView(latest.current))
    return () => cancelAnimationFrame(frame)
  }, [fit, fitView])
}
