// OpenAI, and servers that speak its interface.

import type { ToldEnds } from '@parley/contract/model-ends'
import { z } from 'zod'
import { bearer, companyAccount } from '../over/account.ts'

export const host = 'api.openai.com'

const Models = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.iso.date().nullish().catch(null) })),
})

export const account = companyAccount('openai', {
  host,
  headersOf: bearer,
  // Compatible servers are usually named with their version.
  ending: /\/v1\/?$/,
  check: { path: '/v1/models', endsIn: shutdownDates },
})

/** GET /v1/models: {"data":[{"id":"…","shutdown_date":"2027-01-14"}, {"id":"…","shutdown_date":null}, …]} */
function shutdownDates(answer: unknown): ToldEnds {
  const { data } = Models.safeParse(answer)
  return new Map(
    (data?.data ?? []).flatMap(({ id, shutdown_date: endsOn }) => (endsOn ? [[id, endsOn] as const] : [])),
  )
}
