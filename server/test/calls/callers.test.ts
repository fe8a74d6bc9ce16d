// Callers: agents that may remember them, and the right to be erased without a trace.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Caller, Erasure } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import type { ExpiringLog } from '../../src/platform/retention/expiring-log.ts'
import { pruneMemories } from '../../src/resources/callers/work.ts'
import { joinCall } from '../../src/resources/calls/queue/join-call.ts'
import { receiveCall } from '../../src/resources/calls/queue/receive-call.ts'
import { callLog } from '../../src/resources/calls/record/call-log.ts'
import { eventLog } from '../../src/resources/webhooks/event-log.ts'
import { newAgent, placeCall, reaches } from '../support/call-fixture.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type ScriptedRunner, type Step, scriptedRunner } from '../support/scripted-runner.ts'
import { openService, type TestService, workspaceId } from '../support/service.ts'

let service: TestService
let runner: ScriptedRunner
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  service = await openService(
    {
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    undefined,
    ({ recordingsFolder }) => {
      runner = scriptedRunner(20, recordingsFolder)
      return runner
    },
  )
})
afterAll(async () => {
  await service?.close()
  await receiver?.close()
})

const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  service.database.query<Row>(sql, values)

const remembering = (more: object = {}) =>
  newAgent(service, { api_tools: { memory: { enabled: true, ...more } } })

const talked: Step = { type: 'outcome', outcome: { durationSeconds: 30 } }

/** An ended call, with what its analysis found. */
async function callOf(agentId: string, number: string, analytics?: object): Promise<string> {
  const sessionId = await placeCall(service, agentId, { to_phone_number: number, script: [talked] })
  await reaches(service, sessionId, 'completed')
  if (analytics) await query('UPDATE calls SET analytics = $2 WHERE session_id = $1', [sessionId, analytics])
  return sessionId
}

/** Returns the variables that the next call with this number has. */
async function variablesOf(agentId: string, number: string, more: object = {}) {
  const sessionId = await placeCall(service, agentId, { to_phone_number: number, ...more })
  await reaches(service, sessionId, 'completed')
  return runner.plans.find((plan) => plan.sessionId === sessionId)?.variables
}

const get = (caller: string) => service.ask('GET', `/callers/${encodeURIComponent(caller)}`)

describe('an agent that may remember callers', () => {
  it('knows the last summary, the date and all facts in the next call', async () => {
    const number = '+15550201'
    const agentId = await remembering()
    expect(await variablesOf(agentId, number)).toMatchObject({ previous_calls: '0' })
    await callOf(agentId, number, {
      summary: 'Ada wants\n a window seat.',
      data_extraction: { name: 'Ada', seat: 'window', age: null },
    })
    await callOf(agentId, number, {
      summary: 'Ada moved to Friday.',
      data_extraction: { day: 'Friday', seats: 2 },
    })
    const variables = await variablesOf(agentId, number, { variables: { fact_day: 'Monday' } })
    expect(variables).toMatchObject({
      last_call_summary: 'Ada moved to Friday.',
      last_call_date: expect.stringMatching(/^\w+day, \w+ \d+, \d{4}$/),
      previous_calls: '3',
      caller_facts: 'day: Friday; name: Ada; seat: window; seats: 2',
      fact_name: 'Ada',
      // The client's own word counts more.
      fact_day: 'Monday',
    })
    expect(Caller.parse((await get(number)).body.data)).toMatchObject({
      caller: number,
      calls: 4,
      memory: [{ agent_id: agentId, calls: 4, summary: 'Ada moved to Friday.' }],
    })
  })

  it('shares it with others that may, unless one keeps to its own calls; one that may not knows nothing', async () => {
    const number = '+15550202'
    const first = await remembering()
    await callOf(first, number, { summary: 'First.', data_extraction: {} })
    const silent = await newAgent(service)
    await callOf(silent, number, { summary: 'Not to be kept.', data_extraction: {} })
    expect(await variablesOf(await remembering(), number)).toMatchObject({ last_call_summary: 'First.' })
    expect(await variablesOf(await remembering({ scope: 'agent' }), number)).toMatchObject({
      previous_calls: '0',
    })
    expect(await variablesOf(silent, number)).not.toHaveProperty('previous_calls')
  })

  it('does so for calls that come in, however the number is written, and for browsers with a caller_id', async () => {
    const agentId = await remembering()
    await callOf(agentId, '+15550203', { summary: 'It rang.', data_extraction: {} })
    const db = openDb({ connectionString: service.database.url }, 2, () => {})
    const limits = { claimantId: 1, perWorkspace: 50, perNumber: 50 }
    const inbound = await receiveCall(
      db,
      {
        by: 'number',
        provider: 'sip',
        trunkId: null,
        called: agentId,
        caller: '0015550203',
        variables: {},
      },
      limits,
    )
    expect(inbound).toMatchObject({ is: 'claimed', call: { memories: [{ summary: 'It rang.' }] } })
    const body = { agent_id: agentId, metadata: { caller_id: ' Customer-7 ' } }
    const { token, session_id } = (await service.ask('POST', '/calls/web', { body })).body.data
    expect(await joinCall(db, token, limits)).toMatchObject({ is: 'claimed', call: { memories: null } })
    await query(
      `UPDATE calls SET finished = true, duration = 5, call_status = 'completed', claimed_by = NULL,
         call_completed_time = now(), analytics = '{"summary": "Talked."}' WHERE session_id = $1`,
      [session_id],
    )
    expect((await get('customer-7')).body.data).toMatchObject({ calls: 1, memory: [{ summary: 'Talked.' }] })
    await query('UPDATE calls SET finished = true, claimed_by = NULL WHERE claimed_by = 1')
    await db.close()
  })

  it('forgets after the days of the workspace', async () => {
    const number = '+15550204'
    const agentId = await remembering()
    await callOf(agentId, number, { summary: 'Long ago.', data_extraction: {} })
    await query(`UPDATE caller_memories SET called_at = now() - interval '40 days' WHERE caller = $1`, [
      number,
    ])
    const db = openDb({ connectionString: service.database.url }, 2, () => {})
    await pruneMemories(db, 90)
    expect((await get(number)).body.data.memory).toHaveLength(1)
    await query('UPDATE workspaces SET memory_days = 30')
    expect(await variablesOf(agentId, number)).toMatchObject({ previous_calls: '0' })
    await query(`UPDATE caller_memories SET called_at = now() - interval '40 days' WHERE caller = $1`, [
      number,
    ])
    await pruneMemories(db, 90)
    expect((await get(number)).body.data.memory).toEqual([])
    await query('UPDATE workspaces SET memory_days = NULL')
    await db.close()
  })
})

