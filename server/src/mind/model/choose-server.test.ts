// Where a model is asked and with whose key, as a table: no key goes to a host that it is not for.
import { llmProviderNamed } from '@parley/contract/companies'
import { Agent } from 'undici'
import { afterAll, describe, expect, it } from 'vitest'
import { openGuard } from '../../platform/guard/guard.ts'
import { readModel } from '../../resources/calls/plan/read-model.ts'
import { chooseServer, type OperatorModels, operatorModels, vendorAt } from './choose-server.ts'

const guard = openGuard({ allowPrivate: false, trustedHosts: ['gpu:8000'] })
const trusted = new Agent()
afterAll(() => Promise.all([guard.close(), trusted.destroy()]))

const keys = { openai: 'key-of-openai', anthropic: 'key-of-anthropic' }
const nobody: OperatorModels = { server: undefined, keys }
const ollama: OperatorModels = {
  server: { provider: 'ollama', baseUrl: 'http://localhost:11434/v1', models: ['llama3.2'], apiKey: 'o' },
  keys,
}
const proxy: OperatorModels = {
  server: { provider: 'custom', baseUrl: 'https://proxy.example.com/v1', models: ['big'], apiKey: 'p' },
  keys: {},
}

function chosen(llm_config: object, operator: OperatorModels) {
  const { server, models, why, isSubstitute } = chooseServer(readModel({ llm_config }), {
    operator,
    guard,
    trusted,
  })
  const place = server && `${server.provider} ${server.baseUrl} ${server.apiKey ?? '-'}`
  return { place, models, why: why.join('; '), isSubstitute }
}

describe('an agent', () => {
  it.each<[string, object, OperatorModels, string | undefined, string[], string]>([
    [
      'with a provider and a key',
      { provider: 'groq', model: 'm', api_key: 'mine' },
      ollama,
      'groq https://api.groq.com/openai/v1 mine',
      ['m'],
      '',
    ],
    [
      'with a provider that the environment has a key for',
      { provider: 'anthropic', model: 'm' },
      ollama,
      'anthropic https://api.anthropic.com key-of-anthropic',
      ['m'],
      '',
    ],
    [
      'with a family instead of a provider',
      { family: 'claude', model: 'm' },
      nobody,
      'anthropic https://api.anthropic.com key-of-anthropic',
      ['m'],
      '',
    ],
    [
      'with the provider of the operator',
      { provider: 'ollama', model: 'm' },
      ollama,
      'ollama http://localhost:11434/v1 o',
      ['m', 'llama3.2'],
      '',
    ],
    [
      'with a provider that nobody has a key for',
      { provider: 'groq', model: 'm' },
      ollama,
      'ollama http://localhost:11434/v1 o',
      ['llama3.2'],
      'there is no key for Groq: set llm_config.api_key, or PARLEY_GROQ_API_KEY',
    ],
    [
      'with such a provider, where the operator has a proxy for many models',
      { provider: 'groq', model: 'm' },
      proxy,
      'custom https://proxy.example.com/v1 p',
      ['m', 'big'],
      'there is no key for Groq: set llm_config.api_key, or PARLEY_GROQ_API_KEY',
    ],
    [
      'with a provider without an address',
      { provider: 'azure', model: 'm', api_key: 'mine' },
      nobody,
      undefined,
      [],
      'llm_config.base_url is required with provider azure, which has no address of its own',
    ],
    [
      'with Azure and its address',
      { provider: 'azure', model: 'd', api_key: 'mine', base_url: 'https://x.openai.azure.com' },
      nobody,
      'azure https://x.openai.azure.com mine',
      ['d'],
      '',
    ],
    [
      'with an address of its own',
      { provider: 'openai', model: 'm', base_url: 'https://elsewhere.example.com/v1' },
      nobody,
      'openai https://elsewhere.example.com/v1 -',
      ['m'],
      '',
    ],
    [
      'with the vendor’s address written out',
      { model: 'm', base_url: 'https://api.openai.com/v1' },
      nobody,
      'openai https://api.openai.com/v1 key-of-openai',
      ['m'],
      '',
    ],
    [
      'with an address that looks like the vendor’s',
      { provider: 'openai', model: 'm', base_url: 'https://api.openai.com.example.com/v1' },
      nobody,
      'openai https://api.openai.com.example.com/v1 -',
      ['m'],
      '',
    ],
    [
      'with a refused address: its key is not sent to the operator’s server',
      { model: 'm', api_key: 'mine', base_url: 'https://10.0.0.1/v1' },
      ollama,
      'ollama http://localhost:11434/v1 o',
      ['llama3.2'],
      'llm_config.base_url is refused: Points at 10.0.0.1, which is not a public address',
    ],
    [
      'with a local provider that the operator does not trust',
      { provider: 'ollama', model: 'm' },
      nobody,
      undefined,
      [],
      'llm_config.base_url is refused: Must use https',
    ],
    [
      'with a trusted server of the company',
      { provider: 'vllm', model: 'm', base_url: 'http://gpu:8000/v1' },
      nobody,
      'vllm http://gpu:8000/v1 -',
      ['m'],
      '',
    ],
    [
      'with an unknown provider and its address',
      { provider: 'acme', model: 'm', base_url: 'https://llm.acme.example.com/v1' },
      nobody,
      'custom https://llm.acme.example.com/v1 -',
      ['m'],
      'llm_config.provider "acme" is not known here; its base_url is asked in OpenAI’s protocol',
    ],
    [
      'with an unknown provider',
      { provider: 'acme', model: 'm' },
      proxy,
      'custom https://proxy.example.com/v1 p',
      ['m', 'big'],
      'llm_config.provider "acme" is not known here; it was left aside',
    ],
    ['with nothing', {}, ollama, 'ollama http://localhost:11434/v1 o', ['llama3.2'], ''],
    ['with nothing, where there is nothing', {}, nobody, undefined, [], ''],
  ])('%s', (_what, llm_config, operator, place, models, why) => {
    expect(chosen(llm_config, operator)).toMatchObject({ place, models, why })
  })
})

