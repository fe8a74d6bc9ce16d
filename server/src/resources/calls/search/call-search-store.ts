// Finding calls by everything they can be filtered and searched by, quickly among a million.
//
// Ended calls are found in call_index by one tsquery over facts and words, those that wait or run in the table of
// calls. A rare term leads to its calls by the GIN index, and these are then put in order. Ordering the calls of a
// frequent term would take long; but then enough of the newest calls match, and these are walked through instead.
import type { PageQuery } from '@parley/contract'
import { type Queries, type Statement, statement } from '../../../platform/db/db.ts'
import { type CallFilter, factsOf, isOfEnded, isSpecific, readSearch } from './call-filter.ts'

// A probe of so many of the newest calls says within a few milliseconds how frequent a term is.
const probedRows = 2_000
// From here on it is quicker to walk until enough are found than to put all of them in order.
const denseShare = 0.03
// The limit of a walk, in case calls further back match less often than the newest.
const walkedRows = 50_000

export interface FoundCalls {
  /** The calls of the page, newest first. */
  readonly sessionIds: string[]
  readonly total: number
}

interface FoundCall {
  session_id: string
  created_at: Date
}

/** Parameters of a statement, numbered as they are used. */
class Values {
  readonly all: unknown[] = []
  add(value: unknown): string {
    return `$${this.all.push(value)}`
  }
}

const newest = 'ORDER BY created_at DESC, session_id DESC'

/** The condition on `terms`, and what a tsquery cannot say. */
function endedCalls(workspaceId: string, filter: CallFilter, values: Values) {
  const { search, from, to, minSeconds, maxSeconds, minScore, maxScore } = filter
  const terms = search === undefined ? undefined : readSearch(search)
  const more = [
    ...(from ? [`created_at >= ${values.add(from)}::timestamptz`] : []),
    ...(to ? [`created_at < ${values.add(to)}::timestamptz`] : []),
    ...(minSeconds === undefined ? [] : [`duration >= ${values.add(minSeconds)}::float8`]),
    ...(maxSeconds === undefined ? [] : [`duration <= ${values.add(maxSeconds)}::float8`]),
    ...(minScore === undefined && maxScore === undefined
      ? []
      : [
          `session_id IN (SELECT s.session_id FROM calls s WHERE s.workspace_id = ${values.add(workspaceId)}::uuid
            AND s.qa_score BETWEEN ${values.add(minScore ?? 0)}::float8 AND ${values.add(maxScore ?? 100)}::float8)`,
        ]),
    ...(terms?.sessionId ? [`session_id = ${values.add(terms.sessionId)}::uuid`] : []),
  ]
  const facts = `${values.add(factsOf(workspaceId, filter))}::tsquery`
  // The last word may be incomplete.
  const words = terms?.words
    ? `(nullif(plainto_tsquery('simple', ${values.add(terms.words)})::text, '') || ':*')::tsquery`
    : undefined
  const alternatives = [
    ...(terms?.facts ? [`${values.add(terms.facts)}::tsquery`] : []),
    ...(words ? [terms?.facts ? `coalesce(${words}, ''::tsquery)` : words] : []),
  ]
  const query = alternatives.length > 0 ? `${facts} && (${alternatives.join(' || ')})` : facts
  return { query, more }
}

const all = (conditions: readonly string[]): string => conditions.map((one) => ` AND ${one}`).join('')

/** Calls that wait or run. Of these, words are not searched: they are still being said. */
function openCalls(workspaceId: string, filter: CallFilter, values: Values): string | undefined {
  if (isOfEnded(filter)) return undefined
  const terms = filter.search === undefined ? undefined : readSearch(filter.search)
  if (terms && !terms.sessionId && terms.numbers.length === 0) return undefined
  const equal = {
    agent_id: filter.agentId,
    agent_version: filter.agentVersion,
    batch_id: filter.batchId,
    call_status: filter.status,
    call_type: filter.type,
    phone_number_id: filter.phoneNumberId,
    session_id: terms?.sessionId,
  }
  const conditions = [
    `workspace_id = ${values.add(workspaceId)}`,
    'NOT finished',
    ...Object.entries(equal).flatMap(([column, value]) =>
      value ? [`${column} = ${values.add(value)}`] : [],
    ),
    ...(filter.withNumber === undefined
      ? []
      : [`phone_number_id IS ${filter.withNumber ? 'NOT NULL' : 'NULL'}`]),
    ...(filter.from ? [`created_at >= ${values.add(filter.from)}`] : []),
    ...(filter.to ? [`created_at < ${values.add(filter.to)}`] : []),
  ]
  const patterns = terms?.numbers ?? []
  if (patterns.length > 0) {
    const given = values.add(patterns)
    conditions.push(`(to_phone_number LIKE ANY (${given}) OR from_phone_number LIKE ANY (${given}))`)
  }
  return `SELECT session_id, created_at FROM calls WHERE ${conditions.join(' AND ')}`
}

