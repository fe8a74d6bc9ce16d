// Soniox: a host for streams, which get the key in their first message, and one for everything else.
import { bearer, companyAccount } from '../over/account.ts'

export const recordingsHost = 'api.soniox.com'

export const account = companyAccount('soniox', {
  host: 'stt-rt.soniox.com',
  headersOf: bearer,
  check: { host: recordingsHost, path: '/v1/models' },
})
