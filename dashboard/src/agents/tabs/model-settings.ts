// The settings of an agent's language model.
import type { Setting } from '../setting.ts'

const at = (key: string) => `llm_agent.llm_config.${key}`
const vendors = 'what the vendor does'

export const modelBasics: readonly Setting[] = [
  {
    is: 'number',
    path: at('temperature'),
    label: 'Temperature',
    unit: '0 to 2',
    most: 2,
    fraction: true,
    help: `How varied the answers are; Anthropic’s scale ends at 1. Left empty: ${vendors}.`,
  },
  {
    is: 'number',
    path: at('max_tokens'),
    label: 'Longest answer',
    unit: 'tokens',
    least: 1,
    help: 'Spoken answers are short: 100 tokens are about 30 seconds. Left empty: no limit.',
  },
]

export const modelServer: readonly Setting[] = [
  {
    is: 'secret',
    path: at('api_key'),
    label: 'API key',
    usual: 'the key of this installation or workspace',
    help: 'Kept encrypted, and sent to this provider only.',
  },
  {
    is: 'url',
    path: at('base_url'),
    label: 'Base URL',
    usual: 'the provider’s own address',
    help: 'A server of your own: public https, or a host that the operator trusts.',
  },
]

export const modelDetails: readonly Setting[] = [
  {
    is: 'number',
    path: at('top_p'),
    label: 'Top p',
    unit: '0 to 1',
    most: 1,
    fraction: true,
    help: `The share of probability that words are chosen from. Left empty: ${vendors}.`,
  },
  {
    is: 'number',
    path: at('top_k'),
    label: 'Top k',
    unit: 'tokens',
    least: 1,
    help: `How many tokens are chosen from. Left empty: ${vendors}.`,
  },
  {
    is: 'number',
    path: at('min_p'),
    label: 'Min p',
    unit: '0 to 1',
    most: 1,
    fraction: true,
    help: `The least probability, as a share of the likeliest. Left empty: ${vendors}.`,
  },
  {
    is: 'number',
    path: at('frequency_penalty'),
    label: 'Frequency penalty',
    unit: '-2 to 2',
    least: -2,
    most: 2,
    fraction: true,
    help: `Against words that were used often. Left empty: ${vendors}.`,
  },
  {
    is: 'number',
    path: at('presence_penalty'),
    label: 'Presence penalty',
    unit: '-2 to 2',
    least: -2,
    most: 2,
    fraction: true,
    help: `Against words that were used at all. Left empty: ${vendors}.`,
  },
  {
    is: 'number',
    path: at('seed'),
    label: 'Seed',
    unit: '',
    help: 'The same one gives the same answers, where the vendor can. Left empty: they vary.',
  },
  {
    is: 'text',
    path: at('reasoning_effort'),
    label: 'Reasoning effort',
    usual: 'as little as it can',
    help: 'low, medium or high, as the vendor has them. A caller waits meanwhile.',
  },
  {
    is: 'text',
    path: at('family'),
    label: 'Family',
    help: 'The same as the provider, used if that is missing or not known.',
  },
  {
    is: 'text',
    path: at('api_version'),
    label: 'API version',
    usual: '2024-10-21',
    help: 'Of Azure’s interface only.',
  },
  {
    is: 'list',
    path: at('stop'),
    label: 'Stop texts',
    usual: 'none',
    placeholder: 'One a line',
    help: 'The model stops where it would write one of these.',
  },
  {
    is: 'json',
    path: at('fallback'),
    label: 'Fallback',
    usual: 'none',
    placeholder: '{ "provider": "gemini", "model": "gemini-3.8-flash" }',
    help: 'Who is asked when the model fails: the name of a model in quotes, an object with model, provider, base_url and api_key, or a list of these.',
  },
  {
    is: 'json',
    path: at('response_format'),
    label: 'Response format',
    usual: 'text, which can be spoken',
    help: 'As OpenAI defines it.',
  },
  {
    is: 'flag',
    path: at('request_json'),
    label: 'Request JSON',
    usual: false,
    help: 'Stored, but has no effect in calls: their answers are spoken.',
  },
  {
    is: 'json',
    path: at('vector_store'),
    label: 'Vector store',
    help: 'Stored, but has no effect: the Knowledge tab says what the agent knows.',
  },
  {
    is: 'text',
    path: 'llm_agent.agent_flow_type',
    label: 'Flow type',
    help: 'Stored, but has no effect.',
  },
  {
    is: 'text',
    path: 'llm_agent.agent_type',
    label: 'Agent type in llm_agent',
    help: 'graph_agent has the same effect as the type of the agent; every other value has none.',
  },
]
