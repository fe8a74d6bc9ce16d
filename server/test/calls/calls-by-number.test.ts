// Calls that go out from a number of the workspace and come in by one: which number, which agent, whose limits.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carrierChooser } from '../../src/carriers/choose-carrier.ts'
import { soundOnly } from '../../src/carriers/over-sound-only.ts'
import type { CarrierChoice } from '../../src/main/open-carriers.ts'
import type { Admit, CalledNumber } from '../../src/ports/arrival.ts'
import { detailOf, eventsOf, newAgent, reaches } from '../support/call-fixture.ts'
import { type ScriptedRunner, scriptedRunner } from '../support/scripted-runner.ts'
import {
  makeDatabase,
  openService,
  type TestDatabase,
  type TestService,
  workspaceId,
} from '../support/service.ts'

interface Phone extends TestService {
  readonly runner: ScriptedRunner
  readonly admit: Admit
}

/** A process that runs calls, with a SIP line whose door the test stands at. */
async function openPhone(
  database: TestDatabase,
  env: Record<string, string> = {},
  capacity = 20,
): Promise<Phone> {
  const runner = scriptedRunner(capacity)
  let admit: Admit | undefined
  const carriers: CarrierChoice = {
    descriptions: {
      sip: {
        name: 'sip',
        can: soundOnly.can,
        open: () => ({ close() {} }),
        openDoor(parts) {
          admit = parts.admit
          return { close() {} }
        },
      },
    },
    choose: carrierChooser('numbers'),
  }
  const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0', ...env }
  const service = await openService(quick, database, () => runner, undefined, carriers)
  return { ...service, runner, admit: admit as Admit }
}

let database: TestDatabase
let phone: Phone
let other: Phone
let agentId: string
beforeAll(async () => {
  database = await makeDatabase()
  phone = await openPhone(database)
  other = await openPhone(database, { PARLEY_ROLES: 'media' })
  agentId = await newAgent(phone)
})
afterAll(async () => {
  await other?.close()
  await phone?.close()
  await database?.close()
})

let last = 4930901500
const unused = () => `+${++last}`

async function newNumber(
  more: object = {},
  credentials: object = {},
): Promise<{ id: string; number: string }> {
  const number = unused()
  const trunk = { host: 'trunk.example', ...credentials }
  const body = { phone_number: number, provider: 'sip', credentials: trunk, ...more }
  const reply = await phone.ask('POST', '/phone-numbers', { body })
  expect(reply.status, reply.text).toBe(201)
  return { id: reply.body.data.phone_number_id, number }
}
const patch = (id: string, body: object) => phone.ask('PATCH', `/phone-numbers/${id}`, { body })

const arrivalOf = () => {
  const refusals: string[] = []
  const refuse = (reason: string) => void refusals.push(reason)
  return { refusals, arrival: { carrier: 'sip', handover: { payload: null, transfer: [] }, refuse } }
}

const call = (more: Partial<CalledNumber>, at: Phone = phone) =>
  at.admit(
    {
      by: 'number',
      provider: 'sip',
      trunkId: null,
      called: '',
      caller: '+4917112345',
      variables: {},
      ...more,
    },
    arrivalOf().arrival,
  )

const countCalls = async () =>
  (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM calls'))[0]?.n

/** Runs no call to its end before it is released. */
async function whileNoneEnds<T>(at: readonly Phone[], act: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const { runner } of at) runner.mayEnd = promise
  try {
    return await act()
  } finally {
    resolve()
    for (const { runner } of at) {
      runner.mayEnd = Promise.resolve()
      await expect.poll(() => runner.live.size).toBe(0)
    }
  }
}

