// Services on one database, some of which run scripted calls, and requests that tests of calls share.
import { expect } from 'vitest'
import { type ScriptedRunner, type Step, scriptedRunner } from './scripted-runner.ts'
import { makeDatabase, openService, type TestDatabase, type TestService } from './service.ts'

export interface CallFixture {
  readonly database: TestDatabase
  /** Only answers requests. */
  api(env?: Record<string, string>): Promise<TestService>
  /** Only runs calls. */
  media(env?: Record<string, string>, capacity?: number): Promise<TestService & { runner: ScriptedRunner }>
  close(): Promise<void>
}

const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0' }

export async function openCallFixture(): Promise<CallFixture> {
  const database = await makeDatabase()
  const open = new Set<TestService>()
  const keep = <Opened extends TestService>(service: Opened): Opened => {
    const kept = {
      ...service,
      close() {
        open.delete(kept)
        return service.close()
      },
    }
    open.add(kept)
    return kept
  }
  return {
    database,
    api: async (env = {}) =>
      keep(await openService({ ...quick, PARLEY_ROLES: 'api,worker', ...env }, database)),
    async media(env = {}, capacity = 10) {
      let runner = scriptedRunner(capacity)
      const only = { ...quick, PARLEY_ROLES: 'media', ...env }
      const service = await openService(only, database, ({ recordingsFolder }) => {
        runner = scriptedRunner(capacity, recordingsFolder)
        return runner
      })
      return keep({ ...service, runner })
    },
    async close() {
      for (const service of [...open].reverse()) await service.close()
      await database.close()
    },
  }
}

export async function newAgent(service: TestService, more: object = {}): Promise<string> {
  const body = { agent_config: { agent_name: 'Ada', llm_agent: {}, ...more } }
  return (await service.ask('POST', '/agents', { body })).body.data.agent_id
}

export interface CallWish {
  readonly script?: readonly Step[]
  readonly [field: string]: unknown
}

/** The session id of a new call that follows the script. */
export async function placeCall(
  service: TestService,
  agentId: string,
  placing: CallWish = {},
): Promise<string> {
  const { script = [], ...more } = placing
  const body = { agent_id: agentId, to_phone_number: '+15550100', metadata: { script }, ...more }
  const reply = await service.ask('POST', '/calls', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.data.session_id
}

/** Reads a call. Throws, with what the service has logged, if the request is refused. */
export const detailOf = async (service: TestService, sessionId: string) => {
  const { status, body, text } = await service.ask('GET', `/call/detail/${sessionId}`)
  if (status === 200) return body.data
  const logged = service.log.filter((line) => line.includes(body?.request_id))
  throw new Error(`The call's detail was answered with ${status}: ${text}\n${logged.join('')}`)
}

/** Waits until the call is in one of these states. */
export const reaches = async (service: TestService, sessionId: string, ...statuses: string[]) => {
  const status = async () => (await detailOf(service, sessionId)).call_status
  await expect.poll(status).toBeOneOf(statuses)
  return detailOf(service, sessionId)
}

/** The events published for this call. */
export const eventsOf = async (database: TestDatabase, sessionId: string) =>
  (
    await database.query<{ payload: string }>('SELECT payload FROM events WHERE payload LIKE $1', [
      `%${sessionId}%`,
    ])
  ).map(({ payload }) => JSON.parse(payload).data)
