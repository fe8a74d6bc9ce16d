// Smallest (Waves): one host for everything.
import { bearer, companyAccount } from '../over/account.ts'

export const account = companyAccount('smallest', {
  host: 'api.smallest.ai',
  headersOf: bearer,
  check: { path: '/waves/v1/lightning-v3.1/get_voices' },
})
