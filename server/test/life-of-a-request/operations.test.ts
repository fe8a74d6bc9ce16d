// For operators: liveness, readiness, metrics.
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it('liveness needs no key', async () => {
  const { status, body } = await service.bare('GET', '/healthz')
  expect([status, body]).toEqual([200, { status: 'ok' }])
})

it('is ready in each of its roles', async () => {
  for (const role of ['api', 'worker', 'media', 'speech']) {
    const { status, body } = await service.bare('GET', `/readyz/${role}`)
    expect([role, status, body.status]).toEqual([role, 200, 'ready'])
  }
  expect((await service.bare('GET', '/readyz/cook')).status).toBe(404)
})

it('is ready while its database answers, and not ready otherwise', async () => {
  const ready = async () => (await service.bare('GET', '/readyz')).status
  expect(await ready()).toBe(200)
  const outside = new pg.Client({ host: inject('postgresSocket'), user: 'parley', database: 'postgres' })
  await outside.connect()
  const name = service.database.url.split('/').at(-1) ?? ''
  await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await outside.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  await expect.poll(ready).toBe(503)
  expect((await service.bare('GET', '/healthz')).status).toBe(200)
  await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  await outside.end()
  await expect.poll(ready).toBe(200)
})

it('counts requests by route, not by URL', async () => {
  await service.ask('GET', '/agents/99999999-9999-4999-8999-999999999999')
  const { text, headers } = await service.bare('GET', '/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(
    /parley_http_request_seconds_count\{method="GET",route="\/agent\/v1\/agents\/:id",status="404"\} \d+/,
  )
  expect(text).toContain('parley_database_connections{state="open"}')
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('99999999-9999-4999')
})
