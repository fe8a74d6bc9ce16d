// Claim: the usage of a million calls is read in a small part of the time of a sum over their records, and is that sum; to
// count a call adds little to its end.
import pg from 'pg'
import type { UsageReport } from '../contract/src/index.ts'
import { openBatchFixture } from './batch-fixture.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { type Send, sender } from './service-client.ts'
import { workspaceId } from './service-process.ts'

const many = 1_000_000
const days = 90
const agents = 20
const mostOfSum = 0.1
const mostOfEnd = 1.6
const rounds = 15
// What ends in ten seconds of many calls.
const unfolded = 1_000
// Calls that end in one statement, as on a busy minute.
const ends = 500

const reports = [
  ['30 days, by day in Kolkata', 30, 'group_by=day&timezone=Asia/Kolkata&limit=100'],
  ['90 days, by agent', 90, 'group_by=agent&limit=100'],
  ['90 days, by vendor', 90, 'group_by=vendor&limit=100'],
] as const

async function measure(): Promise<Row[]> {
  const fixture = await openBatchFixture({ PARLEY_ROLES: 'api' })
  const client = new pg.Client({ host: `${fixture.home.dataDir}/run`, user: 'parley', database: 'postgres' })
  await client.connect()
  try {
    await fill(client)
    const send = sender(fixture.home.url)
    await mustBeExact(client, send)
    const rows: Row[] = []
    for (const [what, span, query] of reports) {
      const path = `/usage?${query}&from=${ago(span)}`
      const samples = await alternate(
        rounds,
        () => milliseconds(() => send('GET', path)),
        () => milliseconds(() => sumOfRecords(client, span)),
      )
      rows.push(readRow(what, samples))
    }
    return [...rows, await endRow(client)]
  } finally {
    await client.end()
    await fixture.close()
  }
}

const ago = (span: number): string => new Date(Date.now() - span * 86_400_000).toISOString().slice(0, 10)