describe('a call that comes in', () => {
  it('is taken by the agent of the number that was called, with the same record and event', async () => {
    const { id, number } = await newNumber({ inbound_agent_id: agentId })
    const admission = await call({ trunkId: id, called: number, variables: { caller_name: 'Ada' } })
    if (admission.is !== 'in') throw new Error(admission.is)
    const { sessionId } = admission
    await reaches(phone, sessionId, 'completed')
    expect(await detailOf(phone, sessionId)).toMatchObject({
      call_type: 'inbound',
      provider: 'sip',
      sandbox: false,
      agent_id: agentId,
      from_phone_number: '+4917112345',
      to_phone_number: number,
      variables: { caller_name: 'Ada' },
      call_status: 'completed',
      hangup_reason: 'user_hangup',
    })
    const plan = phone.runner.plans.find((one) => one.sessionId === sessionId)
    expect(plan).toMatchObject({
      callType: 'inbound',
      number: { id, provider: 'sip' },
      variables: { caller_name: 'Ada' },
    })
    await expect.poll(() => eventsOf(database, sessionId)).toHaveLength(1)
    expect((await eventsOf(database, sessionId))[0]).toMatchObject({
      call_type: 'inbound',
      to_phone_number: number,
    })
    const events = await database.query('SELECT seq FROM call_events WHERE session_id = $1 ORDER BY seq', [
      sessionId,
    ])
    expect(events.map((row) => (row as { seq: number }).seq).slice(0, 3)).toEqual([1, 2, 3])
  })

  it('is taken by the agent that it names, else by that of the trunk', async () => {
    const named = await newAgent(phone)
    const { id } = await newNumber({ inbound_agent_id: agentId })
    const agentOf = async (called: string) => {
      const admission = await call({ trunkId: id, called })
      return admission.is === 'in' ? (await detailOf(phone, admission.sessionId)).agent_id : admission.is
    }
    expect(await agentOf(named)).toBe(named)
    expect(await agentOf(named.toUpperCase())).toBe(named)
    expect(await agentOf('+15005550006')).toBe(agentId)
    expect(await agentOf('reception')).toBe(agentId)
    expect(await agentOf(randomUUID())).toBe(agentId)
  })

  it('from an address that needs no trunk reaches agents by their id only', async () => {
    const { number } = await newNumber({ inbound_agent_id: agentId })
    expect(await call({ called: agentId, caller: null })).toMatchObject({ is: 'in' })
    expect(await call({ called: number })).toEqual({ is: 'unknown' })
    expect(await call({ called: randomUUID() })).toEqual({ is: 'unknown' })
  })

  it('that leads to no agent leaves no record', async () => {
    const silent = await newNumber()
    const inactive = await newNumber({ inbound_agent_id: agentId, status: 'inactive' })
    const trunk = await newNumber({ inbound_agent_id: agentId })
    const asleep = await newAgent(phone, { status: 'inactive' })
    const before = await countCalls()
    expect(await call({ trunkId: silent.id, called: silent.number })).toEqual({ is: 'unknown' })
    expect(await call({ trunkId: inactive.id, called: inactive.number })).toEqual({ is: 'unknown' })
    expect(await call({ trunkId: trunk.id, called: inactive.number })).toEqual({ is: 'unknown' })
    expect(await call({ trunkId: randomUUID(), called: trunk.number })).toEqual({ is: 'unknown' })
    expect(await call({ trunkId: silent.id, called: asleep })).toEqual({ is: 'unknown' })
    expect(await call({ called: asleep })).toEqual({ is: 'unknown' })
    expect(await countCalls()).toBe(before)
  })

  it('does not reach an agent of another workspace through a trunk', async () => {
    const theirs = randomUUID()
    await database.query(
      `INSERT INTO agents (agent_id, workspace_id, status, config) VALUES ($1, gen_random_uuid(), 'active', '{}')`,
      [theirs],
    )
    const { id } = await newNumber()
    expect(await call({ trunkId: id, called: theirs })).toEqual({ is: 'unknown' })
  })
})

describe('the limit of a number', () => {
  it('lets one of two calls in for the last line, on two processes', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, number } = await newNumber({ inbound_agent_id: agentId, max_concurrency: 1 })
      await whileNoneEnds([phone, other], async () => {
        const admissions = await Promise.all(
          [phone, other, phone, other].map((at) => call({ trunkId: id, called: number }, at)),
        )
        expect(admissions.map(({ is }) => is).sort()).toEqual(['full', 'full', 'full', 'in'])
      })
    }
  })

  it('counts calls in both directions', async () => {
    const { id, number } = await newNumber({ inbound_agent_id: agentId, max_concurrency: 2 })
    await whileNoneEnds([phone, other], async () => {
      expect(await call({ trunkId: id, called: number })).toMatchObject({ is: 'in' })
      const body = { agent_id: agentId, to_phone_number: '+4930901820', phone_number_id: id }
      const placed = await Promise.all([1, 2, 3].map(() => phone.ask('POST', '/calls', { body })))
      const ids = placed.map((reply) => reply.body.data.session_id)
      const states = async () => Promise.all(ids.map(async (one) => (await detailOf(phone, one)).call_status))
      await expect.poll(states).toContain('initiated')
      expect(await call({ trunkId: id, called: number }, other)).toEqual({ is: 'full' })
      expect((await states()).filter((status) => status === 'queued')).toHaveLength(2)
    })
    const open = 'SELECT count(*)::int AS n FROM calls WHERE phone_number_id = $1 AND NOT finished'
    await expect.poll(async () => (await database.query(open, [id]))[0]).toEqual({ n: 0 })
  })

  it('of the workspace holds for calls that come in', async () => {
    const { id, number } = await newNumber({ inbound_agent_id: agentId })
    await database.query('UPDATE workspaces SET max_concurrency = 1 WHERE workspace_id = $1', [workspaceId])
    await whileNoneEnds([phone, other], async () => {
      expect(await call({ trunkId: id, called: number })).toMatchObject({ is: 'in' })
      expect(await call({ trunkId: id, called: number }, other)).toEqual({ is: 'full' })
    })
    await database.query('UPDATE workspaces SET max_concurrency = NULL')
  })
})

