// The graph of an agent: read and replaced in one piece, refused part by part.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

const nodes = [
  {
    id: 'greet',
    prompt: 'Ask what they need.',
    colour: 'green',
    edges: [{ to_node_id: 'bye', condition: 'They need nothing.' }],
  },
  { id: 'bye', static_message: 'Good-bye.', edges: [] },
]

let service: TestService
beforeAll(async () => {
  service = await openService({ PARLEY_ROLES: 'api' })
})
afterAll(() => service.close())

async function newAgent(llm_agent: object, more: object = { agent_type: 'graph_agent' }): Promise<string> {
  const body = { agent_config: { agent_name: 'Ada', llm_agent, ...more } }
  return (await service.ask('POST', '/agents', { body })).body.data.agent_id
}
const graphOf = async (id: string) => (await service.ask('GET', `/agents/${id}/graph`)).body.data
const put = (id: string, body: object) => service.ask('PUT', `/agents/${id}/graph`, { body })
const agentOf = async (id: string) => (await service.ask('GET', `/agents/${id}`)).body.data

it('is read with its start, what is wrong with it, and no places before it was drawn', async () => {
  const id = await newAgent({ nodes, current_node_id: 'greet' })
  expect(await graphOf(id)).toMatchObject({
    agent_id: id,
    version: 1,
    nodes,
    current_node_id: 'greet',
    layout: {},
    faults: [],
  })
  const lost = await newAgent({ nodes: [{ id: 'a', edges: [{ to_node_id: 'nowhere' }] }, 'b'] })
  const { faults } = await graphOf(lost)
  expect(faults).toEqual([{ path: 'nodes.1', message: expect.any(String) }])
  expect((await graphOf(await newAgent({}))).nodes).toEqual([])
})

it('is replaced, and nothing else of the agent changes', async () => {
  const id = await newAgent({ nodes, llm_config: { model: 'm' }, agent_information: 'Roma.' })
  const next = [{ id: 'one', prompt: 'Ask.', mine: { kept: true } }]
  const layout = { one: { x: 10, y: -20.5 } }
  const reply = await put(id, { nodes: next, layout })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.data).toMatchObject({ version: 2, nodes: next, current_node_id: null, layout })
  const { agent_config } = await agentOf(id)
  expect(agent_config.llm_agent).toEqual({
    llm_config: { model: 'm' },
    agent_information: 'Roma.',
    nodes: next,
  })
  expect(agent_config.agent_name).toBe('Ada')
})

it('moves out of llm_config, with what is read beside it', async () => {
  const inner = { model: 'm', nodes, current_node_id: 'bye', agent_information: 'Roma.' }
  const id = await newAgent({ llm_config: inner }, { agent_type: 'graph_agent' })
  expect(await graphOf(id)).toMatchObject({ nodes, current_node_id: 'bye' })
  await put(id, { nodes })
  expect((await agentOf(id)).agent_config.llm_agent).toEqual({
    llm_config: { model: 'm' },
    agent_information: 'Roma.',
    current_node_id: 'bye',
    nodes,
  })
})

it('keeps its start while that node is there, and takes another when it is told', async () => {
  const id = await newAgent({ nodes, current_node_id: 'bye' })
  expect((await put(id, { nodes })).body.data.current_node_id).toBe('bye')
  expect((await put(id, { nodes, current_node_id: 'greet' })).body.data.current_node_id).toBe('greet')
  expect((await put(id, { nodes: [{ id: 'new' }] })).body.data.current_node_id).toBe(null)
  expect((await put(id, { nodes, current_node_id: null })).body.data.current_node_id).toBe(null)
})

it('is a new version only if it differs: moving nodes about is not', async () => {
  const id = await newAgent({ nodes })
  const moved = await put(id, { nodes, layout: { greet: { x: 1, y: 2 } } })
  expect(moved.body.data).toMatchObject({ version: 1, layout: { greet: { x: 1, y: 2 } } })
  expect((await put(id, { nodes: nodes.slice(1) })).body.data).toMatchObject({
    version: 2,
    layout: { greet: { x: 1, y: 2 } },
  })
})

