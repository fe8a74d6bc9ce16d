// Lists of calls by filter and search: what the index finds is what a look at every call finds. On a real database.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import type { CallFilter } from '../../src/resources/calls/search/call-filter.ts'
import { pageOfCalls } from '../../src/resources/calls/store.ts'
import { makeDatabase, type TestDatabase, workspaceId } from '../support/service.ts'

const [ada, ben, batch, number] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

interface Fixture {
  readonly name: string
  readonly open?: boolean
  readonly words?: string
  readonly [column: string]: unknown
}

const calls: Fixture[] = [
  { name: 'waiting', open: true, call_status: 'queued', to_phone_number: '+15550177' },
  {
    name: 'running',
    open: true,
    call_status: 'in-progress',
    call_type: 'inbound',
    from_phone_number: '+15550188',
  },
  { name: 'booked', words: 'I would like an appointment on Monday', duration: 61, call_sid: 'Carrier-42' },
  { name: 'insured', agent_id: ben, words: 'Do you take my insurance?', duration: 9.5, batch_id: batch },
  { name: 'unanswered', call_status: 'no-answer', hangup_reason: 'dial_no_answer', duration: 0 },
  {
    name: 'long',
    call_type: 'inbound',
    duration: 3700,
    from_phone_number: '+4930901820',
    phone_number_id: number,
  },
  {
    name: 'pleased',
    duration: 30,
    analytics: {
      sentiment: { label: 'positive', score: 1 },
      disposition: { interested: { matched: true }, 'do not call': { matched: false } },
    },
  },
  {
    name: 'by sip',
    to_phone_number: 'sip:ada@pbx.example.com',
    duration: 12,
    words: "It's at o'clock, 4711",
  },
]

let database: TestDatabase
let db: Db
const ids = new Map<string, string>()

async function insert(
  { name, open = false, words, analytics, ...columns }: Fixture,
  at: number,
  home = workspaceId,
) {
  const id = randomUUID()
  ids.set(name, id)
  const line = { turn: 1, role: 'user', content: words, start_time: 0, end_time: 1, interrupted: false }
  const row: Record<string, unknown> = {
    session_id: id,
    workspace_id: home,
    agent_id: ada,
    call_status: 'completed',
    call_type: 'outbound',
    to_phone_number: '+15550100',
    created_at: new Date(Date.UTC(2026, 0, 1) + at * 60_000),
    transcript: words && JSON.stringify([line]),
    ...columns,
  }
  const names = Object.keys(row)
  await database.query(
    `INSERT INTO calls (${names.join()}) VALUES (${names.map((_, n) => `$${n + 1}`).join()})`,
    Object.values(row),
  )
  // As in life: the end comes first, the analysis later.
  if (!open) await database.query('UPDATE calls SET finished = true WHERE session_id = $1', [id])
  if (analytics)
    await database.query('UPDATE calls SET analytics = $2 WHERE session_id = $1', [
      id,
      JSON.stringify(analytics),
    ])
}

beforeAll(async () => {
  database = await makeDatabase()
  const { hostname, pathname } = new URL(database.url)
  db = openDb(
    { host: decodeURIComponent(hostname), user: 'parley', database: pathname.slice(1) },
    4,
    () => {},
  )
  for (const [at, call] of calls.entries()) await insert(call, at)
  await insert({ name: 'elsewhere', words: 'appointment' }, 3, randomUUID())
})

afterAll(async () => {
  await db?.close()
  await database?.close()
})

const nameOf = (id: string) => [...ids].find(([, other]) => other === id)?.[0]

async function found(filter: CallFilter, countUpTo?: number, page = 1, limit = 20) {
  const { rows, total } = await pageOfCalls(db, workspaceId, filter, { page, limit }, countUpTo)
  return { names: rows.map(({ session_id }) => nameOf(session_id)), total }
}

