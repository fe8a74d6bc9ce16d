// Azure Speech: a host for each service in the region of the resource.
import type { VendorAccount } from '../../ports/vendor.ts'
import { companyAccount } from '../over/account.ts'
import { hostPart } from '../over/wire/vendor-address.ts'

const hostOf =
  (domain: string) =>
  ({ region }: VendorAccount['credentials']) =>
    `${hostPart(region)}.${domain}`

export const hearsHost = hostOf('stt.speech.microsoft.com')
export const speaksHost = hostOf('tts.speech.microsoft.com')
/** Where keys are checked and recordings transcribed. */
export const recordingsHost = hostOf('api.cognitive.microsoft.com')

export const account = companyAccount('azure', {
  host: recordingsHost,
  headersOf: ({ apiKey = '' }) => ({ 'ocp-apim-subscription-key': apiKey }),
  check: { method: 'POST', path: '/sts/v1.0/issueToken', headers: { 'content-length': '0' } },
})
