// The rate limit of a key, in one process and across two.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import {
  makeDatabase,
  openService,
  type TestDatabase,
  type TestService,
  unboundKey,
  workspaceId,
} from '../support/service.ts'

const open: TestService[] = []
let database: TestDatabase | undefined
const start = async (env: Record<string, string>, shared?: TestDatabase) => {
  const service = await openService(env, shared)
  open.push(service)
  return service
}
afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
  await database?.close()
  database = undefined
})

const list = (service: TestService) => service.ask('GET', '/agents')

describe.each(['memory', 'postgres'])('counted in %s', (PARLEY_RATE_LIMIT_STORE) => {
  it('admits the quota, then answers 429 with Retry-After', async () => {
    const service = await start({ PARLEY_RATE_LIMIT: '5', PARLEY_RATE_LIMIT_STORE })
    const replies = []
    for (let at = 0; at < 7; at++) replies.push(await list(service))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(replies[0]?.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60')
    expect(replies[0]?.headers.get('ratelimit')).toMatch(/^"default";r=4;t=(59|60)$/)
    expect(replies[5]?.body.code).toBe('RATE_LIMITED')
    const wait = Number(replies[5]?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
  })

  it('counts each key separately', async () => {
    const service = await start({ PARLEY_RATE_LIMIT: '1', PARLEY_RATE_LIMIT_STORE })
    await list(service)
    expect((await list(service)).status).toBe(429)
    const other = await service.ask('GET', '/agents', {
      headers: { 'x-api-key': unboundKey, 'x-workspace-id': workspaceId },
    })
    expect(other.status).toBe(200)
  })
})

it('is shared between processes through PostgreSQL', async () => {
  database = await makeDatabase()
  const env = { PARLEY_RATE_LIMIT: '6', PARLEY_RATE_LIMIT_STORE: 'postgres' }
  const services = [await start(env, database), await start(env, database)] as const
  const statuses = []
  for (let at = 0; at < 10; at++) statuses.push((await list(services[at % 2 ? 0 : 1])).status)
  expect(statuses.filter((status) => status === 200).length).toBe(6)
})

it('is applied before idempotency: a 429 is not replayed', async () => {
  const service = await start({ PARLEY_RATE_LIMIT: '1' })
  await list(service)
  const headers = { 'idempotency-key': randomUUID() }
  const body = { agent_config: { agent_name: 'x', llm_agent: {} } }
  expect((await service.ask('POST', '/agents', { headers, body })).status).toBe(429)
  expect(await service.database.query('SELECT 1 FROM idempotent_answers')).toEqual([])
})

describe('failed authentication', () => {
  const strange = (service: TestService, forwardedFor?: string) =>
    service.bare('GET', '/agent/v1/agents', {
      headers: { 'x-api-key': 'svc_nobody', ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) },
    })
  const statuses = async (asked: (() => Promise<{ status: number }>)[]) => {
    const answers = []
    for (const ask of asked) answers.push((await ask()).status)
    return answers
  }

  it('is limited per address, on all doors together, and is counted', async () => {
    const service = await start({ PARLEY_AUTH_FAILURE_LIMIT: '4' })
    const doors = [
      () => strange(service),
      () =>
        service.bare('POST', '/v1/transcripts', { headers: { authorization: 'svc_nobody' }, body: '{bad' }),
      () => service.bare('GET', '/dashboard/api/workspaces'),
      () => service.bare('POST', '/dashboard/api/session', { body: { email: 'a@b.example', password: 'x' } }),
    ]
    expect(await statuses([...doors, ...doors])).toEqual([401, 401, 401, 401, 429, 429, 429, 429])
    const { headers, body } = await strange(service)
    expect(body.code).toBe('RATE_LIMITED')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    // Nobody is locked out by what others do at the same address.
    expect((await list(service)).status).toBe(200)
    const { text } = await service.bare('GET', '/metrics')
    expect(text).toContain('parley_failed_authentications_total{status="401"} 4')
    expect(text).toContain('parley_failed_authentications_total{status="429"} 5')
  })

  it('does not believe X-Forwarded-For unless there is a proxy', async () => {
    const service = await start({ PARLEY_AUTH_FAILURE_LIMIT: '1' })
    expect(await statuses([1, 2].map((at) => () => strange(service, `192.0.2.${at}`)))).toEqual([401, 429])
  })

  it.each([
    ['true', '192.0.2.1', '192.0.2.2'],
    ['2', '192.0.2.1, 10.0.0.1', '192.0.2.2, 10.0.0.1'],
    ['127.0.0.1, 10.0.0.0/8', '192.0.2.1, 10.0.0.1, 10.0.0.2', '192.0.2.2, 10.0.0.1'],
  ])('behind the proxy %s is counted for the client, whatever it says itself', async (proxy, one, other) => {
    const service = await start({ PARLEY_AUTH_FAILURE_LIMIT: '1', PARLEY_TRUST_PROXY: proxy })
    const asked = [one, `203.0.113.7, ${one}`, other].map((by) => () => strange(service, by))
    expect(await statuses(asked)).toEqual([401, 429, 401])
  })
})
