// Sarvam: one host for everything, the key in a header of its own.
import { companyAccount } from '../over/account.ts'

export const account = companyAccount('sarvam', {
  host: 'api.sarvam.ai',
  headersOf: ({ apiKey = '' }) => ({ 'api-subscription-key': apiKey }),
  check: {
    method: 'POST',
    path: '/text-lid',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'a' }),
  },
})