describe('the operator', () => {
  const none = {
    llmProvider: undefined,
    llmBaseUrl: undefined,
    llmModels: ['m'],
    llmApiKey: undefined,
    llmApiVersion: undefined,
    llmKeys: {},
  }
  it.each<[string, object, object | undefined]>([
    ['who names nothing has no model', {}, undefined],
    [
      'who names a provider has its address',
      { llmProvider: 'anthropic', llmApiKey: 'k' },
      { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', apiKey: 'k' },
    ],
    [
      'may give the key under the name of the vendor',
      { llmProvider: 'anthropic', llmKeys: keys },
      { provider: 'anthropic', apiKey: 'key-of-anthropic' },
    ],
    [
      'who gives an address gets the provider by its host',
      { llmBaseUrl: 'https://api.mistral.ai/v1' },
      { provider: 'mistral' },
    ],
    [
      'whose address is nobody’s is asked in OpenAI’s protocol',
      { llmBaseUrl: 'http://gpu:9000/v1' },
      { provider: 'custom', apiKey: undefined },
    ],
    [
      'whose server is a proxy does not send it the vendor’s key',
      { llmProvider: 'openai', llmBaseUrl: 'http://gpu:9000/v1', llmKeys: keys },
      { provider: 'openai', baseUrl: 'http://gpu:9000/v1', apiKey: undefined },
    ],
  ])('%s', (_what, settings, server) => {
    const read = operatorModels({ ...none, ...settings }).server
    if (server) expect(read).toMatchObject(server)
    else expect(read).toBeUndefined()
  })
})

it.each([
  ['OpenAI', 'openai'],
  ['azure-openai', 'azure'],
  ['Google', 'gemini'],
  ['llama.cpp', 'llamacpp'],
  ['llama_cpp', 'llamacpp'],
  ['together_ai', 'together'],
  ['Claude', 'anthropic'],
  ['constructor', undefined],
  ['', undefined],
])('the name %j means %s', (name, meant) => {
  expect(llmProviderNamed(name)).toBe(meant)
})

it.each([
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://x.openai.azure.com', 'azure'],
  ['https://generativelanguage.googleapis.com/v1beta', 'gemini'],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', 'custom'],
  ['https://api.openai.com.evil.example/v1', undefined],
  ['https://evil.example/api.openai.com', undefined],
])('the address %s is that of %s', (baseUrl, meant) => {
  expect(vendorAt(baseUrl)).toBe(meant)
})
