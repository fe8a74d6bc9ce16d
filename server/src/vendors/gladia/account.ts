// Gladia: one host for everything, the key in a header of its own.
import { companyAccount } from '../over/account.ts'

export const account = companyAccount('gladia', {
  host: 'api.gladia.io',
  headersOf: ({ apiKey = '' }) => ({ 'x-gladia-key': apiKey }),
  check: { path: '/v2/live', query: { limit: 1 } },
})