/** By the index of terms, in no order. A condition outside, so that no other index is taken for it. */
function matching(workspaceId: string, filter: CallFilter, values: Values): string {
  const { query, more } = endedCalls(workspaceId, filter, values)
  return `
    SELECT session_id, created_at FROM (
      SELECT session_id, created_at, duration FROM call_index WHERE terms @@ (${query}) OFFSET 0
    ) AS matching WHERE true${all(more)}`
}

/** Those of the newest `rows` calls that match, at most `most`. */
function walking(
  workspaceId: string,
  filter: CallFilter,
  values: Values,
  { rows, most }: { rows: number; most: number },
): string {
  const { query, more } = endedCalls(workspaceId, filter, values)
  const times = more.filter((condition) => condition.startsWith('created_at'))
  const fits = `terms @@ (${query})${all(more)}`
  return `
    SELECT session_id, created_at FROM (
      SELECT session_id, created_at, duration, terms FROM call_index
      WHERE workspace_id = ${values.add(workspaceId)}${all(times)} ${newest} LIMIT ${values.add(rows)}
    ) AS walked WHERE ${fits} LIMIT ${values.add(most)}`
}

async function run<Row>(db: Queries, make: (values: Values) => string): Promise<Row[]> {
  const values = new Values()
  const made: Statement = statement(make(values))
  return db.rows<Row>(made, values.all)
}

const byTime = (one: FoundCall, other: FoundCall): number =>
  other.created_at.getTime() - one.created_at.getTime() || (one.session_id < other.session_id ? 1 : -1)

export async function searchCalls(
  db: Queries,
  workspaceId: string,
  filter: CallFilter,
  { page, limit }: PageQuery,
  countUpTo: number | undefined,
): Promise<FoundCalls> {
  const through = page * limit
  const open = await run<FoundCall>(db, (values) => {
    const some = openCalls(workspaceId, filter, values)
    return some
      ? `${some} ${newest} LIMIT ${values.add(Math.max(through, countUpTo ?? 0))}`
      : 'SELECT WHERE false'
  })
  const ended = await searchEnded(db, workspaceId, filter, through, countUpTo)
  const sessionIds = [...open, ...ended.newest]
    .sort(byTime)
    .slice(through - limit, through)
    .map(({ session_id }) => session_id)
  if (countUpTo !== undefined) return { sessionIds, total: Math.min(countUpTo, open.length + ended.atLeast) }
  const counts = await Promise.all([
    countOpen(db, workspaceId, filter),
    countMatching(db, workspaceId, filter),
  ])
  return { sessionIds, total: counts[0] + counts[1] }
}

interface NewestCalls {
  /** As many of the newest as asked for. */
  readonly newest: FoundCall[]
  /** How many there are, as far as it was counted. */
  readonly atLeast: number
}

async function searchEnded(
  db: Queries,
  workspaceId: string,
  filter: CallFilter,
  through: number,
  countUpTo = through,
): Promise<NewestCalls> {
  const most = Math.max(through, countUpTo)
  const walk = (rows: number) =>
    run<FoundCall>(db, (values) => walking(workspaceId, filter, values, { rows, most }))
  const probed = isSpecific(filter) ? [] : await walk(probedRows)
  if (probed.length >= most) return { newest: probed, atLeast: most }
  const share = probed.length / probedRows
  if (share >= denseShare) {
    const walked = await walk(walkedRows)
    if (walked.length >= most) return { newest: walked, atLeast: most }
  }
  const few = await run<FoundCall>(
    db,
    (values) => `${matching(workspaceId, filter, values)} LIMIT ${values.add(most + 1)}`,
  )
  if (few.length <= most) return { newest: few, atLeast: few.length }
  // Half as many again as are likely to be needed.
  const rows = Math.ceil((1.5 * through) / Math.max(share, 1 / probedRows))
  const walked = rows <= walkedRows ? await walk(rows) : []
  if (walked.length >= through) return { newest: walked, atLeast: few.length }
  const sorted = await run<FoundCall>(
    db,
    (values) => `${matching(workspaceId, filter, values)} ${newest} LIMIT ${values.add(through)}`,
  )
  return { newest: sorted, atLeast: few.length }
}

const countOf = async (db: Queries, make: (values: Values) => string): Promise<number> =>
  (
    await run<{ total: number }>(
      db,
      (values) => `SELECT count(*)::int AS total FROM (${make(values)}) AS counted`,
    )
  )[0]?.total ?? 0

const countMatching = (db: Queries, workspaceId: string, filter: CallFilter) =>
  countOf(db, (values) => matching(workspaceId, filter, values))

const countOpen = (db: Queries, workspaceId: string, filter: CallFilter) =>
  countOf(db, (values) => openCalls(workspaceId, filter, values) ?? 'SELECT WHERE false')
