// Secrets of agents (model keys, tool headers): accepted, stored encrypted, used in calls, never returned.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CallFixture, newAgent, openCallFixture, placeCall } from '../support/call-fixture.ts'
import type { TestService } from '../support/service.ts'

let fixture: CallFixture
let api: TestService
beforeEach(async () => {
  fixture = await openCallFixture()
  api = await fixture.api()
})
afterEach(() => fixture.close())

const first = 'sk-live-0123456789abcdef'
const second = 'sk-test-fedcba9876543210'
const llm_agent = {
  agent_flow_type: 'streaming',
  llm_config: { model: 'm', api_key: first, fallback: [{ model: 'n', api_key: second }, 'o'] },
}
/** The same in a call plan. */
const plannedModel = {
  model: 'm',
  apiKey: first,
  fallback: [{ model: 'n', apiKey: second }, { model: 'o' }],
}
const shown = { first: 'sk-…cdef', second: 'sk-…3210' }

const patch = (id: string, llm_config: object) =>
  api.ask('PATCH', `/agents/${id}`, { body: { agent_config: { llm_agent: { llm_config } } } })

/** The model settings that a call of this agent runs with. */
async function used(id: string) {
  const { runner } = await fixture.media()
  await placeCall(api, id)
  await expect.poll(() => runner.plans.length).toBe(1)
  return runner.plans[0]?.dialogue.model
}

it('are masked in every response, and are not in the database in plain text', async () => {
  const id = await newAgent(api, { llm_agent })
  const one = await api.ask('GET', `/agents/${id}`)
  expect(one.body.data.agent_config.llm_agent).toEqual({
    ...llm_agent,
    llm_config: {
      model: 'm',
      api_key: shown.first,
      fallback: [{ model: 'n', api_key: shown.second }, 'o'],
    },
  })
  const answers = [one.text, (await api.ask('GET', '/agents')).text, (await patch(id, { model: 'x' })).text]
  const [row] = await fixture.database.query<{ config: string; secrets: Buffer }>(
    'SELECT config::text, secrets FROM agents',
  )
  for (const text of [...answers, row?.config, row?.secrets.toString('latin1')]) {
    expect(text).not.toContain(first)
    expect(text).not.toContain(second)
  }
})

it('reach the process that runs the call', async () => {
  expect(await used(await newAgent(api, { llm_agent }))).toMatchObject(plannedModel)
})

it('stay when an update sends back the mask, and change when it sends another value', async () => {
  const id = await newAgent(api, { llm_agent })
  await patch(id, {
    model: 'x',
    api_key: shown.first,
    fallback: [{ model: 'n', api_key: 'sk-other-key-00000042' }],
  })
  expect(await used(id)).toMatchObject({
    model: 'x',
    apiKey: first,
    fallback: [{ apiKey: 'sk-other-key-00000042' }],
  })
})

it('are deleted when an update empties them', async () => {
  const id = await newAgent(api, { llm_agent })
  await patch(id, { api_key: '', fallback: [] })
  const [row] = await fixture.database.query<{ secrets: Buffer | null }>('SELECT secrets FROM agents')
  expect(row?.secrets).toBeNull()
})

it('are dropped when an update changes only their host, and the response says so', async () => {
  const id = await newAgent(api, {
    llm_agent: { llm_config: { base_url: 'https://a.example/v1', api_key: first } },
  })
  const same = await patch(id, { base_url: 'https://a.example/v2' })
  expect(same.body.data).not.toHaveProperty('warnings')
  const { status, body } = await patch(id, { base_url: 'https://b.example/v1' })
  expect(status).toBe(200)
  expect(body.data.agent_config.llm_agent.llm_config).toEqual({ base_url: 'https://b.example/v1' })
  expect(body.data.warnings).toEqual([
    {
      path: 'agent_config.llm_agent.llm_config.api_key',
      message:
        'Removed: it was given for https://a.example and would be sent to https://b.example. Write it again.',
    },
  ])
  expect(await used(id)).toMatchObject({ baseUrl: 'https://b.example/v1', apiKey: undefined })
})

const apiTools = (authorization: string, url = 'https://tools.example/book') => ({
  tools: [{ name: 'book', description: 'Books.', key: 'custom_task' }],
  tools_params: { book: { url, method: 'POST', headers: { authorization, 'X-Caller': '{caller}' } } },
})
const bearer = 'Bearer tool-0123456789abcdef'
const plannedTools = [{ target: { headers: { authorization: bearer } } }]

it('of tools are masked, kept when the mask is sent back, and dropped when their host changes', async () => {
  const id = await newAgent(api, { api_tools: apiTools(bearer) })
  const shownTools = (await api.ask('GET', `/agents/${id}`)).body.data.agent_config.api_tools
  expect(shownTools).toEqual(apiTools('Bea…cdef'))
  const change = (api_tools: object) =>
    api.ask('PATCH', `/agents/${id}`, { body: { agent_config: { api_tools } } })
  expect((await change(shownTools)).text).not.toContain('tool-0123')
  const { runner } = await fixture.media()
  await placeCall(api, id)
  await expect.poll(() => runner.plans.length).toBe(1)
  expect(runner.plans[0]?.tools).toMatchObject(plannedTools)
  const moved = await change(apiTools('Bea…cdef', 'https://elsewhere.example/'))
  expect(moved.body.data.warnings).toHaveLength(1)
  expect(moved.body.data.agent_config.api_tools.tools_params.book.headers).toEqual({ 'X-Caller': '{caller}' })
})

it('in plain text in the database are encrypted at the next start, and nothing else changes', async () => {
  const id = await newAgent(api, { llm_agent, api_tools: apiTools('Bearer x') })
  const untouched = await newAgent(api, {})
  const rows = () =>
    fixture.database.query<{ agent_id: string; config: string; updated_at: Date }>(
      'SELECT agent_id, config::text AS config, updated_at FROM agents ORDER BY agent_id',
    )
  // Written as an older release writes it.
  await fixture.database.query(
    `UPDATE agents SET config = jsonb_set(config::jsonb, '{api_tools}', $2::jsonb)::json WHERE agent_id = $1`,
    [id, JSON.stringify(apiTools(bearer))],
  )
  const before = await rows()
  expect(before.find(({ agent_id }) => agent_id === id)?.config).toContain('tool-0123')
  const second = await fixture.api()
  const after = await rows()
  expect(JSON.stringify(after)).not.toContain('tool-0123')
  const of = (list: typeof before, agentId: string) => list.find(({ agent_id }) => agent_id === agentId)
  expect(of(after, untouched)).toEqual(of(before, untouched))
  expect(of(after, id)?.updated_at).toEqual(of(before, id)?.updated_at)
  const { agent_config } = (await second.ask('GET', `/agents/${id}`)).body.data
  expect(agent_config.api_tools).toEqual(apiTools('Bea…cdef'))
  expect(agent_config.llm_agent.llm_config.api_key).toBe(shown.first)
  const { runner } = await fixture.media()
  await placeCall(second, id)
  await expect.poll(() => runner.plans.length).toBe(1)
  expect(runner.plans[0]).toMatchObject({ dialogue: { model: plannedModel }, tools: plannedTools })
})
