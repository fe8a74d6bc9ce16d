// Every change to an agent is a version: who made it, what differs, which calls were made with it, and the way back.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newAgent as agentWith, placeCall, reaches } from '../support/call-fixture.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { admin, openService, type TestService, workspaceId } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }, undefined, () => scriptedRunner(5))
})
afterAll(() => service.close())

const newAgent = (more: object = {}) => agentWith(service, { agent_prompt: 'One.', ...more })
const patch = async (id: string, agent_config: object) =>
  (await service.ask('PATCH', `/agents/${id}`, { body: { agent_config } })).body.data
const get = async (path: string) => (await service.ask('GET', path)).body.data
const versionsOf = async (id: string, query = '') => (await get(`/agents/${id}/versions${query}`)).data
const versionOf = (id: string, version: number, query = '') =>
  get(`/agents/${id}/versions/${version}${query}`)
const restore = (id: string, version: number, headers = {}) =>
  service.ask('POST', `/agents/${id}/versions/${version}/restore`, { headers })
const numbersOf = async (id: string) =>
  (await versionsOf(id, '?limit=100')).map(({ version }: { version: number }) => version)

describe('a version', () => {
  it('is made by every change, with its author, its time and what differs', async () => {
    const id = await newAgent()
    const changed = await patch(id, { agent_prompt: 'Two.', task_config: { use_fillers: true } })
    expect(changed.version).toBe(2)
    const [second, first] = await versionsOf(id)
    expect(second).toMatchObject({
      version: 2,
      is_current: true,
      restored_from: null,
      status: 'active',
      author: { type: 'key', name: 'First bound key' },
      changed: ['agent_config.agent_prompt', 'agent_config.task_config.use_fillers'],
    })
    expect(first).toMatchObject({ version: 1, is_current: false, changed: null })
    expect(Date.parse(second.saved_at)).toBeGreaterThanOrEqual(Date.parse(first.saved_at))
    expect(await versionOf(id, 2)).toMatchObject({
      compared_with: 1,
      agent_config: { agent_prompt: 'Two.', status: 'active' },
      diff: [
        { path: 'agent_config.agent_prompt', change: 'changed', before: 'One.', after: 'Two.' },
        { path: 'agent_config.task_config.use_fillers', change: 'changed', before: false, after: true },
      ],
    })
  })

  it('is not made by a change that changes nothing, nor by the service itself', async () => {
    const id = await newAgent()
    expect((await patch(id, { agent_prompt: 'One.' })).version).toBe(1)
    await service.database.query("UPDATE agents SET status = 'seeding' WHERE agent_id = $1", [id])
    expect((await patch(id, {})).status).toBe('active')
    expect(await numbersOf(id)).toEqual([1])
    await patch(id, { status: 'inactive' })
    expect((await versionOf(id, 2)).diff).toMatchObject([
      { path: 'agent_config.status', before: 'active', after: 'inactive' },
    ])
  })

  it('names whoever changed the agent in the dashboard, also when they are gone', async () => {
    const id = await newAgent()
    const signedIn = await service.bare('POST', '/dashboard/api/session', { body: admin })
    const headers = {
      cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '',
      'x-csrf-token': signedIn.body.data.csrf_token,
    }
    const path = `/dashboard/api/workspaces/${workspaceId}/agents/${id}`
    await service.bare('PATCH', path, { headers, body: { agent_config: { agent_prompt: 'Two.' } } })
    const author = { type: 'user', id: signedIn.body.data.user.user_id }
    expect((await versionsOf(id))[0].author).toEqual({ ...author, name: admin.email })
    await service.database.query('UPDATE agents SET author_id = $2 WHERE agent_id = $1', [id, randomUUID()])
    expect((await versionsOf(id))[0].author).toMatchObject({ type: 'user', name: null })
  })

  it('tells nodes apart by their ids, and compares any two', async () => {
    const nodes = [
      { id: 'a', prompt: 'A' },
      { id: 'b', prompt: 'B' },
    ]
    const id = await newAgent({ agent_type: 'graph_agent', llm_agent: { nodes } })
    const put = (written: object[]) => service.ask('PUT', `/agents/${id}/graph`, { body: { nodes: written } })
    await put([{ id: 'new' }, ...nodes])
    await put([{ id: 'a', prompt: 'Z' }])
    expect((await versionOf(id, 2)).diff).toEqual([
      { path: 'agent_config.llm_agent.nodes.new', change: 'added', after: { id: 'new' } },
    ])
    const { diff, compared_with } = await versionOf(id, 3, '?compare_with=1')
    expect(compared_with).toBe(1)
    expect(diff).toEqual([
      { path: 'agent_config.llm_agent.nodes.a.prompt', change: 'changed', before: 'A', after: 'Z' },
      { path: 'agent_config.llm_agent.nodes.b', change: 'removed', before: nodes[1] },
    ])
  })

  it('has its secrets sealed, and a diff shows that one changed by its ends', async () => {
    const [old, next] = ['sk-first-secret-0001', 'sk-other-secret-0001']
    const id = await newAgent({ llm_agent: { llm_config: { model: 'm', api_key: old } } })
    await patch(id, { llm_agent: { llm_config: { api_key: next } } })
    const { diff } = await versionOf(id, 2)
    expect(diff).toMatchObject([
      { path: 'agent_config.llm_agent.llm_config.api_key', before: 'sk-…0001', after: 'sk-…0001' },
    ])
    const rows = await service.database.query('SELECT * FROM agent_versions WHERE agent_id = $1', [id])
    expect(rows).toHaveLength(1)
    for (const secret of [old, next]) expect(JSON.stringify([rows, diff])).not.toContain(secret)
  })

  it('that is not there, or of an agent of another workspace, is not found', async () => {
    const id = await newAgent()
    for (const path of [`/agents/${id}/versions/2`, `/agents/${id}/versions/1?compare_with=9`])
      expect((await service.ask('GET', path)).body.code).toBe('AGENT_VERSION_NOT_FOUND')
    expect((await service.ask('GET', `/agents/${id}/versions/last`)).body.code).toBe('VALIDATION_ERROR')
    expect((await restore(id, 2)).body.code).toBe('AGENT_VERSION_NOT_FOUND')
    await service.database.query('UPDATE agents SET workspace_id = $1 WHERE agent_id = $2', [
      randomUUID(),
      id,
    ])
    for (const path of ['versions', 'versions/1'])
      expect((await service.ask('GET', `/agents/${id}/${path}`)).body.code).toBe('AGENT_NOT_FOUND')
    expect((await restore(id, 1)).body.code).toBe('AGENT_NOT_FOUND')
  })
})