describe('a call that goes out', () => {
  const place = async (more: object) => {
    const body = { agent_id: agentId, to_phone_number: '+4930901820', ...more }
    return phone.ask('POST', '/calls', { body })
  }
  const from = async (more: object) => {
    const reply = await place(more)
    expect(reply.status, reply.text).toBe(201)
    await reaches(phone, reply.body.data.session_id, 'completed')
    const runner = [phone, other].flatMap(({ runner }) => runner.plans)
    const plan = runner.find(({ sessionId }) => sessionId === reply.body.data.session_id)
    return {
      from: reply.body.data.from_phone_number,
      planned: plan?.from,
      provider: plan?.provider,
      number: plan?.number,
    }
  }
  const expected = ({ id, number }: { id: string; number: string }) => ({
    from: number,
    planned: number,
    provider: 'sip',
    number: { id, provider: 'sip' },
  })

  it('goes out from the number that it names, by id or as it is written', async () => {
    const one = await newNumber()
    expect(await from({ phone_number_id: one.id.toUpperCase() })).toEqual(expected(one))
    expect(await from({ from_phone_number: one.number })).toEqual(expected(one))
  })

  it('goes out from the number of its agent', async () => {
    const [one, two] = [await newNumber(), await newNumber()]
    const withNumber = await newAgent(phone, { phone_number_id: one.id })
    expect(await from({ agent_id: withNumber })).toEqual(expected(one))
    const outbound = await newAgent(phone)
    await patch(two.id, { outbound_agent_id: outbound })
    expect(await from({ agent_id: outbound })).toEqual(expected(two))
    expect(await from({ agent_id: withNumber, phone_number_id: two.id })).toEqual(expected(two))
  })

  it('goes out from the oldest number that fits, if nothing names one', async () => {
    await database.query("UPDATE phone_numbers SET status = 'inactive'")
    await newNumber({ outbound_agent_id: await newAgent(phone) })
    const austrian = await newNumber({}, { prefixes: ['+43'] })
    const oldest = await newNumber()
    const german = await newNumber({}, { prefixes: ['+49'] })
    await newNumber()
    expect(await from({})).toEqual(expected(german))
    await patch(german.id, { status: 'inactive' })
    expect(await from({})).toEqual(expected(oldest))
    await patch(oldest.id, { status: 'inactive' })
    expect((await from({})).from).not.toBe(austrian.number)
  })

  it('to the sandbox needs no number and takes any', async () => {
    expect((await place({ to_phone_number: '+15550100' })).body.data.from_phone_number).toBeNull()
    const any = await place({ to_phone_number: '+15550100', from_phone_number: '+15550199' })
    expect(any.body.data.from_phone_number).toBe('+15550199')
  })

  it.each([
    [
      'a caller id of somebody else',
      { from_phone_number: '+4930111111' },
      404,
      'PHONE_NUMBER_NOT_FOUND',
      'from_phone_number',
    ],
    [
      'an unknown number',
      { phone_number_id: randomUUID() },
      404,
      'PHONE_NUMBER_NOT_FOUND',
      'phone_number_id',
    ],
    [
      'a premium number',
      { to_phone_number: '+499001234567' },
      400,
      'DESTINATION_NOT_ALLOWED',
      'to_phone_number',
    ],
    [
      'another country',
      { to_phone_number: '+442079460018' },
      400,
      'DESTINATION_NOT_ALLOWED',
      'to_phone_number',
    ],
    ['a satellite', { to_phone_number: '+881612345678' }, 400, 'DESTINATION_NOT_ALLOWED', 'to_phone_number'],
    [
      'a strange address',
      { to_phone_number: 'sip:a@b.example' },
      400,
      'DESTINATION_NOT_ALLOWED',
      'to_phone_number',
    ],
    ['the police', { to_phone_number: '+49110' }, 400, 'EMERGENCY_NUMBER', 'to_phone_number'],
    ['911 in the sandbox', { to_phone_number: '+1911' }, 400, 'EMERGENCY_NUMBER', 'to_phone_number'],
  ])('is refused for %s', async (_what, more, status, code, path) => {
    await newNumber()
    const reply = await place(more)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(reply.body.details).toEqual([{ path, message: expect.stringMatching(/\.$/) }])
  })

  it('is refused from a number that is inactive or gone', async () => {
    const { id, number } = await newNumber({ status: 'inactive' })
    expect((await place({ phone_number_id: id })).body.code).toBe('PHONE_NUMBER_INACTIVE')
    expect((await place({ from_phone_number: number })).body.code).toBe('PHONE_NUMBER_INACTIVE')
    const gone = await newNumber()
    const orphan = await newAgent(phone, { phone_number_id: gone.id })
    await database.query('DELETE FROM phone_numbers WHERE phone_number_id = $1', [gone.id])
    expect((await place({ agent_id: orphan })).body.details[0].message).toContain("agent's phone_number_id")
    expect((await place({ agent_id: orphan, to_phone_number: '+15550100' })).status).toBe(201)
  })

  it('from a number of the sandbox stays in the sandbox', async () => {
    const body = { phone_number: unused(), provider: 'sandbox' }
    const { phone_number_id } = (await phone.ask('POST', '/phone-numbers', { body })).body.data
    const reply = await place({ phone_number_id })
    expect([reply.body.code, reply.body.message]).toEqual([
      'NO_LINE_TO_NUMBER',
      expect.stringContaining('sandbox'),
    ])
    expect((await place({ phone_number_id, to_phone_number: '+15550100' })).status).toBe(201)
  })

  it('whose number was deleted while it waited fails, with the reason', async () => {
    const { id } = await newNumber()
    const schedule_time = new Date(Date.now() + 3_600_000).toISOString()
    const waiting = (await place({ phone_number_id: id, schedule_time })).body.data.session_id
    await database.query('DELETE FROM phone_numbers WHERE phone_number_id = $1', [id])
    await database.query('UPDATE calls SET due_at = now() WHERE session_id = $1', [waiting])
    await reaches(phone, waiting, 'completed')
    const plan = [phone, other]
      .flatMap(({ runner }) => runner.plans)
      .find(({ sessionId }) => sessionId === waiting)
    expect(plan?.number).toBeNull()
    const again = carrierChooser('numbers')({ to: '+4930901820', from: null, number: null, provider: 'sip' })
    expect(again).toEqual({ is: 'refused', reason: expect.stringContaining('does not exist any more') })
  })

  it('counts what was refused, by reason', async () => {
    const { text } = await phone.bare('GET', '/metrics')
    for (const reason of ['emergency', 'premium', 'country', 'satellite', 'address'])
      expect(text).toMatch(new RegExp(`parley_destinations_refused_total\\{reason="${reason}"\\} [1-9]`))
  })
})

