// Every key of an agent's llm_agent, from its settings to what a language model is asked. The title of a test begins with
// its key, by which docs/agent-fields.md finds it.
import { afterEach, expect, it } from 'vitest'
import { openScriptedRuntime, planWith } from '../../test/props/call/scripted-runtime.ts'
import { openModelServer } from '../../test/props/servers/model-server.ts'
import { openVariables } from '../call/call-variables.ts'
import { assembleMind } from './assemble-mind.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

type Wishes = Readonly<Record<string, unknown>>

/** What an agent with such a mind answers, and what its model is asked. `llmConfig` gets the address of that model. */
async function asked(llmAgent: (address: Wishes) => Wishes, said = 'When are you open?') {
  const server = await openModelServer({ words: ['At', ' nine.'] })
  const { runtime, close } = openScriptedRuntime()
  cleanups.push(close, () => server.close())
  const llm_agent = llmAgent({ base_url: server.baseUrl, model: 'm-1' })
  const plan = planWith({ llm_agent, agent_prompt: 'Be brief.' }, {})
  const { model, choice } = assembleMind(plan, openVariables({}, { reserved: [] }), runtime, () => {})
  const messages = [
    { role: 'system', content: plan.dialogue.prompt },
    { role: 'user', content: said },
  ] as const
  let answer = ''
  for await (const part of model.reply({ messages, tools: [] }, new AbortController().signal))
    if (part.type === 'text') answer += part.text
  const [request] = server.asked
  return { answer, used: choice.used, why: choice.why, request, body: request?.body, server }
}

const configured = (wishes: Wishes) => asked((address) => ({ llm_config: { ...address, ...wishes } }))

it('llm_agent.agent_type: a graph of nodes is walked', async () => {
  const graph = { nodes: [{ id: 'ask', prompt: 'Ask what they need.', edges: [] }] }
  const systemOf = async (agent_type: string) => {
    const { body } = await asked((address) => ({ agent_type, ...graph, llm_config: address }))
    return JSON.stringify(body?.messages)
  }
  expect(await systemOf('graph_agent')).toContain('Ask what they need.')
  expect(await systemOf('simple_llm_agent')).not.toContain('Ask what they need.')
})

const routes = { routes: [{ route_name: 'hours', utterances: ['When?'], response: 'At ten.' }] }

it('llm_agent.routes: what is asked like an example gets its fixed answer', async () => {
  const { answer, request } = await asked((address) => ({ routes, llm_config: address }), 'When?')
  expect([answer, request]).toEqual(['At ten.', undefined])
})

it('llm_agent.llm_config.routes: the same, beside the model', async () => {
  const { answer } = await asked((address) => ({ llm_config: { ...address, routes } }), 'When?')
  expect(answer).toBe('At ten.')
})

it('llm_agent.llm_config.base_url: whose model answers', async () => {
  expect((await asked((address) => ({ llm_config: address }))).answer).toBe('At nine.')
  expect((await asked(() => ({ llm_config: { model: 'm-1' } }))).request).toBeUndefined()
})

it('llm_agent.llm_config.model: which one', async () => {
  expect((await configured({ model: 'm-2' })).body).toMatchObject({ model: 'm-2' })
})

// Only OpenAI has this name for it.
const limitOf = async (wishes: Wishes) => {
  const { body } = await configured({ ...wishes, max_tokens: 50 })
  return [body?.max_tokens, body?.max_completion_tokens]
}

it('llm_agent.llm_config.provider: in whose protocol it is asked', async () => {
  expect(await limitOf({ provider: 'openai' })).toEqual([undefined, 50])
  expect(await limitOf({ provider: 'vllm' })).toEqual([50, undefined])
})

it('llm_agent.llm_config.family: the same, where no provider is named', async () => {
  expect(await limitOf({ family: 'openai' })).toEqual([undefined, 50])
  expect(await limitOf({ family: 'openai', provider: 'vllm' })).toEqual([50, undefined])
})

it('llm_agent.llm_config.api_version: of an Azure resource', async () => {
  const { request } = await configured({ provider: 'azure', api_version: '2025-01-01' })
  expect(request?.path).toContain('api-version=2025-01-01')
})

it.each([
  ['llm_agent.llm_config.max_tokens', 50],
  ['llm_agent.llm_config.temperature', 0.3],
  ['llm_agent.llm_config.response_format', { type: 'json_object' }],
  ['llm_agent.llm_config.stop', ['END']],
  ['llm_agent.llm_config.top_k', 3],
  ['llm_agent.llm_config.top_p', 0.5],
  ['llm_agent.llm_config.min_p', 0.1],
  ['llm_agent.llm_config.frequency_penalty', 0.5],
  ['llm_agent.llm_config.presence_penalty', 0.25],
  ['llm_agent.llm_config.seed', 7],
  ['llm_agent.llm_config.reasoning_effort', 'low'],
])('%s: %o is in the request', async (path, value) => {
  const key = path.split('.').at(-1) ?? ''
  expect((await configured({ [key]: value })).body).toMatchObject({ [key]: value })
})
