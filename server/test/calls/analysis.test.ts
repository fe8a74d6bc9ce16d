// The analysis of a finished call: in the detail and in the event stream, retried when it fails.
import { callEvents } from '@parley/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Answer, type ModelServer, openModelServer } from '../props/servers/model-server.ts'
import {
  type CallFixture,
  detailOf,
  eventsOf,
  newAgent,
  openCallFixture,
  placeCall,
  reaches,
} from '../support/call-fixture.ts'
import type { Step } from '../support/scripted-runner.ts'
import { boundKey, type TestService } from '../support/service.ts'

let fixture: CallFixture
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  fixture = await openCallFixture()
})
afterEach(async () => {
  await fixture.close()
  for (const clean of cleanups.splice(0)) await clean()
})

const call_analysis_config = {
  summary: true,
  sentiment: true,
  data_extraction: true,
  data_extraction_fields: [{ field_name: 'customer_name', data_type: 'string' }],
}

const line = (role: 'agent' | 'user', content: string) =>
  ({ turn: 1, role, content, startSeconds: 1, endSeconds: 2, interrupted: false }) as const
const talk: Step = {
  type: 'outcome',
  outcome: {
    transcript: [
      line('agent', 'May I have your name, please?'),
      line('user', 'My name is Ada Lovelace'),
      line('agent', 'What can I do for you?'),
      line('user', 'I would like to book a table, your food is excellent.'),
    ],
  },
}

const serve = async (...answers: Answer[]): Promise<ModelServer> => {
  const server = await openModelServer(...answers)
  cleanups.push(() => server.close())
  return server
}

const byModel = ({ baseUrl }: ModelServer) => ({ PARLEY_LLM_BASE_URL: baseUrl, PARLEY_LLM_MODEL: 'm' })
// No weights are found here, so the built-in analysis matches words instead of meanings.
const offline = { PARLEY_MODELS_DIR: '/nowhere' }

async function analysed(service: TestService, id: string) {
  const part = async () =>
    (await detailOf(service, id)).engines.find(({ part }: { part: string }) => part === 'analysis')
  await expect.poll(part).toBeDefined()
  return detailOf(service, id)
}

it('without a model it is the built-in one, marked as such, and ends the stream', async () => {
  const api = await fixture.api(offline)
  await fixture.media()
  const id = await placeCall(api, await newAgent(api, { call_analysis_config }), { script: [talk] })
  const live = await fetch(`${api.url}/agent/v1/calls/${id}/events`, { headers: { 'x-api-key': boundKey } })
  const told = (await live.text()).split('\n\n').filter((block) => block.includes('event: '))
  const { at: _, ...data } = JSON.parse(told.at(-1)?.match(/data: (.*)$/)?.[1] ?? '{}')
  expect(told.at(-2)).toMatch(/event: ended\n.*"analysis_follows" ?: ?true/)
  expect(told.at(-1)).toContain('event: analysis')
  expect(callEvents.analysis.parse(data)).toMatchObject({
    sentiment: { label: 'positive' },
    disposition: null,
    data_extraction: { customer_name: 'Ada Lovelace' },
  })
  const call = await analysed(api, id)
  expect(call.analytics).toEqual(data)
  expect(call.analytics.summary).toContain('book a table')
  expect(call.engines.at(-1)).toMatchObject({
    part: 'analysis',
    used: 'built-in analysis, not a language model',
    why: expect.stringContaining('no language model is configured'),
  })
})

it('uses the key that the workspace has stored for the vendor of the agent’s model', async () => {
  const server = await serve({ words: [JSON.stringify({ summary: 'A table is wanted.' })] })
  const api = await fixture.api({ ...offline, PARLEY_TRUSTED_HOSTS: new URL(server.baseUrl).hostname })
  await fixture.media()
  await api.ask('PUT', '/credentials/groq', {
    body: { credentials: { api_key: 'gsk-of-the-workspace' }, base_url: server.baseUrl },
  })
  const agentId = await newAgent(api, {
    call_analysis_config: { ...call_analysis_config, sentiment: false, data_extraction: false },
    llm_agent: { llm_config: { provider: 'groq', model: 'llama' } },
  })
  const { analytics } = await analysed(api, await placeCall(api, agentId, { script: [talk] }))
  expect(analytics.summary).toBe('A table is wanted.')
  expect(server.asked.at(-1)?.headers.authorization).toBe('Bearer gsk-of-the-workspace')
})

