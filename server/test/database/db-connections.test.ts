// Database connections: reused after a refusal, and never more than the setting allows.
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fail } from '../../src/http/failure.ts'
import { readConfig } from '../../src/platform/config.ts'
import { shareClaimant } from '../../src/platform/db/claim.ts'
import { fewestConnections, shareConnections } from '../../src/platform/db/connection.ts'
import { type Db, openDb, statement } from '../../src/platform/db/db.ts'
import { newAgent } from '../support/call-fixture.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { boundKey, makeDatabase, openService, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database?.close())

const ask = statement('SELECT pg_backend_pid() AS pid')
const divide = statement('SELECT 1 / $1::int AS quotient')

describe('a transaction', () => {
  let db: Db
  beforeAll(() => {
    db = openDb({ connectionString: database.url }, 1, () => {})
  })
  afterAll(() => db?.close())
  const pid = async () => (await db.row<{ pid: number }>(ask))?.pid

  it.each([
    ['throws a refusal', () => fail('AGENT_NOT_FOUND'), 'There is no agent'],
    ['throws an unexpected error', () => Promise.reject(new TypeError('a bug')), 'a bug'],
  ])('that %s is rolled back, and its connection is reused', async (_how, refuse, message) => {
    const before = await pid()
    await database.query('CREATE TABLE IF NOT EXISTS marks (mark int)')
    const write = statement('INSERT INTO marks VALUES (1)')
    const attempt = db.transaction(async (tx) => {
      await tx.rows(write)
      await refuse()
    })
    await expect(attempt).rejects.toThrow(message)
    expect(await pid()).toBe(before)
    expect(await database.query('SELECT * FROM marks')).toEqual([])
  })

  it('that PostgreSQL refuses also keeps its connection', async () => {
    const before = await pid()
    await expect(db.transaction((tx) => tx.rows(divide, [0]))).rejects.toThrow(/division by zero/)
    expect(await pid()).toBe(before)
  })

  it('whose connection breaks is followed by one on a new connection', async () => {
    const before = await pid()
    const attempt = db.transaction(async (tx) => {
      await database.query('SELECT pg_terminate_backend($1)', [before])
      await tx.rows(ask)
    })
    await expect(attempt).rejects.toThrow()
    expect(await pid()).not.toBe(before)
  })
})

describe('notices', () => {
  const open = () => openDb({ connectionString: database.url }, 1, () => {})
  const listening = async () =>
    (
      await database.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley listen'",
      )
    ).map(({ pid }) => pid)

  it('of all channels arrive over one connection, each at its own subscribers', async () => {
    const db = open()
    const told: string[] = []
    const ear = (name: string) => ({
      notice: (payload: string) => told.push(`${name} ${payload}`),
      lost: () => told.push(`${name} lost`),
      resumed: () => told.push(`${name} resumed`),
    })
    const ears = await Promise.all([
      db.listen('one', ear('a')),
      db.listen('two', ear('b')),
      db.listen('two', ear('c')),
    ])
    expect(await listening()).toHaveLength(1)
    expect(told.splice(0).toSorted()).toEqual(['a resumed', 'b resumed', 'c resumed'])

    await database.query("SELECT pg_notify('one', '1'), pg_notify('two', '2'), pg_notify('three', '3')")
    await expect.poll(() => told.length).toBe(3)
    expect(told.splice(0).toSorted()).toEqual(['a 1', 'b 2', 'c 2'])

    await ears[1]?.close()
    await database.query("SELECT pg_notify('one', '4'), pg_notify('two', '5')")
    await expect.poll(() => told.length).toBe(2)
    expect(told.splice(0).toSorted()).toEqual(['a 4', 'c 5'])

    for (const pid of await listening()) await database.query('SELECT pg_terminate_backend($1)', [pid])
    await expect.poll(() => told.toSorted()).toEqual(['a lost', 'a resumed', 'c lost', 'c resumed'])
    told.length = 0
    await database.query("SELECT pg_notify('two', '6')")
    await expect.poll(() => told).toEqual(['c 6'])
    await db.close()
    await expect.poll(listening).toEqual([])
  })
})

