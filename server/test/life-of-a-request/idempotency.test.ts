// A repeated POST: one execution and one response, in any process and at any time.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RawConnection } from '../support/requests/raw-http.ts'
import { boundKey, openService, type TestService, unboundKey, workspaceId } from '../support/service.ts'

let first: TestService
let second: TestService
beforeAll(async () => {
  first = await openService()
  second = await openService({}, first.database)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const newAgent = (agent_name = 'Ada') => ({ agent_config: { agent_name, llm_agent: {} } })
const post = (service: TestService, key: string, body: unknown, headers = {}) =>
  service.ask('POST', '/agents', { body, headers: { 'idempotency-key': key, ...headers } })
const named = async (name: string) =>
  (await first.database.query("SELECT 1 FROM agents WHERE config->>'agent_name' = $1", [name])).length

describe('a repeated POST', () => {
  it('gets the identical response, marked as replayed, and creates nothing', async () => {
    const key = randomUUID()
    const name = randomUUID()
    const once = await post(first, key, newAgent(name))
    const again = await post(first, key, newAgent(name))
    expect([once.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(once.text)
    expect(once.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await named(name)).toBe(1)
  })

  it('is not compared by its body', async () => {
    const key = randomUUID()
    const once = await post(first, key, newAgent())
    const other = await post(first, key, newAgent('someone else'))
    expect(other.text).toBe(once.text)
    expect((await post(first, key, { nonsense: true })).text).toBe(once.text)
  })

  it('gets it from another process too', async () => {
    const key = randomUUID()
    const once = await post(first, key, newAgent())
    expect((await post(second, key, newAgent())).text).toBe(once.text)
  })

  it('gets a 4xx again, even with a corrected body', async () => {
    const key = randomUUID()
    const refused = await post(first, key, { agent_config: {} })
    const mended = await post(second, key, newAgent())
    expect([refused.status, mended.status]).toEqual([400, 400])
    expect(mended.text).toBe(refused.text)
  })

  it.each([
    ['401', { 'x-api-key': 'svc_wrong_key' }, 401],
    ['411', { 'x-api-key': unboundKey }, 411],
    ['403', { 'x-api-key': boundKey, 'x-workspace-id': randomUUID() }, 403],
  ])('after a %s is executed: such responses are never stored', async (_what, headers, status) => {
    const key = randomUUID()
    expect((await post(first, key, newAgent(), headers)).status).toBe(status)
    expect((await post(first, key, newAgent())).status).toBe(201)
  })

  it('with another API key is another operation', async () => {
    const key = randomUUID()
    const once = await post(first, key, newAgent())
    const other = await post(first, key, newAgent(), {
      'x-api-key': unboundKey,
      'x-workspace-id': workspaceId,
    })
    expect(other.body.data.agent_id).not.toBe(once.body.data.agent_id)
  })

  it('after 24 hours is a new operation', async () => {
    const key = randomUUID()
    const once = await post(first, key, newAgent())
    await first.database.query("UPDATE idempotent_answers SET expires_at = now() - interval '1 second'")
    const later = await post(first, key, newAgent())
    expect(later.status).toBe(201)
    expect(later.body.data.agent_id).not.toBe(once.body.data.agent_id)
    expect(later.headers.get('idempotent-replayed')).toBeNull()
  })

  it('is remembered for 24 hours', async () => {
    await post(first, randomUUID(), newAgent())
    const [row] = await first.database.query<{ hours: number }>(
      'SELECT extract(epoch FROM max(expires_at) - now()) / 3600 AS hours FROM idempotent_answers',
    )
    expect(Number(row?.hours)).toBeCloseTo(24, 1)
  })
})

describe('a refused body', () => {
  const refused: [string, string, Record<string, string>, string][] = [
    ['that is not JSON', '{bad', {}, 'INVALID_JSON'],
    ['of another type', '<agent/>', { 'content-type': 'application/xml' }, 'UNSUPPORTED_CONTENT_TYPE'],
    ['that is compressed', '{}', { 'content-encoding': 'gzip' }, 'UNSUPPORTED_CONTENT_TYPE'],
    ['that is too large', `"${'x'.repeat(1_100_000)}"`, {}, 'PAYLOAD_TOO_LARGE'],
    ['that is nested too deeply', '['.repeat(100) + ']'.repeat(100), {}, 'INVALID_JSON'],
    ['that is invalid', '{"agent_config":{}}', {}, 'VALIDATION_ERROR'],
  ]

  it.each(refused)(
    '%s is remembered, and a good one does not replace it',
    async (_what, bad, headers, code) => {
      const key = randomUUID()
      const once = await post(first, key, bad, headers)
      expect([once.status, once.body.code]).toEqual([400, code])
      for (const service of [first, second]) {
        const again = await post(service, key, newAgent())
        expect(again.text).toBe(once.text)
        expect(again.headers.get('idempotent-replayed')).toBe('true')
      }
    },
  )

  it.each(refused)('%s is not looked at when there is an answer', async (_what, bad, headers) => {
    const key = randomUUID()
    const once = await post(first, key, newAgent())
    for (const service of [first, second]) {
      const again = await post(service, key, bad, headers)
      expect([again.status, again.text]).toEqual([201, once.text])
    }
  })

  it('is not even waited for when there is an answer', async () => {
    const key = randomUUID()
    const once = await post(first, key, newAgent())
    for (const length of [100, 500_000_000]) {
      const connection = new RawConnection(first.url)
      connection.begin('POST', '/agent/v1/agents', {
        'x-api-key': boundKey,
        'idempotency-key': key,
        'content-type': 'text/plain',
        'content-length': length,
      })
      expect((await connection.answer()).text).toBe(once.text)
      connection.destroy()
    }
  })
})

describe('a body that did not arrive', () => {
  const begun = (key: string, body: string, length = body.length, path = '/agents') =>
    new RawConnection(first.url)
      .begin('POST', `/agent/v1${path}`, {
        'x-api-key': boundKey,
        'idempotency-key': key,
        'content-type': 'application/json',
        'content-length': length,
      })
      .write(body)

  it.each(['/agents', '/batch-calls'])('at %s is not remembered as an answer', async (path) => {
    const key = randomUUID()
    const connection = begun(key, '{"name":"', 1_000, path)
    connection.socket.end()
    await connection.closed
    const again = await first.ask('POST', path, { body: {}, headers: { 'idempotency-key': key } })
    expect([again.body.code, again.headers.get('idempotent-replayed')]).toEqual(['VALIDATION_ERROR', null])
  })

  it('does not hold up a retry on another connection', async () => {
    const key = randomUUID()
    const connection = begun(key, '{"agent', 1_000)
    expect((await post(first, key, newAgent())).status).toBe(201)
    connection.destroy()
  })

  it('is not one whose client left right after sending it', async () => {
    const [key, name] = [randomUUID(), randomUUID()]
    begun(key, JSON.stringify(newAgent(name))).socket.destroySoon()
    await expect.poll(() => named(name)).toBe(1)
  })
})

describe('concurrent duplicates', () => {
  it('across two processes create one agent and all get its response', async () => {
    for (let round = 0; round < 10; round++) {
      const key = randomUUID()
      const name = randomUUID()
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) => post(at % 2 ? first : second, key, newAgent(name))),
      )
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
      expect(replies.filter(({ headers }) => headers.get('idempotent-replayed')).length).toBe(19)
      expect(await named(name)).toBe(1)
    }
  })
})

describe('an internal error', () => {
  it('is 500, is not stored, and leaves nothing behind', async () => {
    const key = randomUUID()
    const name = randomUUID()
    await first.database.query('ALTER TABLE agents RENAME TO agents_elsewhere')
    const failed = await post(first, key, newAgent(name))
    await first.database.query('ALTER TABLE agents_elsewhere RENAME TO agents')
    expect([failed.status, failed.body.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(failed.text).not.toMatch(/agents|relation|sql/i)
    expect((await post(first, key, newAgent(name))).status).toBe(201)
    expect(await named(name)).toBe(1)
  })
})

describe('a stored response', () => {
  it('is encrypted: it cannot be read from the table', async () => {
    const name = `secret-${randomUUID()}`
    await post(first, randomUUID(), newAgent(name))
    const rows = await first.database.query<{ answer: Buffer }>('SELECT answer FROM idempotent_answers')
    expect(rows.length).toBeGreaterThan(0)
    for (const { answer } of rows) expect(answer.toString('latin1')).not.toContain('agent')
  })
})

describe('the Idempotency-Key', () => {
  it.each([undefined, '', '   '])('given as %j is missing', async (key) => {
    const headers: Record<string, string> = { 'x-api-key': boundKey }
    if (key !== undefined) headers['idempotency-key'] = key
    const { status, body } = await first.bare('POST', '/agent/v1/agents', { headers, body: newAgent() })
    expect([status, body.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
  })

  it('may be any text', async () => {
    const key = 'order #1 – of "many"'.replace('–', '-').repeat(20)
    const once = await post(first, key, newAgent())
    expect((await post(first, key, newAgent())).text).toBe(once.text)
  })

  it('may be as long as the OpenAPI document says, and no longer', async () => {
    const { body } = await first.bare('GET', '/agent/v1/openapi.json')
    const { maxLength } = body.components.parameters.IdempotencyKey.schema
    expect((await post(first, 'x'.repeat(maxLength), newAgent())).status).toBe(201)
    const refused = await post(first, 'x'.repeat(maxLength + 1), newAgent())
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused.body.details).toEqual([
      { path: 'Idempotency-Key', message: `Must be at most ${maxLength} characters long.` },
    ])
  })

  it('is not required for GET, PATCH or DELETE', async () => {
    const { body } = await post(first, randomUUID(), newAgent())
    const path = `/agents/${body.data.agent_id}`
    expect((await first.ask('PATCH', path, { body: { agent_config: {} } })).status).toBe(200)
    expect((await first.ask('DELETE', path)).status).toBe(200)
  })
})
