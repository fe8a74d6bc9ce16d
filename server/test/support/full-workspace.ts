// A workspace with one of everything that an installation can store, in the database and outside of it.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect } from 'vitest'
import type { Config } from '../../src/platform/config.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { openStorage } from '../../src/platform/storage/open-storage.ts'
import { openSpeechCache } from '../../src/resources/speech-cache/speech-cache.ts'
import type { TestPerson } from './people.ts'
import type { TestService } from './service.ts'
import { toneWav } from './speech/sounds.ts'

export interface FillOptions {
  /** Only answers requests, so that what is queued stays where it is. */
  readonly service: TestService
  readonly config: Config
  readonly db: Db
  readonly boss: TestPerson
  readonly workspaceId: string
  /** Where webhooks are received. */
  readonly url: string
}

export async function fillWorkspace(filling: FillOptions): Promise<void> {
  const { service, boss, workspaceId, url } = filling
  const query = service.database.query
  const { key } = await made(await boss.ask('POST', '/keys', { label: 'Bound', workspace_id: workspaceId }))
  await made(await boss.ask('POST', '/keys', { label: 'Leads nowhere else', access: [workspaceId] }))
  const workspaces = [{ workspace_id: workspaceId, role: 'viewer' }]
  await made(await boss.ask('POST', '/invitations', { email: 'invited@example.com', workspaces }))
  const members = { email: 'member@example.com', workspaces }
  const { link } = await made(await boss.ask('POST', '/invitations', members))
  const accepting = { token: new URL(link).hash.slice(1), name: 'Grace', password: 'a long enough password' }
  await made(await service.bare('POST', '/dashboard/api/invitation/accept', { body: accepting }))

  const inside = (method: string, path: string, body?: object) =>
    boss.ask(method, `/workspaces/${workspaceId}${path}`, body).then(made)
  const ask = async (method: string, path: string, body?: object) =>
    made(await service.ask(method, path, { headers: { 'x-api-key': key }, body }))
  const { agent_id } = await ask('POST', '/agents', {
    agent_config: {
      agent_name: 'Ada',
      llm_agent: { llm_config: { model: 'm', api_key: 'sk-live-0123456789abcdef' } },
      synthesizer: { provider: 'cartesia', provider_config: { voice: 'katie' }, caching: true },
      api_tools: { memory: { enabled: true } },
      call_analysis_config: { summary: true, sentiment: false, data_extraction: false },
    },
  })
  await ask('PATCH', `/agents/${agent_id}`, { agent_config: { agent_name: 'Ada the second' } })
  await ask('PUT', '/credentials/cartesia', { credentials: { api_key: 'sk-of-the-workspace' } })
  await ask('POST', '/pronunciations', { written: 'Siobhan', say_as: 'shivawn' })
  await ask('POST', '/tools', {
    type: 'http',
    name: 'find_order',
    description: 'Finds an order.',
    method: 'GET',
    url: 'https://8.8.8.8/',
    headers: { Authorization: 'Bearer of the workspace' },
  })
  const { repository_id } = await ask('POST', '/knowledge-base', { name: 'Handbook' })
  const text = { title: 'Hours', text: 'We open at nine.' }
  const { document_id } = await ask('POST', `/knowledge-base/${repository_id}/documents`, text)
  const number = { phone_number: '+15550199', provider: 'sandbox' }
  const { phone_number_id } = await ask('POST', '/phone-numbers', number)
  const recipients = [{ to_phone_number: '+15550101', name: 'Zebulon' }]
  await ask('POST', '/batch-calls', { name: 'Reminders', agent_id, recipients })
  await ask('DELETE', '/callers/%2B15550999')
  const { webhook_id } = await ask('POST', '/webhooks', { url, events: ['call.completed'] })
  await ask('POST', `/webhooks/${webhook_id}/test`, {})
  // The delivery is left, and names neither an endpoint nor an agent that exists.
  await ask('DELETE', `/webhooks/${webhook_id}`)
  await ask('POST', '/webhooks', { url, events: ['call.completed'] })

  const wish = { agent_id, to_phone_number: '+15550100' }
  const [first, second, waiting] = [
    (await ask('POST', '/calls', wish)).session_id,
    (await ask('POST', '/calls', wish)).session_id,
    (await ask('POST', '/calls', { ...wish, schedule_time: new Date(Date.now() + 864e5).toISOString() }))
      .session_id,
  ]
  await ask('POST', '/calls/web', { agent_id })
  await inside('POST', `/agents/${agent_id}/try`, { agent_config: {} })
  await keepFiles(filling, first)
  const end = (sessionId: string) =>
    query(
      `UPDATE calls SET finished = true, call_status = 'completed', duration = 30, call_completed_time = now(), due_at = NULL,
         claimed_by = NULL, recording = '{"url": "a", "expiry": "b"}', transcript = '[{"role": "user", "content": "Hello"}]',
         analytics = '{"summary": "Said hello."}' WHERE session_id = $1`,
      [sessionId],
    )
  await end(first)
  await query('SELECT fold_usage(100)')
  await end(second)

  const uploaded = await fetch(uploadsOf(filling), {
    method: 'POST',
    headers: uploadHeaders(boss),
    body: new Uint8Array(toneWav(0.5)),
  })
  expect(uploaded.status).toBe(201)
  const { file_id } = ((await uploaded.json()) as { data: { file_id: string } }).data
  const { transcript_id } = await inside('POST', '/transcripts', { file_id })
  await inside('GET', '/callback-secret')

  // These rows are ones that processes write while they work.
  for (const [sql, values] of [
    ['INSERT INTO call_signalling VALUES ($1, $2, 0)', [first, '[]']],
    [`INSERT INTO call_states VALUES ($1, 'sip', $2)`, [waiting, Buffer.from('sealed')]],
    [
      'INSERT INTO call_listeners (listening_id, session_id, workspace_id, listener) VALUES ($1, $2, $3, $4)',
      [randomUUID(), first, workspaceId, 'Grace'],
    ],
    [
      `INSERT INTO knowledge_chunks (chunk_id, repository_id, document_id, position, content, words)
         VALUES ($1, $2, $3, 0, 'We open at nine.', 'open:1')`,
      [randomUUID(), repository_id, document_id],
    ],
    [`INSERT INTO transcript_notes VALUES ($1, 'recognised', '{}')`, [transcript_id]],
    [
      `INSERT INTO transcript_corrections (transcript_id, version, corrected, author_type, author_id)
       VALUES ($1, 1, '{"speakers": [], "segments": [{"id": 0, "text": "Hello"}]}', 'key', $2)`,
      [transcript_id, randomUUID()],
    ],
    [
      `INSERT INTO transcript_callbacks (delivery_id, transcript_id, workspace_id, url, lane, payload)
         VALUES ($1, $2, $3::uuid, $4, $3::text, '{}')`,
      [randomUUID(), transcript_id, workspaceId, url],
    ],
    [
      `INSERT INTO telephones VALUES ($1, 'desk', 'sip:desk@192.0.2.1', 'udp', '192.0.2.1', 5060, 'c', 1, 'infinity')`,
      [phone_number_id],
    ],
    [
      `INSERT INTO trunk_registrations (phone_number_id, claimed_by, state) VALUES ($1, 1, 'registered')`,
      [phone_number_id],
    ],
    [`INSERT INTO dialled_calls VALUES ($1, now(), 1, now()::date, 1)`, [workspaceId]],
    ['INSERT INTO concurrency_peaks VALUES ($1, now(), 1)', [workspaceId]],
    [
      `INSERT INTO workspace_notices (workspace_id, kind, day, most, used)
         VALUES ($1, 'minutes_per_day', now()::date, 1, 1)`,
      [workspaceId],
    ],
  ] satisfies [string, unknown[]][])
    await query(sql, values)
}

