// Calls of a process that lost its connection and claims them again, while another process takes it for dead.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { keepCalls } from '../../src/resources/calls/queue/backlog.ts'
import { lostCallSweep } from '../../src/resources/calls/queue/lost-call-sweeper.ts'
import { type CallFixture, newAgent, openCallFixture, placeCall } from '../support/call-fixture.ts'

// Ids of claimants without a session, as all of them are when the database has changed places.
const [before, again, other] = [1, 2, 3]

let fixture: CallFixture
let db: Db
let sessionId: string
beforeEach(async () => {
  fixture = await openCallFixture()
  // No worker: its sweeper would end the call too.
  const api = await fixture.api({ PARLEY_ROLES: 'api' })
  db = openDb({ connectionString: fixture.database.url }, 3, () => {})
  sessionId = await placeCall(api, await newAgent(api))
  await heldBy(before)
})
afterEach(async () => {
  await db.close()
  await fixture.close()
})

const heldBy = (claimant: number) =>
  fixture.database.query(
    "UPDATE calls SET claimed_by = $2, call_status = 'in-progress', due_at = NULL WHERE session_id = $1",
    [sessionId, claimant],
  )
const held = async () =>
  (
    await fixture.database.query('SELECT claimed_by, finished FROM calls WHERE session_id = $1', [sessionId])
  )[0]
const waitingForLocks = async () =>
  (
    await fixture.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  )[0]?.count
const sweep = () =>
  lostCallSweep({
    db,
    claimant: { mayJudge: true },
    eventDelaySeconds: 0,
    graceMs: 0,
    log: { warn() {}, error() {} } as never,
    salvage: async () => null,
  })

it('a call is not ended as lost if its process has claimed it, but the commit waits for a replica', async () => {
  let swept: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await keepCalls(tx, again, { sessionIds: [sessionId], formerIds: [before] })
    // The sweep sees the call under the former id, and waits for the row.
    swept = sweep().run()
    await expect.poll(waitingForLocks).toBe(1)
  })
  await swept
  expect(await held()).toEqual({ claimed_by: again, finished: false })
})

it('a call that nobody claims again is ended', async () => {
  await sweep().run()
  expect(await held()).toEqual({ claimed_by: null, finished: true })
})

it('a call that another process went on with stays there', async () => {
  await heldBy(other)
  expect((await keepCalls(db, again, { sessionIds: [sessionId], formerIds: [before] })).size).toBe(0)
  expect(await held()).toEqual({ claimed_by: other, finished: false })
})