it('with a model it is the model’s; one that is later than the event is in the detail only', async () => {
  const found = {
    summary: 'A table is wanted.',
    sentiment: { label: 'positive', score: 0.9, reason: 'Praise.' },
    data_extraction: { customer_name: 'Ada' },
  }
  const qa = { greeted: { answer: true, reason: 'Hello.' }, clear: { answer: 3, reason: 'Half.' } }
  const server = await serve('no answer')
  const api = await fixture.api(byModel(server))
  await fixture.media()
  const rubric = [
    { name: 'greeted', question: 'Did it greet?' },
    { name: 'clear', question: 'How clear was it?', answer: 'scale_1_5' },
  ]
  const agentId = await newAgent(api, { call_analysis_config, api_tools: { quality: { rubric } } })
  const id = await placeCall(api, agentId, { script: [talk] })
  await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  const [event] = await eventsOf(fixture.database, id)
  expect(event.analytics).toEqual({
    summary: null,
    sentiment: null,
    disposition: null,
    data_extraction: null,
  })
  // The process whose request is still open is closed; the next one gets an answer.
  await expect.poll(() => server.asked.length).toBe(1)
  server.answers.splice(0, 1, { words: [JSON.stringify({ ...found, qa })] })
  await api.close()
  const again = await fixture.api(byModel(server))
  const { analytics, engines } = await analysed(again, id)
  expect(analytics).toMatchObject({ ...found, disposition: null, reasons: null })
  expect(analytics.qa).toMatchObject({ score: 75, passed: true, answers: [{ value: true }, { value: 3 }] })
  expect(server.asked.at(-1)?.body.response_format?.type).toBe('json_schema')

  const listed = async (query: string) => (await again.ask('GET', `/calls?${query}`)).body.data.data
  expect(await listed('min_score=75&max_score=80')).toMatchObject([{ session_id: id, qa_score: 75 }])
  expect(await listed('min_score=75&sentiment=positive')).toMatchObject([{ session_id: id }])
  expect(await listed('min_score=76')).toEqual([])
  expect(await listed('max_score=70&sentiment=positive')).toEqual([])
  const { body: report } = await again.ask('GET', `/calls/quality?agent_id=${agentId}`)
  const day = new Date().toISOString().slice(0, 10)
  expect(report.data).toEqual({
    calls: 1,
    average_score: 75,
    passed: 1,
    days: [{ day: expect.any(String), agent_id: agentId, calls: 1, average_score: 75, passed: 1 }],
  })
  expect(report.data.days[0].day <= day).toBe(true)
  expect(engines.at(-1)).toMatchObject({ part: 'analysis', used: expect.stringMatching(/^m at 127/) })
  expect(await eventsOf(fixture.database, id)).toHaveLength(1)
})

it('a model that is briefly unavailable is asked again later', async () => {
  const server = await serve({ status: 503 })
  const api = await fixture.api({ ...byModel(server), ...offline })
  await fixture.media()
  const id = await placeCall(api, await newAgent(api, { call_analysis_config }), { script: [talk] })
  const waiting =
    'SELECT tries FROM calls_to_analyse WHERE session_id = $1 AND claimed_by IS NULL AND due_at > now()'
  await expect.poll(() => fixture.database.query(waiting, [id])).toEqual([{ tries: 1 }])
  const found = { summary: 'Later.', sentiment: null, data_extraction: null }
  server.answers.splice(0, 1, { words: [JSON.stringify(found)] })
  await fixture.database.query('UPDATE calls_to_analyse SET due_at = now()')
  expect((await analysed(api, id)).analytics.summary).toBe('Later.')
})

it('a model that fails is replaced by the built-in analysis, with the reason', async () => {
  const api = await fixture.api({ ...byModel(await serve({ status: 401 })), ...offline })
  await fixture.media()
  const id = await placeCall(api, await newAgent(api, { call_analysis_config }), { script: [talk] })
  const { analytics, engines } = await analysed(api, id)
  expect(analytics.data_extraction).toEqual({ customer_name: 'Ada Lovelace' })
  expect(engines.at(-1)).toMatchObject({
    used: 'built-in analysis, not a language model',
    why: expect.stringContaining('does not accept the API key (401)'),
  })
})

it('the analyses of dead processes are resumed, and given up after three attempts', async () => {
  const api = await fixture.api({ PARLEY_ROLES: 'api' })
  await fixture.media()
  const agentId = await newAgent(api, { call_analysis_config })
  const [lost, hopeless] = [
    await placeCall(api, agentId, { script: [talk] }),
    await placeCall(api, agentId, { script: [talk] }),
  ]
  for (const id of [lost, hopeless]) await reaches(api, id, 'completed')
  const set = 'UPDATE calls_to_analyse SET claimed_by = 1, tries = $2 WHERE session_id = $1'
  await fixture.database.query(set, [lost, 1])
  await fixture.database.query(set, [hopeless, 3])
  const worker = await fixture.api(offline)
  expect((await analysed(worker, lost)).analytics.summary).toContain('book a table')
  expect((await analysed(worker, hopeless)).engines.at(-1)).toMatchObject({ used: 'none' })
  expect(await fixture.database.query('SELECT FROM calls_to_analyse')).toEqual([])
})

it.each([
  ['whose agent has none configured', {}, [talk]],
  ['without speech', { call_analysis_config }, []],
])('a call %s is not analysed', async (_, agent, script) => {
  const api = await fixture.api(offline)
  await fixture.media()
  const id = await placeCall(api, await newAgent(api, agent), { script })
  await reaches(api, id, 'completed')
  expect(await fixture.database.query('SELECT FROM calls_to_analyse')).toEqual([])
})