describe('bringing a version back', () => {
  it('makes a new one with its secrets, leaves the status, and can be undone', async () => {
    const api_key = 'sk-first-secret-0001'
    const id = await newAgent({ llm_agent: { llm_config: { model: 'm', api_key } } })
    const original = await get(`/agents/${id}`)
    await patch(id, { agent_prompt: 'Two.', llm_agent: { llm_config: { api_key: '' } }, status: 'inactive' })
    const back = await restore(id, 1)
    expect(back.status, back.text).toBe(200)
    expect(back.body.data).toMatchObject({
      version: 3,
      status: 'inactive',
      agent_config: { ...original.agent_config, status: 'inactive' },
    })
    expect(await get(`/agents/${id}`)).toEqual(back.body.data)
    expect((await versionsOf(id))[0]).toMatchObject({ version: 3, restored_from: 1, is_current: true })
    const [row] = await service.database.query<{ same: boolean }>(
      `SELECT a.secrets = v.secrets AS same FROM agents a JOIN agent_versions v USING (agent_id)
       WHERE agent_id = $1 AND v.version = 1`,
      [id],
    )
    expect(row?.same).toBe(true)
    await restore(id, 2)
    expect((await get(`/agents/${id}`)).agent_config.agent_prompt).toBe('Two.')
  })

  it('happens once for one idempotency key, and of several at once each is a version', async () => {
    const id = await newAgent()
    await patch(id, { agent_prompt: 'Two.' })
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [await restore(id, 1, headers), await restore(id, 1, headers)]
    expect(second.body).toEqual(first.body)
    expect(await numbersOf(id)).toEqual([3, 2, 1])
    const replies = await Promise.all([restore(id, 1), restore(id, 2), patch(id, { agent_prompt: 'Three.' })])
    expect(replies).toHaveLength(3)
    expect(await numbersOf(id)).toEqual([6, 5, 4, 3, 2, 1])
  })

  it('is refused if it refers to what is gone', async () => {
    const tool = { type: 'http', name: 'look_up', description: 'Looks up.', url: 'https://example.com/x' }
    const { tool_id } = (await service.ask('POST', '/tools', { body: tool })).body.data
    const id = await newAgent({ tool_definition_ids: [tool_id] })
    await patch(id, { tool_definition_ids: [] })
    await service.ask('DELETE', `/tools/${tool_id}`)
    const { status, body } = await restore(id, 1)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details[0].path).toBe('agent_config.tool_definition_ids.0')
  })
})

describe('a call', () => {
  const listed = async (query: string) =>
    (await get(`/calls?${query}`)).data.map(({ session_id }: { session_id: string }) => session_id)

  it('names the version it was made with, and is found by it', async () => {
    const id = await newAgent()
    const first = await placeCall(service, id)
    expect(await reaches(service, first, 'completed')).toMatchObject({ agent_version: 1 })
    await patch(id, { agent_prompt: 'Two.' })
    const second = await placeCall(service, id, { script: [{ type: 'until-stopped' }] })
    await expect.poll(async () => (await get(`/call/detail/${second}`)).agent_version).toBe(2)
    await patch(id, { agent_prompt: 'Three.' })
    expect(await listed(`agent_id=${id}&agent_version=1`)).toEqual([first])
    expect(await listed(`agent_id=${id}&agent_version=2`)).toEqual([second])
    expect(await listed(`agent_id=${id}&agent_version=3`)).toEqual([])
    await service.ask('POST', `/calls/${second}/stop`)
    await reaches(service, second, 'completed', 'canceled')
    expect(await listed(`agent_id=${id}&agent_version=2&call_type=outbound`)).toEqual([second])
    expect((await get(`/calls?agent_id=${id}`)).data[0]).toMatchObject({ agent_version: 2 })
  })

  it('is not looked for by a version without its agent', async () => {
    const { body } = await service.ask('GET', '/calls?agent_version=1')
    expect(body.details).toEqual([{ path: 'agent_version', message: expect.stringContaining('agent_id') }])
  })
})

it('keeps the last hundred versions, and those that calls were made with', async () => {
  const id = await newAgent()
  await reaches(service, await placeCall(service, id), 'completed')
  for (let at = 2; at <= 103; at++) await patch(id, { agent_prompt: `Number ${at}.` })
  const kept = await numbersOf(id)
  expect(kept).toHaveLength(100)
  const [oldest] = (await get(`/agents/${id}/versions?page=2&limit=100`)).data
  expect([kept.at(-1), oldest.version]).toEqual([4, 1])
  expect((await versionOf(id, 4)).compared_with).toBe(1)
  await service.ask('DELETE', `/agents/${id}`)
  expect(await service.database.query('SELECT FROM agent_versions WHERE agent_id = $1', [id])).toEqual([])
})
