// The nodes of a graph are told when their words are heard, not when they are thought of.
import { expect, it } from 'vitest'
import { NodePath } from './node-path.ts'

function pathOf() {
  const told: string[] = []
  return { told, path: new NodePath((nodeId) => told.push(nodeId)) }
}

it('tells the nodes of a reply when it begins to be heard, those that were passed through first', () => {
  const { told, path } = pathOf()
  for (const nodeId of ['greet', 'router', 'book']) path.reach(1, nodeId)
  expect(told).toEqual([])
  path.heard(1)
  path.heard(1)
  expect(told).toEqual(['greet', 'router', 'book'])
  expect(path.leave(1)).toBe('book')
  expect(path.leave(1)).toBeUndefined()
})

it('begins where the graph does, whoever speaks first, and not again where it goes on', () => {
  const told: string[] = []
  const path = new NodePath((nodeId) => told.push(nodeId), 'menu')
  path.heard(0)
  path.reach(1, 'sales')
  path.heard(1)
  expect(told).toEqual(['menu', 'sales'])
  const resumed = new NodePath((nodeId) => told.push(nodeId), 'sales')
  resumed.resume()
  resumed.heard(0)
  expect(told).toEqual(['menu', 'sales'])
})

it('tells nothing of a reply that was discarded, nor a node again in which it stays', () => {
  const { told, path } = pathOf()
  path.reach(1, 'greet')
  path.heard(1)
  path.reach(2, 'book')
  path.forget(2)
  path.heard(2)
  path.reach(3, 'greet')
  path.heard(3)
  path.reach(3, 'bye')
  path.heard(3)
  expect(told).toEqual(['greet', 'bye'])
})
