// The dashboard's own API: sign-in, CSRF, roles, users, workspaces and keys.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, invite, owner, password, signIn } from '../support/people.ts'
import { admin, boundKey, openService, type TestService, workspaceId } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const office = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.bare(method, `/dashboard/api${path}`, { headers, body })

const boss = () => owner(service)
const member = (workspaceIds: string[] = []) =>
  workspaceIds.length > 0
    ? invite(service, { workspaces: workspaceIds.map((id) => as('editor', id)) })
    : invite(service, { owner: true })

describe('signing in', () => {
  it('gives a cookie that scripts cannot read and other sites cannot send', async () => {
    const { headers, body } = await office('POST', '/session', admin)
    expect(headers.get('set-cookie')).toMatch(
      /parley_session=ses_[^;]+; Path=\/dashboard; Expires=[^;]+; HttpOnly; SameSite=Strict/,
    )
    expect(body.data.user).toMatchObject({ email: admin.email, owner: true })
    expect(JSON.stringify(body)).not.toMatch(/ses_|scrypt/)
  })

  it.each([
    ['a wrong password', { email: admin.email, password: 'wrong' }],
    ['an unknown address', { email: 'nobody@example.com', password: 'wrong' }],
    ['what is no address', { email: 'admin', password: 'wrong' }],
  ])('with %s is 401, in the same words', async (_what, attempt) => {
    const { status, body } = await office('POST', '/session', attempt)
    expect([status, body.code]).toEqual([401, 'LOGIN_FAILED'])
  })

  it('is refused after ten wrong guesses', async () => {
    const email = `${randomUUID()}@example.com`
    for (let guess = 0; guess < 10; guess++) await office('POST', '/session', { email, password: 'wrong' })
    const { status, headers } = await office('POST', '/session', { email, password: 'wrong' })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is refused from another origin', async () => {
    const { status } = await office('POST', '/session', admin, { origin: 'https://evil.example' })
    expect(status).toBe(403)
    const own = await office('POST', '/session', admin, { origin: service.url })
    expect(own.status).toBe(201)
  })

  it('ends with signing out', async () => {
    const person = await boss()
    expect((await person.ask('GET', '/session')).status).toBe(200)
    expect((await person.ask('DELETE', '/session')).status).toBe(200)
    expect((await person.ask('GET', '/session')).status).toBe(401)
  })

  it('stores the password as scrypt and the session as a hash', async () => {
    const person = await boss()
    const rows = await service.database.query(
      'SELECT u.password_hash, encode(s.token_hash, $1) FROM users u, sessions s',
      ['escape'],
    )
    const text = JSON.stringify(rows)
    expect(text).toContain('scrypt$')
    expect(text).not.toContain(admin.password)
    expect(text).not.toContain(person.cookie.split('=')[1])
  })
})

describe('a request of a signed-in user', () => {
  it('needs the CSRF token unless it only reads', async () => {
    const { cookie, csrf } = await boss()
    const make = (headers: Record<string, string>) =>
      office('POST', '/workspaces', { name: 'x' }, { cookie, ...headers })
    expect((await make({})).body.code).toBe('CSRF_TOKEN_INVALID')
    expect((await make({ 'x-csrf-token': 'x'.repeat(csrf.length) })).status).toBe(403)
    const other = await boss()
    expect((await make({ 'x-csrf-token': other.csrf })).status).toBe(403)
    expect((await make({ 'x-csrf-token': csrf })).status).toBe(201)
    expect((await office('GET', '/workspaces', undefined, { cookie })).status).toBe(200)
  })
})

describe('the two credentials', () => {
  it('an API key is refused here', async () => {
    for (const headers of [
      { 'x-api-key': boundKey },
      { authorization: boundKey },
      { cookie: `parley_session=${boundKey}` },
    ]) {
      expect((await office('GET', '/keys', undefined, headers)).body.code).toBe('SESSION_REQUIRED')
    }
  })

  it('a session is refused by the Voice AI interface', async () => {
    const { cookie } = await boss()
    const token = cookie.split('=')[1] ?? ''
    const list = (headers: Record<string, string>) => service.bare('GET', '/agent/v1/agents', { headers })
    expect((await list({ cookie })).body.code).toBe('API_KEY_MISSING')
    expect((await list({ 'x-api-key': token })).body.code).toBe('API_KEY_INVALID')
  })
})

