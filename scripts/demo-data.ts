// The data of the README's pictures: agents of a dental practice, a week of their calls, and one that really takes
// place.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { apiKey, type Home, workspaceId } from '../bench/service-process.ts'
import { agentTemplates } from '../contract/src/agent-templates.ts'

export interface Demo {
  readonly reception: string
  readonly menu: string
  /** A spoken call, with its recording and its analysis. */
  readonly call: string
}

const prices = {
  currency: 'EUR',
  rows: [
    { part: 'transcriber', name: '*', per_minute: 0.0058 },
    { part: 'synthesizer', name: '*', per_million_characters: 30 },
    { part: 'language-model', name: '*', per_million_input_tokens: 0.15, per_million_output_tokens: 0.6 },
    { part: 'line', name: '*', per_minute: 0.012 },
  ],
}

const nodes = [
  {
    id: 'welcome',
    prompt: 'Ask whether they want an appointment, have a question about a bill, or are in pain.',
    edges: [
      { to_node_id: 'appointment', condition: 'They want to make or change an appointment.' },
      { to_node_id: 'bill', condition: 'They ask about a bill.' },
      { to_node_id: 'emergency', condition: 'They are in pain.' },
    ],
  },
  {
    id: 'appointment',
    prompt: 'Ask for their name and the day that suits them, and offer times.',
    edges: [{ to_node_id: 'goodbye', condition: 'A time is agreed.' }],
  },
  {
    id: 'bill',
    prompt: 'Ask for the number of the bill and look it up.',
    edges: [
      { to_node_id: 'goodbye', condition: 'The question is answered.' },
      { to_node_id: 'welcome', condition: 'They want something else.' },
    ],
  },
  { id: 'emergency', static_message: 'Please come at once. We are at 12 Hill Street.', edges: [] },
  { id: 'goodbye', prompt: 'Confirm what was agreed, and say goodbye.' },
]

// The rhythm of a practice: nobody calls at night, most on weekday mornings.
const fillWeek = `
  INSERT INTO calls (session_id, workspace_id, agent_id, call_status, call_type, to_phone_number, from_phone_number,
    provider, duration, call_initiated_time, call_completed_time, call_terminated_by, hangup_reason, answered_by,
    transcript, latency, usage, engines, created_at, updated_at)
  SELECT gen_random_uuid(), $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])],
    CASE WHEN n % 23 = 0 THEN 'busy' WHEN n % 11 = 0 THEN 'no-answer' ELSE 'completed' END,
    CASE WHEN n % 3 = 0 THEN 'outbound' ELSE 'inbound' END, '+4930901820', '+49176' || (1000000 + n * 7919), 'sip',
    CASE WHEN n % 23 = 0 OR n % 11 = 0 THEN 0 ELSE 40 + n * 37 % 180 END, at, at + interval '2 minutes',
    CASE WHEN n % 4 = 0 THEN 'agent' ELSE 'user' END,
    CASE WHEN n % 23 = 0 THEN 'dial_busy' WHEN n % 11 = 0 THEN 'dial_no_answer' WHEN n % 4 = 0 THEN 'agent_hangup'
      WHEN n % 13 = 0 THEN 'inactivity_timeout' ELSE 'user_hangup' END,
    'human', '[]', json_build_array(json_build_object('turn', 1, 'total', 420 + n * 31 % 500)),
    json_build_object('stt_seconds', 30 + n % 60, 'llm_input_tokens', 2000 + n % 900, 'llm_output_tokens', 200 + n % 90,
      'tts_characters', 500 + n % 300, 'models', json_build_array()),
    '[{"part": "transcriber", "asked": null, "used": "deepgram", "why": null},
      {"part": "synthesizer", "asked": null, "used": "cartesia", "why": null},
      {"part": "language-model", "asked": null, "used": "gpt-6-luna", "why": null}]', at, at
  FROM generate_series(1, 620) AS n, LATERAL (
    SELECT date_trunc('day', now()) - (n % 7) * interval '1 day'
      + (8 + n % 9) * interval '1 hour' + (n * 13 % 60) * interval '1 minute' AS at) AS moment
  WHERE at < now() AND (extract(isodow FROM at) < 6 OR n % 17 = 0)`

/** The end is an update, so that the usage and the index are written as for any call. */
const endWeek = 'UPDATE calls SET finished = true WHERE NOT finished'

async function ask(home: Home, path: string, body?: object): Promise<Record<string, string>> {
  const response = await fetch(`${home.url}/agent/v1${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'x-api-key': apiKey, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text).data
}

export async function makeDemo(home: Home): Promise<Demo> {
  const agentOf = async (config: object) =>
    (await ask(home, '/agents', { agent_config: config })).agent_id ?? ''
  const client = new pg.Client({ host: `${home.dataDir}/run`, user: 'parley', database: 'postgres' })
  await client.connect()
  await client.query('UPDATE workspaces SET name = $2, prices = $3 WHERE workspace_id = $1', [
    ...[workspaceId, 'Maple Dental', JSON.stringify(prices)],
  ])
  const reminder = await agentOf(agentTemplates.reminder.config)
  const menu = await agentOf({
    agent_name: 'Menu',
    agent_type: 'graph_agent',
    llm_agent: { nodes, current_node_id: 'welcome' },
    agent_welcome_message: 'Hello, this is Maple Dental.',
  })
  const reception = await agentOf(agentTemplates.receptionist.config)
  await client.query(fillWeek, [workspaceId, [reception, reminder, menu]])
  await client.query(endWeek)
  await client.end()
  return { reception, menu, call: await spokenCall(home, reception) }
}

/** A spoken call; on a busy machine the voice may be too late, and the call is made once more. */
async function spokenCall(home: Home, agentId: string): Promise<string> {
  for (let tries = 0; tries < 5; tries++) {
    const call = await realCall(home, agentId)
    if ((await ask(home, `/call/detail/${call}`)).call_status === 'completed') return call
  }
  throw new Error('The offline voice is too slow here at the moment. Try again when the machine is idle.')
}

/** Makes a call that the offline engines speak, in real time. */
async function realCall(home: Home, agent_id: string): Promise<string> {
  const steps = [
    { say: 'How much does a cleaning cost?' },
    { say: 'I would like to make an appointment, please.' },
    { when_agent_says: 'name', say: 'My name is Anna Miller.' },
    { when_agent_says: 'day', say: 'On Friday, please.' },
  ]
  const body = { agent_id, to_phone_number: '+15550100', metadata: { sandbox: { ring_ms: 300, steps } } }
  const { session_id: call = '' } = await ask(home, '/calls', body)
  const events = await fetch(`${home.url}/agent/v1/calls/${call}/events`, {
    headers: { 'x-api-key': apiKey },
  })
  // Ends with the call, after its analysis.
  await events.text()
  return call
}
