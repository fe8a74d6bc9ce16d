// People of the dashboard: invited by a link, signed in here and there, listening in to calls, deleting a workspace.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listenPath, type ToListener } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { silero } from '../../src/engines/models/catalogue.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { detailOf, newAgent, reaches } from '../support/call-fixture.ts'
import { as, invite, owner, password, signIn, type TestPerson } from '../support/people.ts'
import { openService, type TestService, workspaceId } from '../support/service.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero)

let service: TestService
let boss: TestPerson
beforeAll(async () => {
  const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '1', PARLEY_TTS: 'wren' }
  service = await openService({ ...quick, PARLEY_MODELS_DIR: folder }, undefined, openMediaRunner)
  boss = await owner(service)
})
afterAll(() => service?.close())

const tokenOf = (link: string) => new URL(link).hash.slice(1)
const visit = (path: string, body: unknown) =>
  service.bare('POST', `/dashboard/api${path}`, { body, headers: { 'user-agent': 'Test browser' } })

describe('an invitation', () => {
  const email = 'grace@example.com'
  const wish = { email, workspaces: [as('editor')] }

  it('lets somebody choose a name and a password, once', async () => {
    const { link, invitation } = (await boss.ask('POST', '/invitations', wish)).body.data
    expect(link.startsWith(`${service.url}/dashboard/invitation#`)).toBe(true)
    const stored = await service.database.query('SELECT * FROM invitations')
    expect(JSON.stringify(stored)).not.toContain(tokenOf(link))
    expect((await boss.ask('GET', '/invitations')).body.data.data).toEqual([invitation])
    const token = tokenOf(link)
    expect((await visit('/invitation', { token })).body.data).toMatchObject({
      is: 'invitation',
      email,
      owner: false,
      workspaces: [{ name: 'Default', role: 'editor' }],
    })

    const nameless = await visit('/invitation/accept', { token, password })
    expect(nameless.body.details[0].path).toBe('name')
    const short = await visit('/invitation/accept', { token, name: 'Grace', password: 'short' })
    expect(short.body.details[0].path).toBe('password')
    const accepted = await visit('/invitation/accept', { token, name: 'Grace Hopper', password })
    expect(accepted.status).toBe(201)
    expect(accepted.body.data.user).toMatchObject({ email, name: 'Grace Hopper', workspaces: [as('editor')] })
    expect((await visit('/invitation/accept', { token, name: 'Eve', password })).status).toBe(404)
    expect((await signIn(service, email)).cookie).toContain('parley_session=ses_')
    expect((await boss.ask('GET', '/invitations')).body.data.data).toEqual([])
  })

  it('adds somebody who is a user already, without a link', async () => {
    const made = await boss.ask('POST', '/workspaces', { name: 'Second' })
    const second = as('viewer', made.body.data.workspace_id)
    const added = await boss.ask('POST', '/invitations', { email: 'GRACE@example.com', workspaces: [second] })
    expect(added.body.data).toMatchObject({ is: 'added', email })
    const { user } = (await (await signIn(service, email)).ask('GET', '/session')).body.data
    expect(user.workspaces).toHaveLength(2)
    expect(user.workspaces).toContainEqual(second)
  })

  it('is worth nothing when it was revoked, replaced or is too old', async () => {
    const late = { ...wish, email: 'late@example.com' }
    const ask = async () => (await boss.ask('POST', '/invitations', late)).body.data
    const isGone = async (link: string) =>
      (await visit('/invitation', { token: tokenOf(link) })).body.code === 'INVITATION_NOT_FOUND'
    const first = await ask()
    const second = await ask()
    expect([await isGone(first.link), await isGone(second.link)]).toEqual([true, false])
    const revoked = await boss.ask('DELETE', `/invitations/${second.invitation.invitation_id}`)
    expect([revoked.body.data.revoked, await isGone(second.link)]).toEqual([true, true])
    const third = await ask()
    await service.database.query("UPDATE invitations SET expires_at = now() - interval '1 second'")
    expect(await isGone(third.link)).toBe(true)
    expect((await boss.ask('GET', '/invitations')).body.data.data).toEqual([])
  })
})