describe('API keys', () => {
  const voice = (key: string, headers = {}) =>
    service.bare('GET', '/agent/v1/agents', { headers: { 'x-api-key': key, ...headers } })

  it('are created bound, shown once, used, relabelled, revoked and reactivated', async () => {
    const person = await boss()
    const { status, body } = await person.ask('POST', '/keys', { label: 'CI', workspace_id: workspaceId })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      label: 'CI',
      workspace_id: workspaceId,
      active: true,
      last_used_at: null,
    })
    expect(body.data.key).toMatch(/^svc_[0-9A-Za-z]{40}$/)
    expect((await voice(body.data.key)).status).toBe(200)

    const listed = (await person.ask('GET', '/keys?limit=100')).text
    expect(listed).toContain(body.data.api_key_id)
    expect(listed).not.toContain(body.data.key)

    const path = `/keys/${body.data.api_key_id}`
    expect((await person.ask('PATCH', path, { label: 'CI 2' })).body.data.label).toBe('CI 2')
    expect((await person.ask('PATCH', path, { active: false })).body.data.active).toBe(false)
    await expect.poll(async () => (await voice(body.data.key)).body.code).toBe('API_KEY_INACTIVE')
    await person.ask('PATCH', path, { active: true })
    await expect.poll(async () => (await voice(body.data.key)).status).toBe(200)
  })

  it('are created unbound with access to some workspaces', async () => {
    const person = await boss()
    const { body: other } = await person.ask('POST', '/workspaces', { name: 'Other' })
    const { body } = await person.ask('POST', '/keys', {
      label: 'two',
      access: [workspaceId, other.data.workspace_id],
      workspace_id: null,
    })
    expect(body.data.workspace_id).toBeNull()
    expect((await voice(body.data.key, { 'x-workspace-id': other.data.workspace_id })).status).toBe(200)
    expect((await voice(body.data.key, { 'x-workspace-id': randomUUID() })).status).toBe(403)
    expect((await voice(body.data.key)).status).toBe(411)
  })

  it.each([
    ['neither bound nor unbound', { label: 'x' }],
    ['both', { label: 'x', workspace_id: workspaceId, access: [workspaceId] }],
    ['without a label', { label: '', workspace_id: workspaceId }],
    ['for an unknown workspace', { label: 'x', workspace_id: randomUUID() }],
  ])('are not created %s', async (_what, body) => {
    const reply = await (await boss()).ask('POST', '/keys', body)
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a member', () => {
  it('sees only their own workspaces and keys', async () => {
    const person = await member([workspaceId])
    const { body } = await person.ask('GET', '/workspaces')
    expect(body.data.data.map((workspace: { workspace_id: string }) => workspace.workspace_id)).toEqual([
      workspaceId,
    ])
    const stranger = await member([workspaceId])
    const { user_id } = (await stranger.ask('GET', '/session')).body.data.user
    await (await boss()).ask('PATCH', `/users/${user_id}`, { workspaces: [] })
    expect((await stranger.ask('GET', '/workspaces')).body.data.pagination.total).toBe(0)
    expect((await stranger.ask('GET', '/keys')).body.code).toBe('ROLE_REQUIRED')
  })

  it('creates keys for their own workspaces only', async () => {
    const person = await member([workspaceId])
    expect(
      (await person.ask('POST', '/keys', { label: 'mine', role: 'editor', workspace_id: workspaceId }))
        .status,
    ).toBe(201)
    expect(
      (await person.ask('POST', '/keys', { label: 'not mine', workspace_id: randomUUID() })).status,
    ).toBe(403)
  })

  it('cannot change a key with more access than their own', async () => {
    const { body: other } = await (await boss()).ask('POST', '/workspaces', { name: 'Other' })
    const wide = await (await boss()).ask('POST', '/keys', {
      label: 'wide',
      access: [workspaceId, other.data.workspace_id],
    })
    const person = await member([workspaceId])
    expect((await person.ask('PATCH', `/keys/${wide.body.data.api_key_id}`, { active: false })).status).toBe(
      404,
    )
  })

  it('cannot manage users or create workspaces', async () => {
    const person = await member([workspaceId])
    for (const [method, path, body] of [
      ['GET', '/users', undefined],
      ['POST', '/invitations', { email: 'x@example.com', owner: true }],
      ['POST', '/workspaces', { name: 'x' }],
    ] as const) {
      expect((await person.ask(method, path, body)).body.code).toBe('ROLE_REQUIRED')
    }
  })

  it('manages agents of their own workspaces as over the Voice AI interface', async () => {
    const person = await member([workspaceId])
    const path = `/workspaces/${workspaceId}/agents`
    const made = await person.ask('POST', path, { agent_config: { agent_name: 'Desk', llm_agent: {} } })
    expect(made.status).toBe(201)
    const one = `${path}/${made.body.data.agent_id}`
    expect(
      (await person.ask('PATCH', one, { agent_config: { agent_name: 'Desk 2' } })).body.data.agent_config
        .agent_name,
    ).toBe('Desk 2')
    expect(
      (await service.ask('GET', `/agents/${made.body.data.agent_id}`)).body.data.agent_config.agent_name,
    ).toBe('Desk 2')
    expect((await person.ask('DELETE', one)).status).toBe(200)
    expect((await person.ask('GET', `/workspaces/${randomUUID()}/agents`)).status).toBe(403)
  })
})

