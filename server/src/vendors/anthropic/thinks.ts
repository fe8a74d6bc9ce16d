// Anthropic's messages API.
import { type ModelProtocol, withoutNamed } from '../over/thinks/protocol.ts'
import { answerReader } from './read-answer.ts'
import { requestBody } from './request-body.ts'

// The next version, 2026-10-21, takes neither temperature nor top_p nor top_k, which agents may set.
const version = '2023-06-01'

export const anthropicProtocol: ModelProtocol = {
  url({ baseUrl }) {
    const url = new URL(baseUrl)
    url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1(\/messages)?$/, '')}/v1/messages`
    return url
  },
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': version }),
  body: requestBody,
  openReader: answerReader,
  without(options, refusal) {
    // Without a limit every request is refused.
    const names = Object.keys(options).filter((name) => name !== 'max_tokens')
    return withoutNamed(options, refusal, names)
  },
}
