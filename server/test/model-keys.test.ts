// The keys of language models in an agent: taken, kept sealed, used, and never given back.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CallFixture, newAgent, openCallFixture, placeCall } from './support/call-fixture.ts'
import type { TestService } from './support/service.ts'

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
const shown = { first: 'sk-…cdef', second: 'sk-…3210' }

const patch = (id: string, llm_config: object) =>
  api.ask('PATCH', `/agents/${id}`, { body: { agent_config: { llm_agent: { llm_config } } } })

/** What a call of this agent would be run with. */
async function used(id: string) {
  const { runner } = await fixture.media()
  await placeCall(api, id)
  await expect.poll(() => runner.orders.length).toBe(1)
  return runner.orders[0]?.agent.llm_agent
}

it('are shown by their ends only, in every answer, and stand nowhere in the database', async () => {
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

it('reach whoever runs the call', async () => {
  expect(await used(await newAgent(api, { llm_agent }))).toEqual(llm_agent)
})

it('stay when an update sends back what was shown, and change when it sends another', async () => {
  const id = await newAgent(api, { llm_agent })
  await patch(id, {
    model: 'x',
    api_key: shown.first,
    fallback: [{ model: 'n', api_key: 'sk-other-key-00000042' }],
  })
  expect(await used(id)).toMatchObject({
    llm_config: { model: 'x', api_key: first, fallback: [{ api_key: 'sk-other-key-00000042' }] },
  })
})

it('are forgotten when an update empties them', async () => {
  const id = await newAgent(api, { llm_agent })
  await patch(id, { api_key: '', fallback: [] })
  const [row] = await fixture.database.query<{ secrets: Buffer | null }>('SELECT secrets FROM agents')
  expect(row?.secrets).toBeNull()
})
