// Requests that tests of batches share.
import { expect } from 'vitest'
import type { ScriptedRunner, Step } from './scripted-runner.ts'
import type { Reply, TestDatabase, TestService } from './service.ts'

export const forever: Step[] = [{ type: 'status', status: 'in-progress' }, { type: 'until-stopped' }]
export const ends = (outcome: object): Step[] => [{ type: 'outcome', outcome }]
export const noAnswer = ends({
  status: 'no-answer',
  terminatedBy: 'carrier',
  hangupReason: 'dial_no_answer',
  answeredBy: null,
})
export const carrierFails = ends({
  status: 'failed',
  terminatedBy: 'carrier',
  hangupReason: 'dial_failed',
  answeredBy: null,
})

export interface Recipient {
  readonly to_phone_number?: string
  readonly script?: readonly Step[]
  readonly [field: string]: unknown
}

/** `count` recipients, each with its own id; `more` adds further fields. */
export const recipients = (count: number, more: (place: number) => Recipient = () => ({})) =>
  Array.from({ length: count }, (_, place) => {
    const { script, ...rest } = more(place)
    return {
      to_phone_number: `+1555${String(place).padStart(7, '0')}`,
      recipient_id: `r${place}`,
      ...(script && { metadata: { script } }),
      ...rest,
    }
  })

/** `count` recipients whose calls all follow the script. */
export const alike = (count: number, script?: Step[]) => recipients(count, () => (script ? { script } : {}))

export const createBatch = (service: TestService, body: object): Promise<Reply> =>
  service.ask('POST', '/batch-calls', { body: { name: 'Reminders', ...body } })

/** The id of a new batch. */
export async function newBatch(service: TestService, body: object): Promise<string> {
  const reply = await createBatch(service, body)
  expect(reply.status, reply.text).toBe(201)
  return reply.body.data.batch_id
}

export const command = (service: TestService, batchId: string, name: string): Promise<Reply> =>
  service.ask('POST', `/batch-calls/${batchId}/${name}`)

export async function execute(service: TestService, batchId: string): Promise<void> {
  const reply = await command(service, batchId, 'execute')
  expect(reply.status, reply.text).toBe(200)
}

/** The id of a new running batch. */
export async function startedBatch(service: TestService, body: object): Promise<string> {
  const id = await newBatch(service, body)
  await execute(service, id)
  return id
}

export const batchOf = async (service: TestService, batchId: string) =>
  (await service.ask('GET', `/batch-calls/${batchId}`)).body.data

/** Waits until the batch is in this state. */
export async function becomes(service: TestService, batchId: string, status: string) {
  const found = async () => (await batchOf(service, batchId)).status
  await expect.poll(found, { interval: 50 }).toBe(status)
  return batchOf(service, batchId)
}

export const recipientsOf = async (service: TestService, batchId: string, query = 'limit=100') =>
  (await service.ask('GET', `/batch-calls/${batchId}/recipients?${query}`)).body.data.data

export const callsOf = (database: TestDatabase, batchId: string) =>
  database.query<{ session_id: string; call_status: string }>(
    'SELECT session_id, call_status FROM calls WHERE batch_id = $1 ORDER BY created_at',
    [batchId],
  )

export const dialled = (...runners: ScriptedRunner[]) =>
  runners.flatMap(({ plans }) => plans.map(({ to }) => to))

/** Counts what is in the database. */
export const storedIn = async (database: TestDatabase) =>
  (
    await database.query<{ batches: number; recipients: number }>(
      'SELECT (SELECT count(*)::int FROM batches) AS batches, (SELECT count(*)::int FROM batch_recipients) AS recipients',
    )
  )[0]
