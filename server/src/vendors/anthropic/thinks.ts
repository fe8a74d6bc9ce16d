// Anthropic's models, over its messages API.
import {
  as,
  hostsAt,
  type ModelProtocol,
  type ModelVendor,
  schemaOf,
  withoutNamed,
} from '../over/thinks/protocol.ts'
import { account, host } from './account.ts'
import { AnthropicReader } from './read-answer.ts'
import { anthropicBody } from './request-body.ts'

const baseUrl = `https://${host}`
// An answer that is spoken has a few hundred tokens; an analysis has more.
const mostTokens = 4_096
const efforts = ['low', 'medium', 'high', 'xhigh', 'max']

const protocol: ModelProtocol = {
  url(server) {
    const url = new URL(server.baseUrl)
    url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v1(\/messages)?$/, '')}/v1/messages`
    return url
  },
  headers: (apiKey) => account.headersOf({ credentials: { apiKey } }),
  body: anthropicBody,
  openReader: () => new AnthropicReader(),
  without(options, refusal) {
    // Without a limit every request is refused.
    const names = Object.keys(options).filter((name) => name !== 'max_tokens')
    return withoutNamed(options, refusal, names)
  },
}

export const thinks: ModelVendor = {
  label: account.label,
  baseUrl,
  hosts: hostsAt(baseUrl),
  needsKey: true,
  promptCache: 'marked',
  options: {
    // Anthropic's scale ends where that of other vendors has its middle.
    temperature: (value) => ({ temperature: Math.min(value, 1) }),
    maxTokens: as('max_tokens'),
    topP: as('top_p'),
    topK: as('top_k'),
    stop: as('stop_sequences'),
    reasoningEffort: (effort) => ({
      output_config: { effort: efforts.includes(effort) ? effort : 'low' },
    }),
    responseFormat(format) {
      const schema = schemaOf(format)
      return schema && { output_config: { format: { type: 'json_schema', schema } } }
    },
  },
  // A caller waits for the first word.
  defaults: () => ({ max_tokens: mostTokens, thinking: { type: 'disabled' } }),
  protocol,
  check: account.shared.check,
}
