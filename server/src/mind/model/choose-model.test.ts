// Which model is asked, with which key, and what is noted about it.
import type { Dispatcher } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type ModelServer, openModelServer } from '../../../test/props/servers/model-server.ts'
import { type GuardOptions, openGuard } from '../../platform/guard/guard.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { readModel } from '../../resources/calls/plan/read-model.ts'
import { chooseModel, openTrustedConnections } from './choose-model.ts'
import type { OperatorModels } from './choose-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function serve(...answers: Answer[]): Promise<ModelServer> {
  const server = await openModelServer(...answers)
  cleanups.push(() => server.close())
  return server
}

const nobody: OperatorModels = { server: undefined, keys: {} }

function choose(
  llm_config: object,
  operator: OperatorModels = nobody,
  guardOptions: Partial<GuardOptions> = {},
) {
  const guard = openGuard({ allowPrivate: false, trustedHosts: [], ...guardOptions })
  const trusted: Dispatcher = openTrustedConnections()
  cleanups.push(
    () => guard.close(),
    () => trusted.destroy(),
  )
  const plan = readModel({ llm_config })
  // Only a model that never answers times out, even on a crowded machine.
  return chooseModel({ plan, operator, guard, trusted, timeouts: { firstTokenMs: 3_000, silenceMs: 3_000 } })
}

async function said(model: LanguageModel): Promise<string> {
  let words = ''
  const request = { messages: [{ role: 'user', content: 'Hello' }], tools: [] } as const
  for await (const part of model.reply(request, new AbortController().signal)) {
    if (part.type === 'text') words += part.text
  }
  return words
}

const policy = 'built-in dialogue policy, not a language model'
const operatorOf = ({ baseUrl }: ModelServer, ...models: string[]): OperatorModels => ({
  server: { provider: 'custom', baseUrl, models, apiKey: 'operator-key' },
  keys: {},
})
const trusting = ({ baseUrl }: ModelServer) => ({ trustedHosts: [new URL(baseUrl).host] })

describe('the operator’s server', () => {
  it('answers with its own model when the agent names none', async () => {
    const server = await serve({ words: ['Yes.'] })
    const { model, choice } = choose({}, operatorOf(server, 'llama3'))
    const host = new URL(server.baseUrl).host
    expect(choice).toEqual({ part: 'language-model', asked: null, used: `llama3 at ${host}`, why: null })
    expect(await said(model)).toBe('Yes.')
    expect(server.asked[0]).toMatchObject({ authorization: 'Bearer operator-key', body: { model: 'llama3' } })
  })

  it('is asked for the agent’s model first, then for its own', async () => {
    const server = await serve({ status: 404 }, { words: ['Yes.'] })
    const { model, choice } = choose({ model: 'gpt-x', temperature: 0.1 }, operatorOf(server, 'llama3'))
    expect(choice).toMatchObject({ asked: 'gpt-x', used: expect.stringMatching(/^gpt-x at /) })
    expect(await said(model)).toBe('Yes.')
    expect(server.asked.map(({ body }) => [body.model, body.temperature])).toEqual([
      ['gpt-x', 0.1],
      ['llama3', 0.1],
    ])
  })

  it('may be named by an agent too, and keeps its key', async () => {
    const server = await serve({ words: ['Yes.'] })
    await said(choose({ base_url: `${server.baseUrl}/` }, operatorOf(server, 'llama3')).model)
    expect(server.asked[0]?.authorization).toBe('Bearer operator-key')
  })
})