describe('what a workspace may call', () => {
  it('is set by an administrator, field by field', async () => {
    const person = await boss()
    const made = await person.ask('POST', '/workspaces', { name: 'Callers' })
    const path = `/workspaces/${made.body.data.workspace_id}`
    const none = {
      allowed_destinations: null,
      calls_per_minute: null,
      calls_per_day: null,
      max_concurrency: null,
    }
    expect(made.body.data).toMatchObject(none)
    const given = { allowed_destinations: ['de', '+8816'], calls_per_day: 500 }
    expect((await person.ask('PATCH', path, given)).body.data).toMatchObject({
      ...none,
      name: 'Callers',
      allowed_destinations: ['DE', '+8816'],
      calls_per_day: 500,
    })
    const changed = await person.ask('PATCH', path, {
      name: 'Dialers',
      calls_per_day: null,
      max_concurrency: 3,
    })
    expect(changed.body.data).toMatchObject({
      name: 'Dialers',
      allowed_destinations: ['DE', '+8816'],
      calls_per_day: null,
      max_concurrency: 3,
    })
    const refused = await person.ask('PATCH', path, { allowed_destinations: ['DE', 'UK', 'XX'] })
    expect(refused.body.details).toEqual([
      { path: 'allowed_destinations.1', message: 'UK is not a country. Write GB.' },
      { path: 'allowed_destinations.2', message: expect.stringContaining('such as DE') },
    ])
    expect((await person.ask('PATCH', path, { allowed_destinations: ['49'] })).status).toBe(400)
  })

  it('is not changed by a member', async () => {
    const person = await member([workspaceId])
    const reply = await person.ask('PATCH', `/workspaces/${workspaceId}`, { calls_per_day: null })
    expect(reply.body.code).toBe('ROLE_REQUIRED')
  })
})

describe('users', () => {
  it('are changed and removed, which ends their sessions', async () => {
    const person = await boss()
    const theirs = await invite(service, { workspaces: [as('viewer')] })
    const { user } = (await theirs.ask('GET', '/session')).body.data
    const path = `/users/${user.user_id}`
    expect(user).toMatchObject({ name: 'Ada Lovelace', owner: false, workspaces: [as('viewer')] })
    const changed = await person.ask('PATCH', path, { owner: true, workspaces: [as('editor')] })
    expect(changed.body.data).toMatchObject({ owner: true, workspaces: [as('editor')] })
    expect((await person.ask('DELETE', path)).body.data).toEqual({ user_id: user.user_id, deleted: true })
    expect((await theirs.ask('GET', '/session')).status).toBe(401)
    expect((await person.ask('DELETE', path)).status).toBe(404)
  })

  it('always include an owner', async () => {
    const person = await boss()
    const { data } = (await person.ask('GET', '/session')).body
    const others = await service.database.query<{ user_id: string }>(
      "SELECT user_id FROM users WHERE role = 'admin' AND user_id <> $1",
      [data.user.user_id],
    )
    for (const { user_id } of others) await person.ask('DELETE', `/users/${user_id}`)
    const path = `/users/${data.user.user_id}`
    expect((await person.ask('DELETE', path)).body.code).toBe('RESOURCE_IN_USE')
    expect((await person.ask('PATCH', path, { owner: false })).body.code).toBe('RESOURCE_IN_USE')
  })

  it('change their own password, which ends their other sessions', async () => {
    const person = await member()
    const { email } = (await person.ask('GET', '/session')).body.data.user
    const elsewhere = await signIn(service, email)
    const change = (current_password: string) =>
      person.ask('POST', '/session/password', { current_password, new_password: 'another long password' })
    expect((await change('wrong')).body.details[0].path).toBe('current_password')
    expect((await change(password)).status).toBe(200)
    expect((await person.ask('GET', '/session')).status).toBe(200)
    expect((await elsewhere.ask('GET', '/session')).status).toBe(401)
  })
})