describe('a list of calls', () => {
  it.each<[string, CallFilter, string[]]>([
    ['of an agent', { agentId: ben }, ['insured']],
    ['of a batch with words', { batchId: batch, search: 'insurance' }, ['insured']],
    ['that wait', { status: 'queued' }, ['waiting']],
    ['that nobody answered', { answered: false }, ['unanswered']],
    ['that ended so', { hangupReason: 'dial_no_answer' }, ['unanswered']],
    ['that came in', { type: 'inbound' }, ['long', 'running']],
    ['of a number of ours', { phoneNumberId: number }, ['long']],
    [
      'of no number of ours',
      { withNumber: false },
      ['by sip', 'pleased', 'unanswered', 'insured', 'booked', 'running', 'waiting'],
    ],
    [
      'that ended for no reason that is known',
      { hangupReason: 'none' },
      ['by sip', 'pleased', 'long', 'insured', 'booked'],
    ],
    ['of any number of ours', { withNumber: true }, ['long']],
    ['of at least a minute', { minSeconds: 60 }, ['long', 'booked']],
    ['of a length', { minSeconds: 10, maxSeconds: 60 }, ['by sip', 'pleased']],
    ['of no length at all', { minSeconds: 60, maxSeconds: 10 }, []],
    ['with a mood', { sentiment: 'positive' }, ['pleased']],
    ['with an outcome', { disposition: 'interested' }, ['pleased']],
    ['with an outcome that did not match', { disposition: 'do not call' }, []],
    ['by words, the last one incomplete', { search: 'appointment mond' }, ['booked']],
    ['by words that were not said together', { search: 'appointment insurance' }, []],
    ['by a word with an apostrophe', { search: "it's o'clock" }, ['by sip']],
    ['by nothing but signs', { search: '?!' }, []],
    ['by a whole number', { search: '+49 30 901820' }, ['long']],
    ['by the last digits of a number', { search: '1820' }, ['long']],
    ['by the number of a call that runs', { search: '0188' }, ['running']],
    ['by digits that were said', { search: '4711' }, ['by sip']],
    ['by a SIP address', { search: 'sip:ada@pbx' }, ['by sip']],
    ['by the id of the carrier', { search: 'carrier-42' }, ['booked']],
    ['by an operator of the search language', { search: "booked' | !" }, []],
  ])('%s', async (_, filter, expected) => {
    expect(await found(filter)).toEqual({ names: expected, total: expected.length })
    expect(await found(filter, 100)).toEqual({ names: expected, total: expected.length })
  })

  it('by a session id, of a call that has ended and of one that has not', async () => {
    for (const name of ['booked', 'waiting'])
      expect(await found({ search: ids.get(name)?.toUpperCase() })).toEqual({ names: [name], total: 1 })
    expect((await found({ search: ids.get('elsewhere') })).total).toBe(0)
  })

  it('is counted no further than asked, and its pages are in order', async () => {
    const completed = { status: 'completed' } as const
    const all = await found(completed)
    expect(all).toEqual({ names: ['by sip', 'pleased', 'long', 'insured', 'booked'], total: 5 })
    expect(await found(completed, 3, 1, 2)).toEqual({ names: all.names.slice(0, 2), total: 3 })
    expect(await found(completed, 3, 2, 2)).toEqual({ names: all.names.slice(2, 4), total: 3 })
    expect(await found(completed, undefined, 3, 2)).toEqual({ names: ['booked'], total: 5 })
    expect((await found({}, 3)).total).toBe(3)
  })

  it('forgets what is erased from a call', async () => {
    await database.query('UPDATE calls SET transcript = NULL WHERE session_id = $1', [ids.get('insured')])
    expect((await found({ search: 'insurance' })).total).toBe(0)
  })

  it('has a call whose record cannot be indexed', async () => {
    await insert(
      { name: 'broken', analytics: { disposition: { [`${'x'.repeat(5000)}`]: { matched: true } } } },
      99,
    )
    expect((await found({ status: 'completed' })).names[0]).toBe('broken')
  })
})
