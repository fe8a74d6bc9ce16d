// The fields of the chosen node and of its edges. Everything that can be done on the canvas can be done here by keyboard.
import type { GraphEdge, GraphNode } from '@parley/contract'
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { boxLooks, Field } from '../ui/forms/field.tsx'
import { height } from '../ui/forms/fields.tsx'
import { EdgeFields } from './edge-fields.tsx'
import {
  addEdge,
  changeEdge,
  changeNode,
  edgesOf,
  type Graph,
  makeStart,
  removeEdge,
  removeNode,
  renameNode,
  startOf,
} from './edits.ts'
import { faultAt, type GraphFault } from './graph-faults.ts'

export interface NodePanelProps {
  graph: Graph
  node: GraphNode
  faults: readonly GraphFault[]
  /** `about`: successive changes with the same subject are undone together. */
  onChange(graph: Graph, about?: string): void
  onSelect(id: string | undefined): void
}

export function NodePanel({ graph, node, faults, onChange, onSelect }: NodePanelProps) {
  const at = graph.nodes.indexOf(node)
  const path = `nodes.${at}`
  const isRouter = node.node_type === 'router'
  const change = (changes: Partial<GraphNode>, about: string) =>
    onChange(changeNode(graph, node.id, changes), `${node.id} ${about}`)
  return (
    <section aria-label={`Node ${node.id}`} className="space-y-4">
      <NameField
        key={node.id}
        graph={graph}
        node={node}
        faults={faults}
        onChange={onChange}
        onSelect={onSelect}
      />
      <Field
        label="Prompt"
        hint="What the agent does here, beside its general prompt."
        fault={faultAt(faults, `${path}.prompt`)}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={5}
            value={node.prompt ?? ''}
            onChange={({ target }) => change({ prompt: target.value }, 'prompt')}
            className={`${boxLooks} py-2`}
          />
        )}
      </Field>
      {(typeof node.static_message === 'string' || !node.static_message) && (
        <Field
          label="Message"
          hint="Said word for word on arrival, instead of thinking. Usually empty."
          fault={faultAt(faults, `${path}.static_message`)}
        >
          {(wiring) => (
            <textarea
              {...wiring}
              rows={2}
              value={node.static_message ? String(node.static_message) : ''}
              onChange={({ target }) => change({ static_message: target.value || undefined }, 'message')}
              className={`${boxLooks} py-2`}
            />
          )}
        </Field>
      )}
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isRouter}
          onChange={() => change({ node_type: isRouter ? undefined : 'router' }, 'router')}
          className="size-4 accent-accent"
        />
        Router: says nothing and only decides where to go on
      </label>
      <div className="flex flex-wrap gap-2">
        <Button disabled={startOf(graph) === node.id} onClick={() => onChange(makeStart(graph, node.id))}>
          Start here
        </Button>
        <Button
          kind="warning"
          onClick={() => {
            onChange(removeNode(graph, node.id))
            onSelect(undefined)
          }}
        >
          Delete node
        </Button>
      </div>
      <Edges graph={graph} node={node} faults={faults} onChange={onChange} path={path} />
    </section>
  )
}

/** The name takes effect when the field is left: a name that is half typed may be that of another node. */
function NameField({ graph, node, faults, onChange, onSelect }: NodePanelProps) {
  const [name, setName] = useState(node.id)
  const isTaken = name !== node.id && graph.nodes.some(({ id }) => id === name)
  const take = () => {
    if (name === node.id || name === '' || isTaken) return
    onChange(renameNode(graph, node.id, name))
    onSelect(name)
  }
  const fault = isTaken
    ? 'Another node has this name.'
    : name === ''
      ? 'A node needs a name.'
      : faultAt(faults, `nodes.${graph.nodes.indexOf(node)}.id`)
  return (
    <Field label="Name" hint="Calls and edges name the node by it." fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          value={name}
          spellCheck={false}
          onChange={({ target }) => setName(target.value)}
          onBlur={take}
          onKeyDown={({ key }) => key === 'Enter' && take()}
          className={`${boxLooks} ${height} font-mono`}
        />
      )}
    </Field>
  )
}

interface EdgesProps extends Omit<NodePanelProps, 'onSelect'> {
  path: string
}

function Edges({ graph, node, faults, onChange, path }: EdgesProps) {
  const others = graph.nodes.map(({ id }) => id)
  return (
    <div className="space-y-3 border-t border-line pt-4">
      <h2 className="font-semibold">Where to go on</h2>
      {edgesOf(node).length === 0 && <p className="text-muted">Nowhere: the conversation ends here.</p>}
      {edgesOf(node).map((edge, at) => (
        <EdgeFields
          // biome-ignore lint/suspicious/noArrayIndexKey: an edge has no other name than its place
          key={at}
          edge={edge}
          number={at + 1}
          nodes={others}
          faults={faults}
          path={`${path}.edges.${at}`}
          onChange={(changes: Partial<GraphEdge>, about) =>
            onChange(changeEdge(graph, { from: node.id, at }, changes), `${node.id} ${at} ${about}`)
          }
          onRemove={() => onChange(removeEdge(graph, { from: node.id, at }))}
        />
      ))}
      <Button
        onClick={() => onChange(addEdge(graph, node.id, others.find((id) => id !== node.id) ?? node.id))}
      >
        <Icon name="plus" className="size-3.5" />
        Add edge
      </Button>
    </div>
  )
}
