// Google Cloud: a service account signs a token for the service that is asked; voices and recognition have hosts of their own.
import type { VendorAccount } from '../../ports/vendor.ts'
import { companyAccount } from '../over/account.ts'
import { hostPart } from '../over/wire/vendor-address.ts'
import { googleJwt } from './google-jwt.ts'

const audience = 'https://texttospeech.googleapis.com/'

export const signedBy = ({ serviceAccount = '' }: VendorAccount['credentials'], url: string) => ({
  authorization: `Bearer ${googleJwt(serviceAccount, url)}`,
})

/** Of its voices. */
export const account = companyAccount('google', {
  host: ({ region }) => `${region ? `${hostPart(region)}-` : ''}texttospeech.googleapis.com`,
  headersOf: (credentials) => signedBy(credentials, audience),
  check: { path: '/v1/voices', query: { languageCode: 'en-US' } },
})
