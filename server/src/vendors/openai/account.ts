// OpenAI, and servers that speak its interface.
import { bearer, companyAccount } from '../over/account.ts'

export const host = 'api.openai.com'

export const account = companyAccount('openai', {
  host,
  headersOf: bearer,
  // Compatible servers are usually named with their version.
  ending: /\/v1\/?$/,
  check: { path: '/v1/models' },
})