describe('the claim connection of a process', () => {
  const locks = async () =>
    (
      await database.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 72705 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      )
    ).length

  it('is shared by its workers, reports every reconnection, and closes with the last of them', async () => {
    const openClaimant = shareClaimant({ connectionString: database.url })
    const before = await locks()
    const changes: [number, number] = [0, 0]
    const [first, second] = await Promise.all([
      openClaimant(() => changes[0]++),
      openClaimant(() => changes[1]++),
    ])
    expect(first.id).toBe(second.id)
    expect(await locks()).toBe(before + 1)
    const { id } = first
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley claimant'",
    )
    await expect.poll(() => first.alive && first.id !== id).toBe(true)
    expect(second.id).toBe(first.id)
    expect(changes).toEqual([2, 2])
    await first.close()
    expect(second.alive).toBe(true)
    await second.close()
    await expect.poll(locks).toBe(before)
    const third = await openClaimant(() => {})
    expect(third.alive).toBe(true)
    await third.close()
  })
})

describe('PARLEY_DATABASE_CONNECTIONS', () => {
  it('is divided up completely, whatever its value', () => {
    for (let total = fewestConnections; total <= 100; total++) {
      const { pool, uploads } = shareConnections(total)
      expect(pool + uploads + 2).toBe(total)
      expect(pool).toBeGreaterThanOrEqual(2)
      expect(uploads).toBeGreaterThanOrEqual(1)
    }
  })

  it('is refused when it is too small', () => {
    const env = { PARLEY_DATABASE_CONNECTIONS: String(fewestConnections - 1) }
    expect(() => readConfig(env)).toThrow(`PARLEY_DATABASE_CONNECTIONS must be at least ${fewestConnections}`)
  })

  it.each([fewestConnections, 12])('holds at %i under load, with uploads going on', async (most) => {
    const own = await makeDatabase()
    const service = await openService(
      { PARLEY_DATABASE_CONNECTIONS: String(most), PARLEY_ROLES: 'api,worker,media,speech' },
      own,
      () => scriptedRunner(10),
    )
    const agentId = await newAgent(service)
    const counts: number[] = []
    let over = false
    const watching = (async () => {
      while (!over) {
        const [row] = await own.query<{ count: number }>(
          "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'parley%'",
        )
        counts.push(row?.count ?? 0)
      }
    })()
    const uploads = Array.from({ length: 12 }, (_, at) => slowUpload(service.url, agentId, at % 3 === 0))
    const requests = async () => {
      for (let round = 0; round < 30; round++) {
        const replies = await Promise.all([
          ...Array.from({ length: 20 }, () => service.ask('GET', '/agents')),
          ...Array.from({ length: 5 }, () =>
            service.ask('POST', '/calls', { body: { agent_id: agentId, to_phone_number: '+15550100' } }),
          ),
          service.ask('GET', '/batch-calls'),
        ])
        for (const { status } of replies) expect(status).toBeLessThan(300)
      }
    }
    const [outcomes] = await Promise.all([Promise.all(uploads), requests()])
    over = true
    await watching
    expect(outcomes.filter((status) => status === 201)).toHaveLength(8)
    expect(Math.max(...counts)).toBeLessThanOrEqual(most)
    // Proof that there was load.
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(most - 1)
    await service.close()
    await own.close()
  })
})

/** Sends a batch in chunks. Returns the status, or undefined if the connection was closed early. */
function slowUpload(url: string, agentId: string, cutOff: boolean): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sending = request(`${url}/agent/v1/batch-calls`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': boundKey,
        'idempotency-key': crypto.randomUUID(),
      },
    })
    sending.on('error', () => resolve(undefined))
    sending.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sending.write(`{"name":"slow","agent_id":"${agentId}","recipients":[{"to_phone_number":"+15550100"}`)
    let pieces = 5
    const timer = setInterval(() => {
      if (--pieces > 0) return void sending.write(',{"to_phone_number":"+15550100"}'.repeat(500))
      clearInterval(timer)
      if (cutOff) sending.destroy()
      else sending.end(']}')
    }, 60)
  })
}
