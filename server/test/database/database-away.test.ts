// A database that is unavailable during a start: listeners and claimants connect when it is back.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { openClaimant } from '../../src/platform/db/claim.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database?.close())

let isAway: boolean
const sockets = new Set<Socket>()
const way = createServer((here) => {
  if (isAway) return void here.destroy()
  const there = connect(`${inject('postgresSocket')}/.s.PGSQL.5432`)
  for (const socket of [here, there]) socket.on('error', () => {})
  sockets.add(here)
  here.pipe(there).pipe(here)
})
let connection: { connectionString: string }
beforeEach(async () => {
  isAway = true
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  const { port } = way.address() as AddressInfo
  connection = { connectionString: `postgresql://parley@127.0.0.1:${port}/${database.url.split('/').at(-1)}` }
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  way.close()
})

it('a listener connects when the database is back', async () => {
  const db = openDb(connection, 1, () => {})
  const told: string[] = []
  const listening = await db.listen('news', {
    notice: (payload) => told.push(payload),
    lost: () => told.push('lost'),
    resumed: () => told.push('resumed'),
  })
  expect(told).not.toContain('resumed')
  isAway = false
  await expect.poll(() => told.at(-1)).toBe('resumed')
  await database.query("SELECT pg_notify('news', 'hello')")
  await expect.poll(() => told.at(-1)).toBe('hello')
  await listening.close()
  await db.close()
})

it('a claimant connects when the database is back, and not before', async () => {
  let changes = 0
  const claimant = await openClaimant(connection, () => changes++)
  expect([claimant.alive, changes]).toEqual([false, 0])
  isAway = false
  await expect.poll(() => claimant.alive).toBe(true)
  expect(changes).toBe(1)
  await claimant.close()
})

it('a database that refuses the connection is reported at once', async () => {
  isAway = false
  const wrong = { connectionString: connection.connectionString.replace(/[^/]+$/, 'no_such_database') }
  await expect(openClaimant(wrong, () => {})).rejects.toThrow(/does not exist/)
})
