// Whisper: a server of one's own with OpenAI's interface, at an address of the user's or at OpenAI itself.
import type { VendorAccount } from '../../ports/vendor.ts'
import { bearer, companyAccount } from '../over/account.ts'
import type { VendorRequest } from '../over/wire/vendor-request.ts'

export const account = companyAccount('whisper', {
  host: 'api.openai.com',
  // Servers of one's own often want none.
  headersOf: (credentials) => (credentials.apiKey ? bearer(credentials) : {}),
  check: (given) => ({ method: 'GET', ...requestTo(given, '/models') }),
})

/** The address of a compatible server ends with what comes before `/audio`, as in http://localhost:8000/v1. */
export function requestTo(given: VendorAccount, path: string): VendorRequest {
  return account.request(given, given.baseUrl ? path : `/v1${path}`)
}