describe('the agent’s own server', () => {
  it('never sees the operator’s key', async () => {
    const [own, operators] = [await serve({ words: ['Yes.'] }), await serve({ words: ['No.'] })]
    const { model } = choose(
      { base_url: own.baseUrl, model: 'm' },
      operatorOf(operators, 'llama3'),
      trusting(own),
    )
    expect(await said(model)).toBe('Yes.')
    expect(own.asked[0]?.authorization).toBeUndefined()
    expect(operators.asked).toEqual([])
  })

  it('gets the agent’s key', async () => {
    const own = await serve({ words: ['Yes.'] })
    const config = { base_url: own.baseUrl, model: 'm', api_key: 'agent-key' }
    await said(choose(config, undefined, trusting(own)).model)
    expect(own.asked[0]?.authorization).toBe('Bearer agent-key')
  })

  it('at a private address is refused: the operator’s is used, and it is noted', async () => {
    const server = await serve({ words: ['Yes.'] })
    const { model, choice } = choose(
      { base_url: 'https://10.0.0.1/v1', model: 'm' },
      operatorOf(server, 'llama3'),
    )
    expect(choice.why).toBe(
      'llm_config.base_url is refused: Points at 10.0.0.1, which is not a public address',
    )
    expect(await said(model)).toBe('Yes.')
  })
})

describe('the fallback of an agent', () => {
  it('is another model of the same server, when it is a name', async () => {
    const own = await serve({ status: 404 }, { words: ['Yes.'] })
    const config = { base_url: own.baseUrl, model: 'm', api_key: 'k', fallback: 'n' }
    expect(await said(choose(config, undefined, trusting(own)).model)).toBe('Yes.')
    expect(own.asked.map(({ body, authorization }) => [body.model, authorization])).toEqual([
      ['m', 'Bearer k'],
      ['n', 'Bearer k'],
    ])
  })

  it.each<[string, Answer]>([
    ['never answers', 'no answer'],
    ['sends garbage', { raw: 'data: {"choices"\n\n' }],
    ['is overloaded', { status: 429, headers: { 'retry-after': '60' } }],
    ['is broken', { status: 500 }],
  ])('is at a server of its own when the first %s, and goes first from then on', async (_, answer) => {
    const [own, other] = [await serve(answer), await serve({ words: ['Yes.'] })]
    const fallback = [{ model: 'n', base_url: other.baseUrl, api_key: 'other-key' }]
    const hosts = [own, other].map(({ baseUrl }) => new URL(baseUrl).host)
    const { model } = choose({ base_url: own.baseUrl, model: 'm', api_key: 'k', fallback }, undefined, {
      trustedHosts: hosts,
    })
    expect(await said(model)).toBe('Yes.')
    const askedBefore = own.asked.length
    expect(await said(model)).toBe('Yes.')
    expect(own.asked).toHaveLength(askedBefore)
    expect(other.asked[0]).toMatchObject({ authorization: 'Bearer other-key', body: { model: 'n' } })
  })

  it('at a private address is left out, and it is noted', async () => {
    const own = await serve({ words: ['Yes.'] })
    const config = {
      base_url: own.baseUrl,
      model: 'm',
      fallback: { model: 'n', base_url: 'https://10.0.0.1/v1' },
    }
    const { choice } = choose(config, undefined, trusting(own))
    expect(choice.why).toBe(
      'llm_config.fallback.base_url is refused: Points at 10.0.0.1, which is not a public address',
    )
  })
})

describe('the built-in dialogue policy', () => {
  it.each<[string, object, string]>([
    [
      'nothing is configured',
      {},
      'no language model is configured: set PARLEY_LLM_PROVIDER and PARLEY_LLM_MODEL',
    ],
    [
      'a vendor is named without an address',
      { model: 'gpt-x', provider: 'openai' },
      'no language model is configured',
    ],
    [
      'the address is refused',
      { base_url: 'http://llm.example.com/v1', model: 'm' },
      'llm_config.base_url is refused: Must use https',
    ],
    ['no model is named', { base_url: 'https://llm.example.com/v1' }, 'no model is named'],
    [
      'the settings are invalid',
      { base_url: 7, temperature: 'hot' },
      'llm_config.base_url must be a web address and was left aside; llm_config.temperature must be',
    ],
  ])('answers when %s, and notes why', async (_when, config, why) => {
    const { model, choice } = choose(config)
    expect(choice).toMatchObject({ part: 'language-model', used: policy, why: expect.stringContaining(why) })
    expect(await said(model)).toMatch(/\w/)
  })
})
