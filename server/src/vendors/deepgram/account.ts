// Deepgram: one host for everything, the key as a token.
import { companyAccount } from '../over/account.ts'

export const account = companyAccount('deepgram', {
  host: 'api.deepgram.com',
  headersOf: ({ apiKey }) => ({ authorization: `Token ${apiKey}` }),
  refusalHeader: 'dg-error',
  check: { path: '/v1/auth/token' },
})
