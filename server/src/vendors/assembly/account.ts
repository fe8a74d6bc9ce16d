// AssemblyAI: a host for streams and one for everything else, the bare key in `Authorization`.
import { companyAccount } from '../over/account.ts'

export const recordingsHost = 'api.assemblyai.com'

export const account = companyAccount('assembly', {
  host: 'streaming.assemblyai.com',
  headersOf: ({ apiKey = '' }) => ({ authorization: apiKey }),
  check: { host: recordingsHost, path: '/v2/transcript', query: { limit: 1 } },
})
