// A graph being edited: what can be undone, what is wrong with it, and saving it.
import type { StoredGraph } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { api, Refusal } from '../api.ts'
import { withPlaces } from './arrange.ts'
import { type Graph, readGraph, writtenOf } from './edits.ts'
import { faultsIn, faultsOfServer, type GraphFault } from './graph-faults.ts'
import { begin, change, type History, redo, undo } from './history.ts'

/** `about`: successive changes with the same subject are undone together. */
export type EditGraph = (next: Graph, about?: string) => void

export function useGraphDraft(
  workspaceId: string,
  stored: StoredGraph,
  onSaved: (next: StoredGraph) => void,
) {
  const [history, setHistory] = useState<History<Graph>>(() => begin(readGraph(stored)))
  const [saved, setSaved] = useState(history.present)
  const [refused, setRefused] = useState<{ graph: Graph; faults: GraphFault[] }>()
  const written = history.present
  const graph = useMemo(() => withPlaces(written), [written])
  // Faults from the server apply to the graph that was sent to it.
  const isRefused = refused?.graph === written
  const told = isRefused ? refused.faults : undefined
  const faults = useMemo(() => withTold(faultsIn(graph), told), [graph, told])
  const save = useMutation({
    mutationFn: ({ overwrite }: { overwrite: boolean }) =>
      api.putAgentGraph(workspaceId, stored.agent_id, {
        ...writtenOf(graph),
        ...(!overwrite && { base_version: stored.version }),
      }),
    onSuccess: (next) => {
      setSaved(written)
      onSaved(next)
    },
    onError: (error) =>
      setRefused({ graph: written, faults: error instanceof Refusal ? faultsOfServer(error.faults) : [] }),
  })
  const edit: EditGraph = useCallback(
    (next, about) => setHistory((before) => change(before, next, about)),
    [],
  )
  const isUnsaved = written !== saved
  return {
    /** The graph as it is written, with a place for every node. */
    written,
    graph,
    faults,
    edit,
    isUnsaved,
    maySave: isUnsaved && !faults.some((fault) => fault.isRefused),
    isSaving: save.isPending,
    error: isRefused ? save.error : null,
    save: (overwrite = false) => save.mutate({ overwrite }),
    undo: history.past.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redo) : undefined,
  }
}

export type GraphDraft = ReturnType<typeof useGraphDraft>

function withTold(own: GraphFault[], told: readonly GraphFault[] = []): readonly GraphFault[] {
  const known = new Set(own.map(({ path }) => path))
  return [...own, ...told.filter(({ path }) => !known.has(path))]
}
