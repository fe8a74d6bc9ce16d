// Pixa: a host for each service, and no request that would check a key.
import { bearer, companyAccount } from '../over/account.ts'

export const hearsHost = 'transcript.heypixa.ai'

export const account = companyAccount('pixa', { host: 'hindi.heypixa.ai', headersOf: bearer })