describe('erasing a caller', () => {
  const erase = async (caller: string): Promise<Erasure> => {
    const reply = await service.ask('DELETE', `/callers/${encodeURIComponent(caller)}`)
    expect(reply.status, reply.text).toBe(202)
    return Erasure.parse(reply.body.data)
  }
  const erasure = async ({ erasure_id: id }: Erasure): Promise<Erasure> =>
    Erasure.parse((await service.ask('GET', `/erasures/${id}`)).body.data)
  const completed = async (asked: Erasure) => {
    await expect.poll(async () => (await erasure(asked)).status).toBe('completed')
    return erasure(asked)
  }

  /** Every row of every table, as text. */
  async function wholeDatabase(): Promise<string> {
    const tables = await query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)
        return rows.map(({ row }) => `${name} ${row}`).join('\n')
      }),
    )
    return texts.join('\n')
  }

  /** Every file of the service: its name and what is in it. */
  async function wholeFolder(): Promise<string> {
    const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const texts = files.map(async ({ parentPath, name }) => {
      const content = await readFile(join(parentPath, name))
      return `${name}\n${(name.endsWith('.gz') ? gunzipSync(content) : content).toString('latin1')}`
    })
    return (await Promise.all(texts)).join('\n')
  }

  /** As a worker with an archive would have written them. */
  async function archive(log: ExpiringLog, day: string): Promise<void> {
    const [{ table }] = log.tables
    const rows = await query<{ line: string }>(`SELECT (${log.record})::text AS line FROM ${table} l`)
    const file = `${log.name}-${day}.jsonl.gz`
    const content = gzipSync(rows.map(({ line }) => `${line}\n`).join(''))
    await mkdir(join(service.dataDir, 'archive'), { recursive: true })
    await writeFile(join(service.dataDir, 'archive', file), content)
    await query(
      `INSERT INTO archives (archive_id, log, day, file, records, bytes, completed_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [randomUUID(), log.name, day, file, rows.length, content.length],
    )
  }
  const archived = () =>
    query<{ log: string; records: number; bytes: number }>(
      'SELECT log, records::int, bytes::int FROM archives ORDER BY log, day',
    )

  it('leaves nothing of them in the database, in storage, in the archive and in the log, and proves it', async () => {
    const number = '+15550777'
    const words = 'the xylophone is out of tune'
    const traces = ['15550777', 'xylophone', 'Zebulon', 'out of tune']
    const agentId = await remembering()
    await service.ask('POST', '/webhooks', { body: { url: receiver.url, events: ['call.completed'] } })
    const entry = {
      turn: 1,
      role: 'user' as const,
      content: words,
      startSeconds: 0,
      endSeconds: 1,
      interrupted: false,
    }
    const script: Step[] = [
      { type: 'transcript', entry },
      { type: 'note', note: `Said: ${words}` },
      { type: 'record', seconds: 0.2 },
      { type: 'outcome', outcome: { durationSeconds: 30, transcript: [entry] } },
    ]
    const placing = { to_phone_number: number, variables: { name: 'Zebulon' }, script }
    const sessionIds = [
      await placeCall(service, agentId, placing),
      await placeCall(service, agentId, placing),
    ]
    for (const id of sessionIds) await reaches(service, id, 'completed')
    await query('UPDATE calls SET analytics = $2 WHERE session_id = ANY($1)', [
      sessionIds,
      { summary: words, data_extraction: { name: 'Zebulon' } },
    ])
    await query(`INSERT INTO call_signalling VALUES ($1, $2, 0)`, [
      sessionIds[0],
      JSON.stringify([`INVITE sip:${number}@trunk`]),
    ])
    await expect.poll(() => receiver.received.length).toBe(2)
    // An event of an earlier release.
    await query('UPDATE events SET session_id = NULL WHERE session_id = $1', [sessionIds[0]])
    const recipients = [
      { to_phone_number: number, recipient_id: number, name: 'Zebulon' },
      { to_phone_number: '+15550778', name: 'Somebody else' },
    ]
    const batch = { name: 'Later', agent_id: agentId, recipients }
    const { batch_id } = (await service.ask('POST', '/batch-calls', { body: batch })).body.data
    const later = new Date(Date.now() + 86_400_000).toISOString()
    await placeCall(service, agentId, { to_phone_number: number, schedule_time: later, script: [] })
    const usageBefore = (await service.ask('GET', '/usage')).body.data.totals

    // One of the calls has expired since it was archived; files of another day have nothing of them.
    await archive(callLog(1), '2026-01-02')
    await archive(eventLog(1), '2026-01-02')
    const [calls, events] = await archived()
    await rm(join(service.dataDir, 'recordings', `${sessionIds[1]}.wav`))
    await query('DELETE FROM calls WHERE session_id = $1', [sessionIds[1]])
    await query(
      'DELETE FROM deliveries WHERE event_id IN (SELECT event_id FROM events WHERE session_id = $1)',
      [sessionIds[1]],
    )
    await query('DELETE FROM events WHERE session_id = $1', [sessionIds[1]])

    const before = `${await wholeDatabase()}${await wholeFolder()}`
    for (const trace of [...traces, ...sessionIds]) expect(before).toContain(trace)

    const asked = await erase('+1 (555) 0777')
    const proof = await completed(asked)
    expect(proof).toMatchObject({
      progress: 1,
      error: null,
      removed: { calls: 2, recordings: 1, events: 1, deliveries: 1, recipients: 1, memories: 1, archived: 5 },
    })
    expect(JSON.stringify(proof)).not.toContain('15550777')
    // Three calls and two events; what others have said is still there.
    expect(await archived()).toMatchObject([
      { log: 'calls', records: (calls?.records ?? 0) - 3 },
      { log: 'events', records: (events?.records ?? 0) - 2 },
    ])
    expect(await wholeFolder()).toContain('+15550201')

    const database = await wholeDatabase()
    const folder = await wholeFolder()
    for (const trace of traces) {
      expect(database).not.toContain(trace)
      expect(folder).not.toContain(trace)
      expect(service.log.join()).not.toContain(trace)
    }
    for (const id of sessionIds) expect(folder).not.toContain(id)
    expect((await get(number)).body.code).toBe('CALLER_NOT_FOUND')
    const usageAfter = (await service.ask('GET', '/usage')).body.data.totals
    expect({ ...usageAfter, calls: usageBefore.calls }).toEqual(usageBefore)
    // The others are as they were, and the batch can go on without them.
    await service.ask('POST', `/batch-calls/${batch_id}/execute`)
    const results = async () =>
      (await service.ask('GET', `/batch-calls/${batch_id}/recipients`)).body.data.data
    await expect
      .poll(async () => (await results()).map((row: { status: string }) => row.status))
      .toEqual(['skipped', 'completed'])
    expect((await service.ask('GET', '/erasures')).body.data.data[0]).toEqual(proof)
  })

  it('waits for a call that is under way, and leaves other workspaces alone', async () => {
    const number = '+15550779'
    const agentId = await remembering()
    const elsewhere = randomUUID()
    await query(
      `INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, call_status, finished)
       VALUES ($1, $2, $3, 'outbound', $4, 'completed', true)`,
      [randomUUID(), elsewhere, agentId, number],
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    runner.mayEnd = promise
    const sessionId = await placeCall(service, agentId, { to_phone_number: number, script: [talked] })
    await expect.poll(() => runner.live.has(sessionId)).toBe(true)
    const asked = await erase(number)
    await expect.poll(async () => (await erasure(asked)).error).toContain('under way')
    expect((await get(number)).body.data.calls).toBe(1)
    resolve()
    runner.mayEnd = Promise.resolve()
    expect((await completed(asked)).removed).toMatchObject({ calls: 1, memories: 1 })
    const left = await query('SELECT workspace_id FROM calls WHERE to_phone_number = $1', [number])
    expect(left).toEqual([{ workspace_id: elsewhere }])
  })

  it('is told by its own id only', async () => {
    expect((await service.ask('GET', `/erasures/${randomUUID()}`)).body.code).toBe('ERASURE_NOT_FOUND')
    const refused = await service.ask('GET', '/callers/%00')
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'number'])
    const asked = await erase('nobody-at-all')
    expect((await completed(asked)).removed.calls).toBe(0)
    const [row] = await query('SELECT workspace_id, caller FROM erasures WHERE erasure_id = $1', [
      asked.erasure_id,
    ])
    expect(row).toEqual({ workspace_id: workspaceId, caller: null })
  })
})
