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
} from './support/service.ts'

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
