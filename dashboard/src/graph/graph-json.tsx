// The graph as JSON beside its drawing: what is changed in one is changed in the other.
import { useEffect, useState } from 'react'
import { boxLooks, Field } from '../ui/forms/field.tsx'
import { isTree } from '../ui/forms/tree.ts'
import { type Graph, readGraph } from './edits.ts'

interface GraphJsonProps {
  graph: Graph
  onChange(graph: Graph, about: string): void
}

/** The graph as text, without the layout. */
const textOf = ({ nodes, start }: Graph): string =>
  JSON.stringify({ nodes, ...(start !== null && { current_node_id: start }) }, null, 2)

export function GraphJson({ graph, onChange }: GraphJsonProps) {
  const [text, setText] = useState(() => textOf(graph))
  const [fault, setFault] = useState<string>()
  const [written, setWritten] = useState(graph)
  // When the graph is changed in the drawing, or undone, a half-written text is given up.
  useEffect(() => {
    if (written.nodes === graph.nodes && written.start === graph.start) return
    setWritten(graph)
    setText(textOf(graph))
    setFault(undefined)
  }, [graph, written])
  const change = (next: string) => {
    setText(next)
    const read = readText(next, graph)
    setFault(typeof read === 'string' ? read : undefined)
    if (typeof read === 'string') return
    setWritten(read)
    onChange(read, 'json')
  }
  return (
    <Field
      label="Graph as JSON"
      hint="As PUT /agents/{id}/graph takes it. The drawing follows as soon as it is valid."
      fault={fault}
    >
      {(wiring) => (
        <textarea
          {...wiring}
          rows={24}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target }) => change(target.value)}
          className={`${boxLooks} py-3 font-mono leading-relaxed whitespace-pre sm:text-[0.8125rem]`}
        />
      )}
    </Field>
  )
}

/** The graph, or what is wrong with the text. */
function readText(text: string, { layout }: Graph): Graph | string {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message}`
  }
  if (!isTree(read) || !Array.isArray(read.nodes)) return 'A graph is an object with a list of nodes.'
  const { nodes, current_node_id: start } = read
  const wrong = nodes.findIndex((node) => !isTree(node) || typeof node.id !== 'string')
  if (wrong >= 0) return `nodes.${wrong}: a node is an object with an id.`
  return readGraph({ nodes, layout, current_node_id: typeof start === 'string' ? start : null })
}
