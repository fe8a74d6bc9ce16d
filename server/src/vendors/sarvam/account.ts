// Sarvam: one host for everything, the key in a header of its own.
import { companyAccount } from '../over/account.ts'

export const host = 'api.sarvam.ai'

export const account = companyAccount('sarvam', {
  host,
  headersOf: ({ apiKey = '' }) => ({ 'api-subscription-key': apiKey }),
  check: {
    method: 'POST',
    path: '/text-lid',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'a' }),
  },
})
