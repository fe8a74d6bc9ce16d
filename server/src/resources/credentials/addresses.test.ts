// What is told of a vendor that is asked at several addresses.
import { expect, it } from 'vitest'
import type { CheckAnswer, CredentialVendor } from '../../ports/vendor.ts'
import { askAtEach } from './addresses.ts'

const guard = { lookupFor: () => undefined } as never
const vendorThat = (answer: (baseUrl: string | undefined) => CheckAnswer): CredentialVendor => ({
  label: 'Maple',
  uses: ['synthesizer', 'transcriber', 'language_model'],
  agentNames: ['maple'],
  fields: [],
  installed: undefined,
  check: async ({ baseUrl }) => answer(baseUrl),
})

it('the ends of models that any address tells are all told', async () => {
  const ends = new Map([
    ['maple-2', '2031-05-06'],
    ['maple-3', '2031-07-08'],
  ])
  const vendor = vendorThat((baseUrl) => ({
    ok: true,
    status: 200,
    message: 'The key is valid.',
    ...(baseUrl === 'https://models.example' && { ends }),
  }))
  const account = {
    credentials: { apiKey: 'k' },
    baseUrl: undefined,
    baseUrls: { language_model: 'https://models.example' },
  }
  expect(await askAtEach(vendor, account, guard)).toEqual({
    ok: true,
    status: 200,
    message: 'base address: The key is valid. language model: The key is valid.',
    ends,
  })
})
