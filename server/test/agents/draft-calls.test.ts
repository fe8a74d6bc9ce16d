// Calls that try a configuration before it is saved, through the dashboard's door.
import { randomUUID } from 'node:crypto'
import { CallDetail, CallSummary, dashboard } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pruneDrafts } from '../../src/resources/calls/draft-calls.ts'
import { detailOf, newAgent, reaches } from '../support/call-fixture.ts'
import { type ScriptedRunner, scriptedRunner } from '../support/scripted-runner.ts'
import { admin, openService, type Reply, type TestService, workspaceId } from '../support/service.ts'
import { join } from '../support/web-socket.ts'

let service: TestService
let runner: ScriptedRunner
let ask: (method: string, path: string, body?: unknown) => Promise<Reply>

beforeAll(async () => {
  const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0' }
  service = await openService(quick, undefined, ({ recordingsFolder }) => {
    runner = scriptedRunner(10, recordingsFolder)
    return runner
  })
  const { headers, body } = await service.bare('POST', '/dashboard/api/session', { body: admin })
  const session = {
    cookie: headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-csrf-token': body.data.csrf_token,
  }
  ask = (method, path, sent) =>
    service.bare(method, `/dashboard/api/workspaces/${workspaceId}${path}`, { headers: session, body: sent })
})
afterAll(() => service?.close())

const planOf = async (sessionId: string) => {
  const plan = () => runner.plans.find((one) => one.sessionId === sessionId)
  await expect.poll(plan).toBeDefined()
  return plan()
}
const key = 'sk-a-key-that-nobody-may-see'
const withKey = (more = {}) => ({ llm_agent: { llm_config: { provider: 'openai', api_key: key, ...more } } })

describe('a trial of changes', () => {
  it('runs with the changes and with the stored secrets, and saves neither', async () => {
    const agentId = await newAgent(service, { agent_prompt: 'Be brief.', agent_name: 'Ada', ...withKey() })
    const before = (await ask('GET', `/agents/${agentId}`)).body.data
    const { status, body } = await ask('POST', `/agents/${agentId}/try`, {
      agent_config: { agent_prompt: 'Greet {name}.', llm_agent: { llm_config: { model: 'tiny' } } },
      variables: { name: 'Grace' },
      character: 'talkative',
    })
    expect(status, JSON.stringify(body)).toBe(201)
    dashboard.tryAgent.data.parse(body.data)
    expect(body.data.join).toBeNull()
    const plan = await planOf(body.data.session_id)
    expect(plan?.dialogue).toMatchObject({ prompt: 'Greet Grace.', model: { model: 'tiny', apiKey: key } })
    const record = CallDetail.parse(await reaches(service, body.data.session_id, 'completed'))
    expect(record).toMatchObject({ draft: true, sandbox: true, agent_id: agentId })
    expect((await ask('GET', `/agents/${agentId}`)).body.data).toEqual(before)
    const listed = (await ask('GET', `/calls?agent_id=${agentId}`)).body.data.data
    expect(listed.map((call: unknown) => CallSummary.parse(call).draft)).toEqual([true])
    const [note] = await service.database.query<{ note: string }>(
      "SELECT data ->> 'note' AS note FROM call_events WHERE session_id = $1 AND type = 'note'",
      [body.data.session_id],
    )
    expect(note?.note).toBe('This call was a test from the editor, with the settings as they stood there.')
  })

  it('says which secrets it goes without', async () => {
    const agentId = await newAgent(service, withKey({ base_url: 'https://one.example.com/v1' }))
    const { body } = await ask('POST', `/agents/${agentId}/try`, {
      agent_config: { llm_agent: { llm_config: { base_url: 'https://other.example.com/v1' } } },
      character: 'silent',
    })
    expect(body.data.warnings).toEqual([
      {
        path: 'agent_config.llm_agent.llm_config.api_key',
        message: expect.stringContaining('Write it again'),
      },
    ])
  })

  it('keeps its key sealed, and for a day at most', async () => {
    const { body } = await ask('POST', '/agents/try', {
      agent_config: { agent_name: 'New', ...withKey() },
      character: 'talkative',
    })
    const sessionId = body.data.session_id
    expect((await planOf(sessionId))?.dialogue.model).toMatchObject({ apiKey: key })
    await reaches(service, sessionId, 'completed')
    const kept = () =>
      service.database.query('SELECT d::text FROM call_drafts d WHERE session_id = $1', [sessionId])
    expect(JSON.stringify(await kept())).not.toContain(key)
    const db = { rows: ({ text }: { text: string }) => service.database.query(text) } as never
    await pruneDrafts(db)
    expect(await kept()).toHaveLength(1)
    await service.database.query("UPDATE call_drafts SET created_at = now() - interval '25 hours'")
    await pruneDrafts(db)
    expect(await kept()).toEqual([])
    expect((await detailOf(service, sessionId)).draft).toBe(true)
  })
})

describe('a trial of an agent that does not exist yet', () => {
  it('is joined by a browser, and is in no list of agents', async () => {
    const agentsBefore = (await ask('GET', '/agents')).body.data.pagination.total
    const { body } = await ask('POST', '/agents/try', {
      agent_config: {
        agent_name: 'New',
        llm_agent: {},
        agent_welcome_message: 'Hello {name}.',
        status: 'inactive',
      },
      variables: { name: 'Ada' },
    })
    const browser = await join(body.data.join.url, body.data.join.token)
    await browser.hears('joined')
    expect((await planOf(body.data.session_id))?.turn.sayings.greeting).toBe('Hello Ada.')
    browser.socket.terminate()
    expect((await ask('GET', '/agents')).body.data.pagination.total).toBe(agentsBefore)
  })

  it('takes the lines of its caller from the request', async () => {
    const { body } = await ask('POST', '/agents/try', {
      agent_config: { agent_name: 'New', llm_agent: {} },
      character: 'talkative',
      lines: ['Hello.', 'Goodbye.'],
    })
    const { metadata } = (await planOf(body.data.session_id)) ?? {}
    expect(metadata).toMatchObject({
      simulation: 'talkative',
      sandbox: { steps: [{ say: 'Hello.' }, { say: 'Goodbye.' }, { hang_up: true }] },
    })
  })
})

describe('is refused', () => {
  const least = { agent_name: 'New', llm_agent: {} }

  it.each([
    [
      'a faulty field, by its path',
      { ...least, task_config: { hangup_after_silence: 'soon' } },
      'VALIDATION_ERROR',
      'agent_config.task_config.hangup_after_silence',
    ],
    [
      'a tool that is not there',
      { ...least, tool_definition_ids: [randomUUID()] },
      'VALIDATION_ERROR',
      'agent_config.tool_definition_ids.0',
    ],
    [
      'a language that nobody speaks here',
      { ...least, language: 'de' },
      'OPTION_NOT_SERVED',
      'agent_config.language',
    ],
  ])('%s', async (_what, agent_config, code, path) => {
    const { status, body } = await ask('POST', '/agents/try', { agent_config })
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, code, path])
  })

  it('an agent of another workspace', async () => {
    const { status, body } = await ask('POST', `/agents/${randomUUID()}/try`, { agent_config: {} })
    expect([status, body.code]).toEqual([404, 'AGENT_NOT_FOUND'])
  })

  it('a program: a key has no such operation', async () => {
    const reply = await service.ask('POST', '/agents/try', { body: { agent_config: least } })
    expect(reply.status).toBe(404)
  })
})
