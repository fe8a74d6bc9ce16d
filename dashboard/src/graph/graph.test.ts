// The graph editor without a browser: edits, history, places and faults.
import { describe, expect, it } from 'vitest'
import { arranged, withPlaces } from './arrange.ts'
import { type Box, overlap, placeLabels } from './edge-labels.ts'
import {
  addEdge,
  addNode,
  changeEdge,
  freeId,
  type Graph,
  makeStart,
  moveNode,
  readGraph,
  removeEdge,
  removeNode,
  renameNode,
  startOf,
  writtenOf,
} from './edits.ts'
import { faultsIn } from './graph-faults.ts'
import { begin, change, redo, undo } from './history.ts'

const edge = (to_node_id: string, more: object = {}) => ({ to_node_id, condition: 'When they ask.', ...more })
const graph: Graph = readGraph({
  nodes: [
    { id: 'greet', prompt: 'Greet.', mine: 1, edges: [edge('book'), edge('bye')] },
    { id: 'book', prompt: 'Book.', edges: [edge('bye')] },
    { id: 'bye', static_message: 'Bye.' },
  ],
})

describe('a change', () => {
  it('of a name is followed by edges, the start and the place; keys of the user stay', () => {
    const named = renameNode(moveNode(makeStart(graph, 'greet'), 'greet', { x: 1.4, y: 2 }), 'greet', 'hello')
    expect(named.nodes[0]).toMatchObject({ id: 'hello', mine: 1 })
    expect(writtenOf(named)).toMatchObject({ current_node_id: 'hello', layout: { hello: { x: 1, y: 2 } } })
    expect(renameNode(graph, 'bye', 'end').nodes[0]?.edges).toMatchObject([
      { to_node_id: 'book' },
      { to_node_id: 'end' },
    ])
  })

  it('that removes a node removes the edges to it, and its being the start', () => {
    const left = removeNode(makeStart(graph, 'bye'), 'bye')
    expect(left.nodes.map(({ edges }) => (edges ?? []).map(({ to_node_id }) => to_node_id))).toEqual([
      ['book'],
      [],
    ])
    expect(startOf(left)).toBe('greet')
  })

  it('adds a node with a free name and an edge, changes it and removes it', () => {
    const id = freeId(addNode(graph, 'step', { x: 0, y: 0 }))
    expect(id).toBe('step-2')
    const more = addEdge(addNode(graph, id, { x: 0, y: 0 }), 'bye', id)
    const place = { from: 'bye', at: 0 }
    const changed = changeEdge(more, place, { condition: undefined, condition_type: 'unconditional' })
    expect(changed.nodes[2]?.edges).toEqual([{ to_node_id: 'step-2', condition_type: 'unconditional' }])
    expect(removeEdge(changed, place).nodes[2]?.edges).toEqual([])
  })
})

it('undoes and does again; typing in one field is one step', () => {
  const typed = ['a', 'ab', 'abc'].reduce((history, text) => change(history, text, 'prompt'), begin(''))
  const two = change(typed, 'x')
  expect(undo(two).present).toBe('abc')
  expect(undo(undo(two)).present).toBe('')
  expect(undo(undo(undo(two))).present).toBe('')
  expect(redo(undo(two)).present).toBe('x')
  expect(change(undo(two), 'y').future).toEqual([])
})

it('places nodes in layers from the start, loops and lost nodes included, none on another', () => {
  const loop = addEdge(addNode(graph, 'lost', { x: 0, y: 0 }), 'bye', 'greet')
  const places = arranged(loop)
  expect([places.greet?.y, places.book?.y, places.bye?.y, places.lost?.y]).toEqual([0, 170, 170, 340])
  expect(new Set(Object.values(places).map(({ x, y }) => `${x} ${y}`)).size).toBe(4)
  const kept = withPlaces({ ...graph, layout: { greet: { x: 7, y: 9 } } })
  expect(kept.layout.greet).toEqual({ x: 7, y: 9 })
  expect(Object.keys(kept.layout)).toHaveLength(3)
  expect(arranged(readGraph({ nodes: [] }))).toEqual({})
})

it('places the words of edges on no node and on no other words, however many leave one node', () => {
  const step = (x: number, y: number): Box => ({ x, y, width: 232, height: 96 })
  const nodes = new Map([
    ...Object.entries({
      menu: step(144, 0),
      sales: step(0, 170),
      support: step(288, 170),
      end: step(144, 340),
    }),
  ])
  const words = 'They want to know how long it takes until somebody comes'
  const way = (source: string, target: string, n: number) => ({ id: `${source} ${n}`, source, target, words })
  const edges = [
    ...[way('menu', 'sales', 0), way('menu', 'support', 1), way('menu', 'support', 2), way('menu', 'end', 3)],
    ...[way('sales', 'end', 0), way('support', 'end', 0), way('support', 'menu', 1), way('end', 'menu', 0)],
  ]
  const places = placeLabels(nodes, edges)
  expect(places.size).toBe(edges.length)
  const boxes = [...places.values()].map(({ x, y, width }) => ({
    x: x - width / 2,
    y: y - 11,
    width,
    height: 22,
  }))
  for (const [at, box] of boxes.entries())
    for (const other of [...boxes.slice(at + 1), ...nodes.values()]) expect(overlap(box, other)).toBe(0)
  expect(placeLabels(new Map(), edges).size).toBe(0)
})

it('says what is wrong by the path of the server, and what may not be meant', () => {
  expect(faultsIn(graph)).toEqual([])
  const faulty = readGraph({
    nodes: [
      { id: 'a', edges: [edge('gone'), edge('a', { condition_type: 'event' }), { to_node_id: 'a' }] },
      { id: 'a', prompt: 'A' },
      { id: 'b', prompt: 'B', edges: [edge('a', { condition_type: 'expression' })] },
    ],
  })
  const found = faultsIn(faulty)
  expect(found.filter(({ isRefused }) => isRefused).map(({ path }) => path)).toEqual([
    'nodes.0.edges.0.to_node_id',
    'nodes.0.edges.1.event_name',
    'nodes.1.id',
    'nodes.2.edges.0.expression',
  ])
  expect(found.filter(({ isRefused }) => !isRefused).map(({ path }) => path)).toEqual([
    'nodes.0.prompt',
    'nodes.0.edges.2.condition',
    'nodes.2',
  ])
})
