// Claim: with a million calls, the first view of the list takes at most 100 ms, a search by number 50 ms and one by words
// 200 ms, at the 95th percentile, over HTTP; in a browser its rows are painted within a second. The yardstick is what
// PostgreSQL takes for the newest twenty rows alone, and for the browser a page without rows.
//
//   node bench/calls-list.ts [--rows 1000000]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { statement } from '../server/src/platform/db/db.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'
import { adminPassword, canOpenBrowser, paintedMs, signIn } from './dashboard-fixture.ts'
import { median, percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { apiKey } from './service-process.ts'

const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const many = Number(options.rows)
const atOnce = 50_000
const rounds = 60
const paintings = 30
const mostPaintedMs = 1_000

// Words of a language are as frequent as their rank is low: the first is in nearly every text, the last in few.
const vocabulary = 20_000
const texts = 5_000

const fillTexts = `
  CREATE TEMPORARY TABLE texts AS
  SELECT t, (SELECT string_agg('word' || floor(${vocabulary} * power(random(), 6)), ' ') FROM generate_series(1, 60 + 0 * t)) AS said
  FROM generate_series(0, ${texts - 1}) AS t`

const fillSome = `
  INSERT INTO calls (session_id, workspace_id, agent_id, call_status, call_type, to_phone_number, from_phone_number,
    provider, duration, call_initiated_time, call_completed_time, call_terminated_by, hangup_reason, transcript,
    analytics, latency, finished, created_at, updated_at)
  SELECT gen_random_uuid(), $1, $2, CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 9 = 0 THEN 'no-answer' ELSE 'completed' END,
    CASE WHEN n % 4 = 0 THEN 'inbound' ELSE 'outbound' END,
    '+' || (10000000000 + (n * 7919::bigint) % 89999999999), '+4930901820', 'sip',
    CASE WHEN n % 50 = 0 OR n % 9 = 0 THEN 0 ELSE n % 600 END, at, at + interval '1 minute', 'user', 'user_hangup',
    json_build_array(json_build_object('role', 'user', 'content', said || ' case' || n % 100000)),
    json_build_object('sentiment', json_build_object('label', CASE WHEN n % 10 = 0 THEN 'negative' ELSE 'neutral' END)),
    json_build_array(json_build_object('turn', 1, 'total', 300 + n % 900)), true, at, at
  FROM generate_series($3::int, $4::int) AS n JOIN texts ON t = (n * 7919::bigint) % ${texts},
    LATERAL (SELECT now() - n * interval '3 seconds' AS at) AS moment`

const indexAll = `
  INSERT INTO call_index (session_id, workspace_id, created_at, agent_id, phone_number_id, call_type, call_status,
    hangup_reason, duration, answers_ms, terms)
  SELECT session_id, workspace_id, created_at, agent_id, phone_number_id, call_type, call_status, hangup_reason, duration,
    call_answers(latency), call_facts(calls) || coalesce(call_words(transcript), ''::tsvector)
  FROM calls`

/**
 * Fills the table with calls as they are after their end, indexed by the same functions; without triggers and with the
 * indexes made last.
 */
async function fillCalls({ home }: BatchFixture, agentId: string): Promise<void> {
  const client = new pg.Client({ host: `${home.dataDir}/run`, user: 'parley', database: 'postgres' })
  await client.connect()
  const run = (sql: string, values: unknown[] = []) => client.query(sql, values)
  const { rows } = await run('SELECT workspace_id FROM agents LIMIT 1')
  await run(
    "SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET synchronous_commit = off",
  )
  await run('DROP INDEX call_index_terms')
  await run(fillTexts)
  for (let n = 0; n < many; n += atOnce)
    await run(fillSome, [rows[0].workspace_id, agentId, n, Math.min(many, n + atOnce) - 1])
  await run(indexAll)
  await run('CREATE INDEX call_index_terms ON call_index USING gin (terms)')
  for (const table of ['calls', 'call_index']) await run(`VACUUM (ANALYZE) ${table}`)
  await client.end()
}

/** The milliseconds of each request until the whole answer is read. */
async function timed(
  fixture: BatchFixture,
  query: (round: number) => Record<string, string>,
): Promise<number[]> {
  const took: number[] = []
  for (let round = -5; round < rounds; round++) {
    const asked = new URLSearchParams({ count_up_to: '500', ...query(round) })
    const startedAt = performance.now()
    const response = await fetch(`${fixture.home.url}/agent/v1/calls?${asked}`, {
      headers: { 'x-api-key': apiKey },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    // The first ones warm up plans and pages.
    if (round >= 0) took.push(performance.now() - startedAt)
  }
  return took
}

const newestTwenty = statement(`
  SELECT * FROM calls WHERE workspace_id = (SELECT workspace_id FROM agents LIMIT 1) ORDER BY created_at DESC LIMIT 20`)

async function yardstickMs({ db }: BatchFixture): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await db.rows(newestTwenty)
    took.push(performance.now() - startedAt)
  }
  return median(took)
}

const inMs = (value: number): string => `${value.toFixed(1)} ms`

async function measure(): Promise<Row[]> {
  const fixture = await openBatchFixture({ PARLEY_ROLES: 'api', PARLEY_ADMIN_PASSWORD: adminPassword })
  try {
    await fillCalls(fixture, await fixture.newAgent())
    const some = (of: number) => Math.floor(Math.random() * of)
    const numberOf = (n: number) => String(10_000_000_000n + ((BigInt(n) * 7919n) % 89_999_999_999n))
    const cases: [claim: string, mostMs: number, query: (round: number) => Record<string, string>][] = [
      ['first view', 100, () => ({})],
      ['page 20 of failed calls', 200, () => ({ call_status: 'failed', page: '20' })],
      [
        'inbound, negative, 5 to 6 minutes',
        200,
        () => ({ call_type: 'inbound', sentiment: 'negative', min_duration: '300', max_duration: '360' }),
      ],
      ['search by a whole number', 50, () => ({ search: `+${numberOf(some(many))}` })],
      ['search by the last seven digits', 50, () => ({ search: numberOf(some(many)).slice(-7) })],
      [
        'search by words, from frequent to rare',
        200,
        (round) => ({ search: `word${Math.floor(vocabulary * (Math.abs(round) / rounds) ** 6)}` }),
      ],
      ['search by two words', 200, () => ({ search: `word${some(200)} case${some(100_000)}` })],
    ]
    const rows: Row[] = []
    for (const [claim, mostMs, query] of cases) {
      const yardstick = await yardstickMs(fixture)
      const took = await timed(fixture, query)
      const p95 = percentile(took, 0.95)
      rows.push({
        claim: `list of ${many.toLocaleString('en')} calls: ${claim}, p95`,
        measured: `${inMs(p95)} (median ${inMs(median(took))})`,
        yardstick: `${inMs(yardstick)} for the newest 20 rows alone`,
        ratio: (p95 / yardstick).toFixed(1),
        target: `≤ ${mostMs} ms`,
        verdict: verdict(p95 <= mostMs),
      })
    }
    return canOpenBrowser() ? [...rows, await paintedRow(fixture)] : rows
  } finally {
    await fixture.close()
  }
}

/**
 * The time from the navigation to the rows on the screen; code comes from the browser's cache, as on every visit but
 * the first.
 */
async function paintedRow({ home: { url } }: BatchFixture): Promise<Row> {
  const { context, close } = await signIn(url)
  try {
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = -1; round < paintings; round++) {
      const page = await context.newPage()
      const took = await paintedMs(page, `${url}/dashboard/calls`, 'main tbody tr')
      const empty = await context.newPage()
      const without = await paintedMs(empty, `${url}/dashboard/account`, 'main h1')
      await Promise.all([page.close(), empty.close()])
      if (round < 0) continue
      ours.push(took)
      bare.push(without)
    }
    const p95 = percentile(ours, 0.95)
    return {
      claim: `list of ${many.toLocaleString('en')} calls: rows painted in a browser, p95`,
      measured: `${inMs(p95)} (median ${inMs(median(ours))})`,
      yardstick: `${inMs(percentile(bare, 0.95))} for a page without rows`,
      ratio: (p95 / percentile(bare, 0.95)).toFixed(1),
      target: `≤ ${mostPaintedMs} ms`,
      verdict: verdict(p95 <= mostPaintedMs),
    }
  } finally {
    await close()
  }
}

await printIfMain(import.meta.url, measure)