describe('sessions', () => {
  it('are listed with device and address, and ended one by one, all others, or by an owner', async () => {
    const first = await invite(service, { email: 'here@example.com', workspaces: [as('viewer')] })
    const { user_id } = (await first.ask('GET', '/session')).body.data.user
    const credentials = { email: 'here@example.com', password }
    const [second, third] = [await visit('/session', credentials), await visit('/session', credentials)]
    const list = async () => (await first.ask('GET', '/sessions')).body.data.data
    const sessions = await list()
    expect(sessions).toHaveLength(3)
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    expect(sessions[0]).toMatchObject({ device: 'Test browser', address: '127.0.0.1' })
    const cookieOf = ({ headers }: typeof second) => headers.get('set-cookie')?.split(';')[0] ?? ''
    const isIn = async (reply: typeof second) =>
      (await service.bare('GET', '/dashboard/api/session', { headers: { cookie: cookieOf(reply) } })).status

    expect((await first.ask('DELETE', `/sessions/${sessions[0].session_id}`)).body.data.ended).toBe(1)
    expect([await isIn(second), await isIn(third)].toSorted()).toEqual([200, 401])
    const foreign = await boss.ask('DELETE', `/sessions/${sessions[1].session_id}`)
    expect(foreign.body.code).toBe('SESSION_NOT_FOUND')
    expect((await first.ask('DELETE', '/sessions')).body.data.ended).toBe(1)
    expect([await isIn(second), await isIn(third)]).toEqual([401, 401])

    expect((await boss.ask('GET', `/users/${user_id}/sessions`)).body.data.data).toHaveLength(1)
    expect((await boss.ask('DELETE', `/users/${user_id}/sessions`)).body.data.ended).toBe(1)
    expect((await first.ask('GET', '/session')).status).toBe(401)
  })

  it('end everywhere when a new password was chosen by a link', async () => {
    const person = await invite(service, { email: 'forgot@example.com', workspaces: [as('viewer')] })
    const { user_id } = (await person.ask('GET', '/session')).body.data.user
    const { link } = (await boss.ask('POST', `/users/${user_id}/password-link`)).body.data
    expect((await visit('/invitation', { token: tokenOf(link) })).body.data.is).toBe('password')
    const accepted = await visit('/invitation/accept', {
      token: tokenOf(link),
      password: 'quite another one',
    })
    expect(accepted.status).toBe(201)
    expect((await person.ask('GET', '/session')).status).toBe(401)
    expect((await visit('/session', { email: 'forgot@example.com', password })).status).toBe(401)
    await signIn(service, 'forgot@example.com', 'quite another one')
  })
})