it('keeps a secret in a node sealed, and shows its ends', async () => {
  const secret = 'sk-a-secret-of-a-node-1234'
  const withKey = [{ id: 'a', llm_config: { api_key: secret } }]
  const id = await newAgent({ nodes })
  const { data } = (await put(id, { nodes: withKey })).body
  expect(data.nodes[0].llm_config.api_key).toBe('sk-…1234')
  const again = await put(id, { nodes: data.nodes })
  expect(again.body.data).toMatchObject({ version: 2 })
  expect(again.body.data).not.toHaveProperty('warnings')
  const stored = await service.database.query('SELECT config::text AS config FROM agents')
  expect(JSON.stringify(stored)).not.toContain(secret)
})

describe('is refused', () => {
  const refusalOf = async (graph: object) => {
    const id = await newAgent({ nodes })
    const { status, body } = await put(id, graph)
    expect((await graphOf(id)).nodes).toEqual(nodes)
    return [status, body.code, ...(body.details ?? []).map(({ path }: { path: string }) => path)]
  }
  const edge = (more: object) => ({ nodes: [{ id: 'a', edges: [{ to_node_id: 'a', ...more }] }] })

  it.each<[string, object, string]>([
    ['without nodes', {}, 'nodes'],
    ['with none', { nodes: [] }, 'nodes'],
    ['with a node without an id', { nodes: [{ prompt: 'x' }] }, 'nodes.0.id'],
    ['with two nodes of one id', { nodes: [{ id: 'a' }, { id: 'a' }] }, 'nodes.1.id'],
    ['with an edge to nowhere', edge({ to_node_id: 'b' }), 'nodes.0.edges.0.to_node_id'],
    ['with an unknown kind of edge', edge({ condition_type: 'x' }), 'nodes.0.edges.0.condition_type'],
    [
      'with an expression edge that compares nothing',
      edge({ condition_type: 'expression' }),
      'nodes.0.edges.0.expression',
    ],
    [
      'with an event that does not exist',
      edge({ condition_type: 'event', event_name: 'noon' }),
      'nodes.0.edges.0.event_name',
    ],
    ['with a start that is no node', { nodes, current_node_id: 'x' }, 'current_node_id'],
    ['with another key', { nodes, edges: [] }, 'edges'],
    ['with a place that is no place', { nodes, layout: { greet: { x: 'left', y: 0 } } }, 'layout.greet.x'],
  ])('%s', async (_what, graph, path) => {
    expect(await refusalOf(graph)).toEqual([400, 'VALIDATION_ERROR', path])
  })

  it('of an agent that is no graph_agent, with its type', async () => {
    const id = await newAgent({ nodes }, {})
    for (const method of ['GET', 'PUT']) {
      const ask = method === 'PUT' ? { body: { nodes } } : {}
      const { status, body } = await service.ask(method, `/agents/${id}/graph`, ask)
      expect([status, body.code]).toEqual([400, 'AGENT_NOT_A_GRAPH'])
      expect(body.message).toContain('its agent_type is other')
    }
  })

  it('when the agent has been changed since it was read', async () => {
    const id = await newAgent({ nodes })
    expect((await put(id, { nodes: nodes.slice(1), base_version: 1 })).status).toBe(200)
    const late = await put(id, { nodes, base_version: 1 })
    expect([late.status, late.body.code]).toEqual([400, 'AGENT_VERSION_CONFLICT'])
    expect((await graphOf(id)).nodes).toEqual(nodes.slice(1))
  })

  it('of another workspace, as if there were none', async () => {
    const id = await newAgent({ nodes })
    await service.database.query('UPDATE agents SET workspace_id = $1 WHERE agent_id = $2', [
      randomUUID(),
      id,
    ])
    const { status, body } = await put(id, { nodes })
    expect([status, body.code]).toEqual([404, 'AGENT_NOT_FOUND'])
    expect((await service.ask('GET', `/agents/${id}/graph`)).status).toBe(404)
  })
})

it('is of two that are put at once one or the other, and both are versions', async () => {
  const id = await newAgent({ nodes })
  const both = [[{ id: 'a' }], [{ id: 'b' }]]
  await Promise.all(both.map((written) => put(id, { nodes: written })))
  const graph = await graphOf(id)
  expect(graph.version).toBe(3)
  expect(both).toContainEqual(graph.nodes)
})