describe('a batch', () => {
  const create = (more: object, recipients: readonly string[]) =>
    phone.ask('POST', '/batch-calls', {
      body: {
        agent_id: agentId,
        name: 'B',
        ...more,
        recipients: recipients.map((to_phone_number) => ({ to_phone_number })),
      },
    })

  it('calls from its number, and simulated people from it too', async () => {
    const { id, number } = await newNumber()
    const reply = await create({ phone_number_id: id }, ['+4930901820', '+15550100'])
    expect(reply.status, reply.text).toBe(201)
    const { batch_id } = reply.body.data
    await phone.ask('POST', `/batch-calls/${batch_id}/execute`)
    const rows = () =>
      database.query(
        'SELECT provider, from_phone_number, phone_number_id, finished FROM calls WHERE batch_id = $1 ORDER BY provider',
        [batch_id],
      )
    const line = { from_phone_number: number, phone_number_id: id, finished: true }
    await expect.poll(rows).toEqual([
      { provider: 'sandbox', ...line },
      { provider: 'sip', ...line },
    ])
    expect((await phone.ask('GET', `/batch-calls/${batch_id}`)).body.data).toMatchObject({
      from_phone_number: number,
      sandbox_count: 1,
    })
  })

  it('is refused with the rows that may not be called', async () => {
    await newNumber()
    const reply = await create({}, ['+4930901820', '+499001234567', '+15550100', '+442079460018'])
    expect([reply.status, reply.body.code]).toEqual([400, 'DESTINATION_NOT_ALLOWED'])
    expect(reply.body.details.map(({ path }: { path: string }) => path)).toEqual([
      'recipients.1.to_phone_number',
      'recipients.3.to_phone_number',
    ])
    expect(reply.body.details[0].message).toContain('Row 2: ')
  })

  it('is refused if its number cannot carry it', async () => {
    const body = { phone_number: unused(), provider: 'sandbox' }
    const { phone_number_id } = (await phone.ask('POST', '/phone-numbers', { body })).body.data
    const reply = await create({ phone_number_id }, ['+15550100', '+4930901820'])
    expect([reply.body.code, reply.body.details[0].path]).toEqual([
      'NO_LINE_TO_NUMBER',
      'recipients.1.to_phone_number',
    ])
    const foreign = await create({ from_phone_number: '+4930111111' }, ['+4930901820'])
    expect([foreign.status, foreign.body.code]).toEqual([404, 'PHONE_NUMBER_NOT_FOUND'])
    expect((await create({ from_phone_number: '+4930111111' }, ['+15550100'])).status).toBe(201)
  })
})

