// The editor of a graph: the drawing, the fields of what is chosen, and the JSON.
import type { StoredGraph } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useEffect, useState } from 'react'
import { useLeaveGuard } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { useWhyNot } from '../ui/controls/may.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { arranged, belowAll } from './arrange.ts'
import { type Marks, noMarks } from './drawn.ts'
import { addEdge, addNode, freeId, type Graph, moveNode, nodeOf, removeParts, startOf } from './edits.ts'
import { type CanvasEdits, GraphCanvas } from './graph-canvas.tsx'
import { GraphJson } from './graph-json.tsx'
import { GraphToolbar, SavingRefused } from './graph-toolbar.tsx'
import { LiveCall, useRunningCall } from './live-call.tsx'
import { NodePanel } from './node-panel.tsx'
import { type GraphDraft, useGraphDraft } from './use-graph-draft.ts'

interface GraphEditorProps {
  workspaceId: string
  stored: StoredGraph
  title: string
  back: { to: string; label: string }
  onSaved(graph: StoredGraph): void
  onReload(): void
}

export function GraphEditor({ workspaceId, stored, title, back, onSaved, onReload }: GraphEditorProps) {
  const toast = useToast()
  const draft = useGraphDraft(workspaceId, stored, (next) => {
    onSaved(next)
    toast(next.version === stored.version ? 'Saved' : `Saved as version ${next.version}`)
  })
  const { graph, edit } = draft
  const [selected, setSelected] = useState<string>()
  const [marks, setMarks] = useState<Marks>()
  const [fit, setFit] = useState(0)
  const whyNot = useWhyNot(voice.putAgentGraph)
  const running = useRunningCall(workspaceId, stored.agent_id)
  useLeaveGuard(draft.isUnsaved && !draft.isSaving)
  useShortcuts(draft)
  const redraw = (next: Graph) => {
    edit(next)
    setFit((count) => count + 1)
  }
  const add = () => {
    const id = freeId(graph)
    redraw(addNode(graph, id, belowAll(graph)))
    setSelected(id)
  }
  const edits: CanvasEdits = {
    onMove: (id, to) => edit(moveNode(graph, id, to), `move ${id}`),
    onConnect: (from, to) => {
      edit(addEdge(graph, from, to))
      setSelected(from)
    },
    onRemove: (nodes, edges) => edit(removeParts(graph, nodes, edges)),
  }
  return (
    <>
      <PageHeader
        title={title}
        lead="Each node is a step of the conversation; an edge leads on when its condition holds."
        back={back}
        action={
          <Button
            kind="primary"
            needs={voice.putAgentGraph}
            disabled={!draft.maySave}
            busy={draft.isSaving}
            onClick={() => draft.save()}
          >
            Save graph
          </Button>
        }
      />
      <SavingRefused draft={draft} onReload={onReload} />
      <GraphToolbar draft={draft} onAdd={add} onArrange={() => redraw({ ...graph, layout: arranged(graph) })}>
        {running && (
          <LiveCall
            key={running.session_id}
            place={{ workspaceId, sessionId: running.session_id }}
            call={running}
            start={startOf(graph)}
            onMarks={setMarks}
          />
        )}
      </GraphToolbar>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="h-[60vh] min-h-96 rounded-xl border border-line bg-canvas lg:h-[calc(100vh-15rem)]">
          <GraphCanvas
            graph={graph}
            fit={fit}
            selected={selected}
            {...(!whyNot && { edits })}
            faults={draft.faults}
            marks={marks ?? noMarks}
            onSelect={setSelected}
            label="The graph"
          />
        </div>
        <SidePanel draft={draft} selected={selected} onSelect={setSelected} />
      </div>
    </>
  )
}

/** Listens for the keys of undo and redo on the whole document: undoing may remove the field that has the focus. */
function useShortcuts({ undo, redo, save, maySave }: GraphDraft): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const letter = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || !['z', 'y', 's'].includes(letter)) return
      event.preventDefault()
      if (letter === 's') {
        if (maySave) save()
      } else if (letter === 'y' || event.shiftKey) redo?.()
      else undo?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [undo, redo, save, maySave])
}

const views = { node: 'Node', json: 'JSON' }

interface SidePanelProps {
  draft: GraphDraft
  selected: string | undefined
  onSelect(id: string | undefined): void
}

function SidePanel({ draft: { graph, written, faults, edit }, selected, onSelect }: SidePanelProps) {
  const [view, setView] = useState<keyof typeof views>('node')
  const node = nodeOf(graph, selected)
  const whyNot = useWhyNot(voice.putAgentGraph)
  return (
    <div className="min-w-0 lg:max-h-[calc(100vh-15rem)] lg:overflow-y-auto lg:pr-1">
      <Tabs<keyof typeof views>
        label="What is edited"
        tabs={views}
        chosen={view}
        controls="graph-side"
        onChoose={setView}
      />
      <div id="graph-side" role="tabpanel" aria-label={views[view]}>
        <fieldset disabled={whyNot !== undefined} title={whyNot}>
          {view === 'json' && <GraphJson graph={written} onChange={edit} />}
          {view === 'node' && node && (
            <NodePanel graph={graph} node={node} faults={faults} onSelect={onSelect} onChange={edit} />
          )}
        </fieldset>
        {view === 'node' && !node && <NodeList graph={graph} onSelect={onSelect} />}
      </div>
    </div>
  )
}

function NodeList({ graph, onSelect }: { graph: Graph; onSelect(id: string): void }) {
  return (
    <div className="space-y-3 text-muted">
      <p>Choose a node to edit it, or drag from the dot below one node to another to join them.</p>
      <ul className="space-y-1">
        {graph.nodes.map(({ id }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two nodes may have one name while they are edited
          <li key={at}>
            <Button kind="quiet" size="small" onClick={() => onSelect(id)}>
              {id || 'No name'}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
