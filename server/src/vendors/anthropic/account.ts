// Anthropic: one host, a key and the version of the interface with every request.
import { companyAccount } from '../over/account.ts'

export const host = 'api.anthropic.com'

// The next version, 2026-10-21, takes neither temperature nor top_p nor top_k, which agents may set.
const version = '2023-06-01'

export const account = companyAccount('anthropic', {
  host,
  headersOf: ({ apiKey = '' }) => ({ 'x-api-key': apiKey, 'anthropic-version': version }),
  check: { path: '/v1/models' },
})
