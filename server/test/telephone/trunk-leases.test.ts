// What processes say in the database about the registrations of trunks that they keep.
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { newId } from '../../src/platform/ids.ts'
import type { LeasedRegistration } from '../../src/ports/trunk.ts'
import { openTrunkLeases } from '../../src/resources/phone-numbers/trunk-leases.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let db: Db
const numberId = newId()
beforeAll(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, 4, () => {})
  await database.query(
    `INSERT INTO phone_numbers (phone_number_id, workspace_id, phone_number, provider, status)
     VALUES ($1, $2, '+4930901820', 'sip', 'active')`,
    [numberId, newId()],
  )
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

const states = async () =>
  (await database.query<{ state: string }>('SELECT state FROM trunk_registrations')).map(({ state }) => state)

const told = (state: LeasedRegistration['state']) => ({ state, reason: null, contact: null, routes: [] })

it('the state that was told last stays, however slow the connection of the one before was', async () => {
  const slow = Promise.withResolvers<void>()
  const stored: unknown[] = []
  const rows: Db['rows'] = async (statement, values) => {
    if (values?.includes('registering')) await slow.promise
    const found = await db.rows(statement, values)
    stored.push(values?.[2])
    return found as never
  }
  const claimant = { id: 1, alive: true, mayJudge: true, close: async () => {} }
  const leases = openTrunkLeases({ ...db, rows }, claimant, pino({ level: 'silent' }))
  leases.report([numberId], told('registering'))
  leases.report([numberId], told('registered'))
  // Time enough for the second one to be stored, if it did not wait for its turn.
  for (let look = 0; look < 20; look++) expect(await states()).not.toContain('registered')
  slow.resolve()
  await expect.poll(() => stored).toEqual(['registering', 'registered'])
  expect(await states()).toEqual(['registered'])
  leases.report([numberId], told('failed'))
  await leases.release([numberId])
  expect(await states()).toEqual([])
})
