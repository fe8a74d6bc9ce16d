// How the calls of a workspace went in a period: what may be asked.
import type { CallOverview, getCallOverview, InputOf } from '@parley/contract'
import { fail } from '../../../http/failure.ts'
import type { Queries } from '../../../platform/db/db.ts'
import { overviewOf } from './overview-store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// Longer periods would make one request read millions of rows.
const mostDays = 92
// Beyond two days, hours are too many to look at.
const mostHours = 48

const faulty = (path: string, message: string): never =>
  fail('VALIDATION_ERROR', { details: [{ path, message }] })

export function readOverview(
  db: Queries,
  workspaceId: string,
  query: InputOf<typeof getCallOverview>['query'],
): Promise<CallOverview> {
  const to = query.to === undefined ? new Date() : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - dayMs) : new Date(query.from)
  if (from >= to) faulty('from', 'Must be before `to`.')
  const spanMs = to.getTime() - from.getTime()
  if (spanMs > mostDays * dayMs) faulty('from', `Must be at most ${mostDays} days before \`to\`.`)
  const bucket = spanMs <= mostHours * hourMs ? 'hour' : 'day'
  const whose = { agentId: query.agent_id ?? null, phoneNumberId: query.phone_number_id ?? null }
  return overviewOf(db, workspaceId, whose, { from, to, bucket, timezone: query.timezone ?? 'UTC' })
}
