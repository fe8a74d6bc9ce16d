// A write that an operation adds is committed in every interface and by every method that may write; an operation that
// only reads has nothing to write with.
import { operation } from '@parley/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { Admissions } from '../../src/http/doors/admissions.ts'
import { csrfTokenOf, dashboardDoor, type Person } from '../../src/http/doors/dashboard-door.ts'
import { transcriptionDoor } from '../../src/http/doors/transcription-door.ts'
import { type Mount, type Scope, voiceDoor } from '../../src/http/doors/voice-door.ts'
import { Idempotency } from '../../src/http/idempotency.ts'
import { answerStore } from '../../src/http/idempotency-store.ts'
import { committed, PendingWork, type Work, type WorkOf } from '../../src/http/work.ts'
import { type Db, guardedStatement, openDb, statement } from '../../src/platform/db/db.ts'
import { openVault } from '../../src/platform/secrets.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

const described = <M extends 'GET' | 'POST' | 'PATCH' | 'DELETE'>(method: M) =>
  operation({
    id: `${method} mark`,
    method,
    path: '/marks',
    access: 'editor',
    tag: 'Marks',
    summary: 'Makes a mark',
    data: z.object({}),
  })
const reading = described('GET')
const writing = { POST: described('POST'), PATCH: described('PATCH'), DELETE: described('DELETE') }

const insert = statement('INSERT INTO marks (mark) VALUES ($1)')
const mark = (name: string) => ({ statement: insert, values: [name] })

let database: TestDatabase
let db: Db
let app: FastifyInstance
const workspace = '11111111-1111-4111-8111-111111111111'
beforeAll(async () => {
  database = await makeDatabase()
  await database.query('CREATE TABLE marks (mark text, moved boolean NOT NULL DEFAULT false)')
  db = openDb({ connectionString: database.url }, 4, () => {})
  app = await doors()
})
afterAll(async () => {
  await app?.close()
  await db?.close()
  await database?.close()
})

/** The three interfaces, each with the same writing operations. */
async function doors(): Promise<FastifyInstance> {
  const key = { id: 'key', active: true, workspaceId: workspace, access: new Set<string>(), role: null }
  const entrance = { db, keys: { find: async () => key }, rateLimit: { async take() {} } }
  const sessions = { find: async () => person, isOpen: async () => true, async seen() {} }
  const person = { user: { user_id: 'u', owner: true }, token: 'token' } as unknown as Person
  const made = Fastify()
  made.decorateRequest('wide', null as never)
  made.addHook('onRequest', async (request) => {
    request.wide = {}
  })
  const mountAll = (mount: Mount<Scope>, door: string) => {
    for (const [method, marking] of Object.entries(writing)) {
      mount(marking, async (_input, { work }) => {
        work.add(mark(`${door} ${method}`))
        return {}
      })
    }
  }
  const vault = openVault('a secret for tests only')
  const idempotency = new Idempotency(answerStore(db, vault))
  await made.register(async (it) => mountAll(voiceDoor(it, { ...entrance, idempotency }), 'voice'), {
    prefix: '/voice',
  })
  await made.register(
    async (it) => mountAll(transcriptionDoor(it, { ...entrance, tray: undefined as never }), 'transcription'),
    { prefix: '/transcription' },
  )
  await made.register(
    async (it) =>
      mountAll(dashboardDoor(it, { sessions, db, admissions: new Admissions() }).inWorkspace, 'dashboard'),
    { prefix: '/dashboard' },
  )
  return made
}

describe('a write of an operation', () => {
  it.each(
    ['voice', 'transcription', 'dashboard'].flatMap((door) =>
      Object.keys(writing).map((method) => [door, method] as const),
    ),
  )('is committed in the %s interface by %s', async (door, method) => {
    const path = door === 'dashboard' ? `/dashboard/workspaces/${workspace}/marks` : `/${door}/marks`
    const headers = {
      'x-api-key': 'svc_any',
      authorization: 'svc_any',
      'idempotency-key': `${door} ${method}`,
      cookie: 'parley_session=token',
      'x-csrf-token': csrfTokenOf('token'),
    }
    const reply = await app.inject({ method: method as 'POST', url: path, headers })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(
      await database.query('SELECT mark FROM marks WHERE mark = $1', [`${door} ${method}`]),
    ).toHaveLength(1)
  })

  it('cannot be added by one that only reads', () => {
    const mount: Mount = () => {}
    // @ts-expect-error a GET is given no work
    mount(reading, async (_input, { work }) => work.add(mark('never')))
    expectTypeOf<WorkOf<typeof reading>>().toEqualTypeOf<unknown>()
    expectTypeOf<WorkOf<typeof writing.PATCH>>().toEqualTypeOf<{ readonly work: Work }>()
    // One of unknown method might only read.
    expectTypeOf<WorkOf<ReturnType<typeof described>>>().toEqualTypeOf<unknown>()
  })

  it('cannot be added after it was committed', async () => {
    const work = new PendingWork()
    await work.commit(db)
    expect(() => work.add(mark('late'))).toThrow('already committed')
  })
})

describe('a write that depends on the state of a row', () => {
  const move = guardedStatement('UPDATE marks SET moved = true WHERE mark = $1 AND NOT moved RETURNING mark')

  it('rolls back its whole transaction if the row has another state, and the operation runs again', async () => {
    await database.query("INSERT INTO marks (mark) VALUES ('movable')")
    let looks = 0
    const answer = await committed(db, async (work) => {
      looks++
      const [row] = await database.query<{ moved: boolean }>("SELECT moved FROM marks WHERE mark = 'movable'")
      if (row?.moved) return 'too late'
      // A concurrent write wins.
      await database.query("UPDATE marks SET moved = true WHERE mark = 'movable'")
      work.add({ statement: move, values: ['movable'] })
      work.add(mark('with it'))
      return 'moved'
    })
    expect([answer, looks]).toEqual(['too late', 2])
    expect(await database.query("SELECT 1 FROM marks WHERE mark = 'with it'")).toEqual([])
  })

  it('is not retried forever', async () => {
    let looks = 0
    const hopeless = committed(db, async (work) => {
      looks++
      work.add({ statement: move, values: ['nobody'] })
    })
    await expect(hopeless).rejects.toThrow(/not in the state/)
    expect(looks).toBe(10)
  })
})
