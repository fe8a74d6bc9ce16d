// Cartesia: a key and the version of the interface with every request.
import { companyAccount } from '../over/account.ts'

// The version of the interface that this folder is written against.
const version = '2026-03-01'

export const account = companyAccount('cartesia', {
  host: 'api.cartesia.ai',
  headersOf: ({ apiKey = '' }) => ({ 'x-api-key': apiKey, 'cartesia-version': version }),
  check: { path: '/voices', query: { limit: 1 } },
})
