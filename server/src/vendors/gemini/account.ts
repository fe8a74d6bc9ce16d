// Gemini: one host for its voices and its models.
import { companyAccount } from '../over/account.ts'

export const host = 'generativelanguage.googleapis.com'

export const account = companyAccount('gemini', {
  host,
  headersOf: ({ apiKey = '' }) => ({ 'x-goog-api-key': apiKey }),
  // An address that its models use as well may be named with their version.
  ending: /\/v\d\w*\/?$/,
  check: { path: '/v1beta/models', query: { pageSize: 1 } },
})