describe('a workspace', () => {
  const limit = (change: string) =>
    database.query(`UPDATE workspaces SET ${change} WHERE workspace_id = $1`, [workspaceId])
  const place = (more: object = {}) =>
    phone.ask('POST', '/calls', { body: { agent_id: agentId, to_phone_number: '+4930901820', ...more } })

  it('calls what it is allowed to', async () => {
    await newNumber()
    await limit(`allowed_destinations = '{FR,+8816}'`)
    const placed = [
      await place({ to_phone_number: '+33142685300' }),
      await place({ to_phone_number: '+881612345678' }),
    ]
    expect(placed.map(({ status }) => status)).toEqual([201, 201])
    expect((await place()).body.code).toBe('DESTINATION_NOT_ALLOWED')
    // Calls are ended here: one that waited longer would count under the limits of the next test.
    for (const { body } of placed) await reaches(phone, body.data.session_id, 'completed')
    await limit('allowed_destinations = NULL')
  })

  it('has no more calls a minute and a day than it may, and the rest waits', async () => {
    const { id } = await newNumber()
    await limit('calls_per_day = 2')
    const numbers = { phone_number_id: id }
    // All four are due at once: the fourth would be refused if two were dialled before it was placed.
    const later = { ...numbers, schedule_time: new Date(Date.now() + 3_600_000).toISOString() }
    const placed = await Promise.all([1, 2, 3, 4].map(() => place(later)))
    const ids = placed.map((reply) => reply.body.data.session_id)
    await database.query(
      "UPDATE calls SET due_at = now(), call_status = 'queued' WHERE session_id = ANY($1::uuid[])",
      [ids],
    )
    await database.query('NOTIFY calls')
    const statuses = async () =>
      (await Promise.all(ids.map((sessionId) => detailOf(phone, sessionId)))).map(
        ({ call_status }) => call_status,
      )
    await expect
      .poll(async () => (await statuses()).filter((status) => status === 'completed'))
      .toHaveLength(2)
    // A simulated call is claimed after them, and costs nothing.
    const simulated = await place({ to_phone_number: '+15550100' })
    await reaches(phone, simulated.body.data.session_id, 'completed')
    expect((await statuses()).filter((status) => status === 'queued')).toHaveLength(2)
    expect((await place(numbers)).body.code).toBe('CALLS_PER_DAY_REACHED')
    await database.query("UPDATE dialled_calls SET day = day - 1, minute = minute - interval '1 day'")
    await database.query('NOTIFY calls')
    await expect
      .poll(async () => (await statuses()).filter((status) => status === 'completed'))
      .toHaveLength(4)
    await limit('calls_per_day = NULL, calls_per_minute = NULL')
  })
})