/** A recording that was uploaded, one that is still on this machine, and kept speech. */
async function keepFiles(
  { service, config, db, workspaceId }: FillOptions,
  sessionId: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-full-'))
  const sound = join(folder, 'sound.wav')
  await writeFile(sound, toneWav(0.1))
  const recordings = await openStorage(config, 'recordings')
  await recordings.take(`${sessionId}.wav`, sound)
  recordings.close()
  await writeFile(join(config.dataDir, 'recordings', `${sessionId}.wav.part`), toneWav(0.1))
  const storage = await openStorage(config, 'speech-cache')
  const cache = await openSpeechCache({ db, log: pino({ level: 'silent' }), storage, folder, mostBytes: 1e6 })
  await cache.put(workspaceId, 'a'.repeat(64), new Uint8Array(100))
  storage.close()
  await rm(folder, { recursive: true })
  expect(await service.database.query('SELECT 1 FROM cached_speech WHERE is_stored')).toHaveLength(1)
}

/** Where a person of the dashboard uploads recordings. */
export const uploadsOf = ({ service, workspaceId }: Pick<FillOptions, 'service' | 'workspaceId'>): string =>
  `${service.url}/dashboard/api/workspaces/${workspaceId}/files`

export const uploadHeaders = ({ cookie, csrf }: TestPerson) => ({
  cookie,
  'x-csrf-token': csrf,
  'content-type': 'audio/wav',
})

/** A call and an event of another time, as rows that have expired. */
export async function addExpired(
  { service, workspaceId }: Pick<FillOptions, 'service' | 'workspaceId'>,
  at: Date,
) {
  const sessionId = newId(at.getTime())
  await service.database.query(
    `INSERT INTO calls (session_id, workspace_id, agent_id, call_status, to_phone_number, finished, counted, created_at)
     VALUES ($1, $2, $2, 'completed', '+15550100', true, true, $3)`,
    [sessionId, workspaceId, at],
  )
  await service.database.query(
    `INSERT INTO events (event_id, workspace_id, agent_id, type, payload, session_id, created_at)
     VALUES ($1, $2, $2, 'call.completed', '{}', $3, $4)`,
    [newId(at.getTime()), workspaceId, sessionId, at],
  )
}

const made = async ({ status, text, body }: { status: number; text: string; body: { data: AnyAnswer } }) => {
  expect(status, text).toBeLessThan(300)
  return body.data
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type AnyAnswer = any