/** A listener of the dashboard, without a browser. */
function listen(person: TestPerson, sessionId: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}${listenPath}`, {
    headers: { cookie: person.cookie, origin: service.url, ...headers },
  })
  const told: ToListener[] = []
  let loudest = 0
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return void told.push(JSON.parse(String(data)))
    for (let at = 0; at < data.length; at += 2) loudest = Math.max(loudest, Math.abs(data.readInt16LE(at)))
  })
  socket.on('open', () => socket.send(JSON.stringify({ workspace_id: workspaceId, session_id: sessionId })))
  const closed = new Promise<string>((resolve) => {
    socket.on('close', (code) => resolve(String(code)))
    socket.on('error', ({ message }) => resolve(message))
  })
  return { socket, told, closed, loudest: () => loudest }
}

// Its background noise is heard without anybody saying a word.
const noisy = { ambient_noise: true, hangup_after_silence: 0, check_if_user_online: false }
const silent = { sandbox: { steps: [{ stay_silent_ms: 600_000 }] } }

describeUnless(absent, 'listening in', () => {
  const place = async (agent_id: string): Promise<string> => {
    const body = { agent_id, to_phone_number: '+15550100', metadata: silent }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    await reaches(service, session_id, 'in-progress')
    return session_id
  }

  it('gives editors the sound of both sides, is noted, and ends with the call', async () => {
    const agent = await newAgent(service, { agent_name: 'Desk', task_config: noisy })
    const sessionId = await place(agent)
    const editor = await invite(service, { workspaces: [as('editor')] })
    const viewer = await invite(service, { workspaces: [as('viewer')] })
    const ear = listen(editor, sessionId)
    await expect.poll(() => ear.loudest(), { message: 'to hear noise' }).toBeGreaterThan(50)
    expect(ear.told).toEqual([{ type: 'sound', rate_hz: expect.any(Number) }])

    const refused = listen(viewer, sessionId)
    await refused.closed
    const message = 'An editor of the workspace may do this. Your role is viewer.'
    expect(refused.told).toEqual([{ type: 'refused', message }])
    expect(await listen(editor, sessionId, { origin: 'https://evil.example' }).closed).toContain('401')
    expect(await listen(editor, sessionId, { cookie: '' }).closed).toContain('401')

    const second = listen(editor, sessionId)
    await expect.poll(() => second.loudest(), { message: 'to hear noise' }).toBeGreaterThan(50)
    second.socket.close()
    const secondsOf = async () =>
      (await service.database.query('SELECT 1 FROM call_listeners WHERE ended_at IS NOT NULL')).length
    await expect.poll(secondsOf).toBe(1)

    await service.ask('POST', `/calls/${sessionId}/stop`)
    await ear.closed
    expect(ear.told.at(-1)).toEqual({ type: 'over' })
    await reaches(service, sessionId, 'completed')
    await expect.poll(secondsOf).toBe(2)
    const { listeners } = await detailOf(service, sessionId)
    expect(listeners).toEqual([
      { listener: 'Ada Lovelace', began_at: expect.any(String), seconds: expect.any(Number) },
      { listener: 'Ada Lovelace', began_at: expect.any(String), seconds: expect.any(Number) },
    ])
    const notes = await service.database.query<{ data: { note: string } }>(
      "SELECT data FROM call_events WHERE session_id = $1 AND type = 'note'",
      [sessionId],
    )
    const sentences = notes.map(({ data }) => data.note).join('\n')
    expect(sentences).toContain('Ada Lovelace listens in.')
    expect(sentences).toMatch(/Ada Lovelace listened in for \d+ seconds?\./)
  })

  it('ends at once for somebody who loses their role, and is refused where data is masked or nothing is recorded', async () => {
    const person = await invite(service, { workspaces: [as('editor')] })
    for (const [guard_rails, reason] of [
      [{ mask: ['phone'] }, 'masks personal data'],
      [{ recording: 'off' }, 'are not recorded'],
    ] as const) {
      const agent = { agent_name: 'Bank', task_config: noisy, api_tools: { guard_rails } }
      const guarded = await place(await newAgent(service, agent))
      const ear = listen(person, guarded)
      await ear.closed
      expect(ear.told).toEqual([{ type: 'refused', message: expect.stringContaining(reason) }])
      await service.ask('POST', `/calls/${guarded}/stop`)
    }

    const sessionId = await place(await newAgent(service, { agent_name: 'Desk', task_config: noisy }))
    const other = listen(person, sessionId)
    await expect.poll(() => other.loudest(), { message: 'to hear noise' }).toBeGreaterThan(50)
    const { user_id } = (await person.ask('GET', '/session')).body.data.user
    await boss.ask('PATCH', `/workspaces/${workspaceId}/members/${user_id}`, { role: 'viewer' })
    expect(await other.closed).toBe('1008')
    await service.ask('POST', `/calls/${sessionId}/stop`)
  })
})

describeUnless(absent, 'a workspace that is deleted', () => {
  const tablesNaming = async (id: string): Promise<string[]> => {
    const tables = await service.database.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    )
    const found: string[] = []
    for (const { name } of tables) {
      const rows = await service.database.query(`SELECT 1 FROM "${name}" t WHERE t::text LIKE $1 LIMIT 1`, [
        `%${id}%`,
      ])
      if (rows.length > 0) found.push(name)
    }
    return found
  }

  it('ends its calls, leaves nothing of itself and everything of others', async () => {
    const before = await service.database.query('SELECT agent_id FROM agents ORDER BY 1')
    const name = 'Short-lived'
    const id = (await boss.ask('POST', '/workspaces', { name })).body.data.workspace_id
    const admin = await invite(service, { workspaces: [as('admin', id)] })
    const within = (method: string, path: string, body?: unknown) =>
      admin.ask(method, `/workspaces/${id}${path}`, body)
    const config = { agent_name: 'Doomed', llm_agent: {}, task_config: noisy }
    const { agent_id } = (await within('POST', '/agents', { agent_config: config })).body.data
    await within('POST', '/knowledge-base', { name: 'Facts' })
    await within('POST', '/tools', {
      name: 'look_up',
      description: 'Looks it up',
      type: 'http',
      url: 'https://example.com',
      method: 'GET',
    })
    const bound = (await admin.ask('POST', '/keys', { label: 'Theirs', workspace_id: id })).body.data
    const wide = (await boss.ask('POST', '/keys', { label: 'Wide', access: [id, workspaceId] })).body.data
    const wish = { agent_id, to_phone_number: '+15550100', metadata: silent }
    const running = (await within('POST', '/calls', wish)).body.data.session_id
    const statusOf = async (sessionId: string) =>
      (await within('GET', `/call/detail/${sessionId}`)).body.data?.call_status
    await expect.poll(() => statusOf(running)).toBe('in-progress')
    const events = await fetch(`${service.url}/dashboard/api/workspaces/${id}/calls/${running}/events`, {
      headers: { cookie: admin.cookie },
    })

    const wrong = await admin.ask('POST', `/workspaces/${id}/delete`, { name: 'short-lived' })
    expect(wrong.body.details).toEqual([{ path: 'name', message: 'This is not the name of the workspace.' }])
    const asked = await admin.ask('POST', `/workspaces/${id}/delete`, { name })
    expect([asked.status, asked.body.data.status]).toEqual([202, 'queued'])
    await expect(events.text()).rejects.toThrow()
    for (const person of [admin, boss])
      expect((await person.ask('GET', `/workspaces/${id}/agents`)).body.code).toBe('WORKSPACE_ACCESS_DENIED')
    const keyed = (key: string, headers = {}) =>
      service.bare('GET', '/agent/v1/agents', { headers: { 'x-api-key': key, ...headers } })
    expect((await keyed(bound.key)).status).toBe(401)
    expect((await keyed(wide.key, { 'x-workspace-id': id })).status).toBe(403)

    const deletion = async () => (await admin.ask('GET', '/workspace-deletions')).body.data.data[0]
    await expect.poll(async () => (await deletion()).status).toBe('completed')
    expect(await deletion()).toMatchObject({
      name,
      progress: 1,
      error: null,
      removed: { calls: 1, recordings: 1 },
    })
    // The proof, and the mark for recordings that are still on another machine.
    expect(await tablesNaming(id)).toEqual(['workspace_deletions'])
    expect(await tablesNaming(running)).toEqual(['erased_calls'])
    const files = await readdir(join(service.dataDir, 'recordings'))
    expect(files.filter((file) => file.includes(running))).toEqual([])
    expect(await service.database.query('SELECT agent_id FROM agents ORDER BY 1')).toEqual(before)
    expect((await keyed(wide.key, { 'x-workspace-id': workspaceId })).status).toBe(200)
  })
})
