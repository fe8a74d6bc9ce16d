// ElevenLabs: one host for everything, the key in a header of its own.
import { companyAccount } from '../over/account.ts'

export const account = companyAccount('elevenlabs', {
  host: 'api.elevenlabs.io',
  headersOf: ({ apiKey = '' }) => ({ 'xi-api-key': apiKey }),
  check: { path: '/v1/models' },
})