async function milliseconds(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

/** Fills in records with nothing but what is summed, and what their ends would have left. */
async function fill(client: pg.Client): Promise<void> {
  const say = (text: string) => client.query(text)
  await say(`CREATE TABLE records AS
    SELECT '${workspaceId}'::uuid AS workspace_id,
      now() - interval '1 hour' - random() * interval '${days} days' AS ended_at,
      md5('a' || (n % ${agents}))::uuid AS agent_id, NULL::uuid AS batch_id,
      round((random() * 180)::numeric, 3)::float8 AS duration,
      json_build_object('stt_seconds', n % 100, 'llm_input_tokens', 900, 'llm_output_tokens', 90, 'tts_characters', 800) AS usage
    FROM generate_series(1, ${many}) AS n`)
  await say(`INSERT INTO usage_entries (workspace_id, at, agent_id, batch_id, calls, connected, completed, busy, no_answer,
      failed, canceled, duration_ms, stt_ms, tts_characters, input_tokens, output_tokens, cost, unpriced, parts)
    SELECT workspace_id, date_bin('15 minutes', ended_at, '2000-01-01Z'), agent_id, batch_id, 1, 1, 1, 0, 0, 0, 0,
      round(duration * 1000)::bigint, (usage ->> 'stt_seconds')::bigint * 1000, 800, 900, 90, 0.01, 0,
      '[{"part":"language-model","name":"openai/m","duration_ms":0,"stt_ms":0,"tts_characters":0,"input_tokens":900,"output_tokens":90,"cost":0.01}]'
    FROM records`)
  await say('ANALYZE records, usage_entries')
  // Does at once what the sweep does in many steps; the newest calls are not folded yet.
  const newest = `(SELECT max(entry_id) - ${unfolded} FROM usage_entries)`
  await say(`INSERT INTO usage_rollups
    SELECT workspace_id, dimension, at, agent, key, sum(calls), sum(connected), sum(completed), sum(busy), sum(no_answer),
      sum(failed), sum(canceled), sum(duration_ms), sum(stt_ms), sum(tts_characters), sum(input_tokens),
      sum(output_tokens), sum(cost), sum(unpriced)
    FROM usage_of_entries WHERE entry_id <= ${newest} GROUP BY workspace_id, dimension, at, agent, key`)
  await say(`DELETE FROM usage_entries WHERE entry_id <= ${newest}`)
  await say('VACUUM ANALYZE usage_rollups')
  await say('VACUUM usage_entries')
}

const sumOfRecords = (client: pg.Client, span: number) =>
  client.query(
    `SELECT (ended_at AT TIME ZONE 'Asia/Kolkata')::date AS day, count(*), sum(duration),
       sum((usage ->> 'stt_seconds')::float8), sum((usage ->> 'llm_input_tokens')::bigint),
       sum((usage ->> 'llm_output_tokens')::bigint), sum((usage ->> 'tts_characters')::bigint)
     FROM records WHERE workspace_id = $1 AND ended_at >= $2 GROUP BY 1`,
    [workspaceId, ago(span)],
  )

async function mustBeExact(client: pg.Client, send: Send): Promise<void> {
  const { totals } = await send<UsageReport>('GET', `/usage?from=${ago(days + 1)}`)
  const { rows } = await client.query(
    'SELECT count(*)::int AS calls, sum(round(duration * 1000)::bigint)::text AS ms FROM records',
  )
  if (totals.calls !== rows[0].calls || Math.round(totals.duration_seconds * 1000) !== Number(rows[0].ms))
    throw new Error(`the usage is not the sum: ${JSON.stringify(totals)} and ${JSON.stringify(rows[0])}`)
}

/** Measures the same end of the same calls, with the trigger that counts and without it. */
async function endRow(client: pg.Client): Promise<Row> {
  await client.query(`INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, call_status, usage, engines)
    SELECT gen_random_uuid(), '${workspaceId}', '${workspaceId}', 'outbound', '+15550100', 'in-progress',
      '{"stt_seconds":40,"llm_input_tokens":900,"llm_output_tokens":90,"tts_characters":800}',
      '[{"part":"transcriber","used":"deepgram"},{"part":"synthesizer","used":"elevenlabs"},{"part":"language-model","used":"m"}]'
    FROM generate_series(1, ${ends})`)
  const end = (counting: 'ENABLE' | 'DISABLE') => async () => {
    await client.query('BEGIN')
    await client.query(`ALTER TABLE calls ${counting} TRIGGER calls_count`)
    const took = await milliseconds(() =>
      client.query(
        `UPDATE calls SET finished = true, call_status = 'completed', duration = 60, call_completed_time = now() WHERE NOT finished`,
      ),
    )
    await client.query('ROLLBACK')
    return took
  }
  const samples = await alternate(rounds, end('ENABLE'), end('DISABLE'))
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const each = (of: (sample: Sample) => number) =>
    spread(samples.map(of), (value) => `${Math.round((value / ends) * 1000)} µs`)
  return {
    claim: 'the end of a call in the database, counted',
    measured: each(({ ours }) => ours),
    yardstick: `the same without the count: ${each(({ yardstick }) => yardstick)}`,
    ratio: spread(ratios, (value) => value.toFixed(2)),
    target: `≤ ${mostOfEnd}`,
    verdict: verdict(median(ratios) <= mostOfEnd),
  }
}

function readRow(what: string, samples: readonly Sample[]): Row {
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const times = (of: (sample: Sample) => number) =>
    spread(samples.map(of), (value) => `${value.toFixed(1)} ms`)
  return {
    claim: `GET /usage over ${many.toLocaleString('en')} calls: ${what}`,
    measured: times(({ ours }) => ours),
    yardstick: `a sum over bare records, in SQL: ${times(({ yardstick }) => yardstick)}`,
    ratio: spread(ratios, (value) => value.toFixed(3)),
    target: `≤ ${mostOfSum}`,
    verdict: verdict(median(ratios) <= mostOfSum),
  }
}

await printIfMain(import.meta.url, measure)
