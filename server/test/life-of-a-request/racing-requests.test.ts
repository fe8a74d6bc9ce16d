// Racing requests to the dashboard's API and to speech-to-text: whatever the order, the outcome is that of some order.
import { createHash, randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/platform/passwords.ts'
import { inRounds, interleaved, oneByOne, oneOf, outcomes, whileHashing } from '../support/requests/race.ts'
import { admin, type Reply, workspaceId } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
let boss: Person
let hash: string
const password = 'a long enough password'
beforeAll(async () => {
  fixture = await openTranscriptionFixture({ PARLEY_RATE_LIMIT: '1000000', PARLEY_DRAIN_SECONDS: '0.2' })
  boss = await signIn(admin.email, admin.password)
  hash = await hashPassword(password)
})
afterAll(() => fixture?.close())

type Person = (method: string, path: string, body?: object) => Promise<Reply>

const visit = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fixture.bare(method, `/dashboard/api${path}`, { headers, ...(body && { body }) })

async function signIn(email: string, secret: string): Promise<Person> {
  const { headers, body, text } = await visit('POST', '/session', { email, password: secret })
  const cookie = headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(text)
  return (method, path, sent) => visit(method, path, sent, { cookie, 'x-csrf-token': body.data.csrf_token })
}

/** Straight into the database: hashing fifty passwords takes seconds. */
async function newUser(role = 'member'): Promise<{ user_id: string; email: string }> {
  const user = { user_id: randomUUID(), email: `${randomUUID()}@example.com` }
  await fixture.database.query(
    'INSERT INTO users (user_id, email, password_hash, role) VALUES ($1, $2, $3, $4)',
    [user.user_id, user.email, hash, role],
  )
  return user
}

const five = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 5 }, ask))

describe('a user', () => {
  it('is deleted by one of five concurrent requests, and the others find nothing', async () => {
    await inRounds(async () => {
      const { user_id } = await newUser()
      const replies = await five(() => boss('DELETE', `/users/${user_id}`))
      expect(outcomes(replies)).toEqual(oneOf('404 USER_NOT_FOUND'))
    })
  })

  it('is made by one of five concurrent uses of an invitation', async () => {
    await whileHashing(async () => {
      const email = `${randomUUID()}@example.com`
      const { link } = (await boss('POST', '/invitations', { email, owner: true })).body.data
      const accepting = { token: new URL(link).hash.slice(1), name: 'Ada', password }
      const replies = await five(() => visit('POST', '/invitation/accept', accepting))
      expect(outcomes(replies)).toEqual(oneOf('404 INVITATION_NOT_FOUND'))
    })
  })

  it('is deleted or changed, never half of each', async () => {
    await inRounds(async () => {
      const { user_id } = await newUser()
      const change = { owner: true, workspaces: [{ workspace_id: workspaceId, role: 'viewer' }] }
      const [deleted, ...changed] = await Promise.all([
        boss('DELETE', `/users/${user_id}`),
        boss('PATCH', `/users/${user_id}`, change),
        boss('PATCH', `/users/${user_id}`, change),
      ])
      expect(deleted?.status).toBe(200)
      for (const { status } of changed) expect([200, 404]).toContain(status)
    })
    const { user_id } = await newUser()
    const reply = await interleaved(fixture.database, {
      hold: `DELETE FROM users WHERE user_id = '${user_id}'`,
      request: () => boss('PATCH', `/users/${user_id}`, { workspaces: [] }),
    })
    expect([reply.status, reply.body.code]).toEqual([404, 'USER_NOT_FOUND'])
  })

  it('has the workspaces of one of several concurrent changes', async () => {
    const other = (await boss('POST', '/workspaces', { name: 'Other' })).body.data.workspace_id
    await inRounds(async () => {
      const { user_id } = await newUser()
      const wishes = [[workspaceId], [other]]
      await Promise.all(
        wishes.map(([workspace_id]) =>
          boss('PATCH', `/users/${user_id}`, { workspaces: [{ workspace_id, role: 'editor' }] }),
        ),
      )
      const rows = await fixture.database.query<{ workspace_id: string }>(
        'SELECT workspace_id FROM user_workspaces WHERE user_id = $1',
        [user_id],
      )
      expect(wishes).toContainEqual(rows.map(({ workspace_id }) => workspace_id))
    })
  })

  it.each([
    ['removed', (id: string) => `DELETE FROM users WHERE user_id = '${id}'`],
    [
      'given another password',
      (id: string) => `UPDATE users SET password_hash = 'x' WHERE user_id = '${id}'`,
    ],
  ])('who is %s while signing in is not signed in', async (_what, sql) => {
    const { user_id, email } = await newUser()
    const reply = await interleaved(fixture.database, {
      hold: sql(user_id),
      request: () => visit('POST', '/session', { email, password }),
    })
    expect([reply.status, reply.body.code]).toEqual([401, 'LOGIN_FAILED'])
  })

  it('changes the password once in three concurrent requests', async () => {
    await whileHashing(async () => {
      const ask = await signIn((await newUser()).email, password)
      const replies = await Promise.all(
        ['first new password', 'second new password', 'third new password'].map((new_password) =>
          ask('POST', '/session/password', { current_password: password, new_password }),
        ),
      )
      expect(outcomes(replies)).toEqual(['400 VALIDATION_ERROR', '400 VALIDATION_ERROR', 'success'])
    })
  })

  it('signs in once with a link', async () => {
    const { user_id } = await newUser()
    await oneByOne(async () => {
      const token = randomUUID()
      await fixture.database.query(
        "INSERT INTO sign_in_links (token_hash, user_id, expires_at) VALUES ($1, $2, now() + interval '1 minute')",
        [createHash('sha256').update(token).digest(), user_id],
      )
      const replies = await Promise.all([1, 2].map(() => visit('POST', '/session/link', { token })))
      expect(outcomes(replies)).toEqual(['401 LOGIN_FAILED', 'success'])
    })
  })
})

describe('of two administrators', () => {
  it('one stays when they demote each other', async () => {
    const { user_id, email } = await newUser('admin')
    const own = (await boss('GET', '/session')).body.data.user.user_id
    const other = await signIn(email, password)
    await oneByOne(async () => {
      await fixture.database.query(
        `UPDATE users SET role = CASE WHEN user_id IN ($1, $2) THEN 'admin' ELSE 'member' END`,
        [own, user_id],
      )
      const replies = await Promise.all([
        boss('PATCH', `/users/${user_id}`, { owner: false }),
        other('PATCH', `/users/${own}`, { owner: false }),
      ])
      const [refused, succeeded] = outcomes(replies)
      expect(succeeded).toBe('success')
      expect(['400 RESOURCE_IN_USE', '403 ROLE_REQUIRED']).toContain(refused)
    })
    await fixture.database.query(`UPDATE users SET role = 'admin' WHERE user_id = $1`, [own])
  })

  it('one stays when the other is removed at the same moment', async () => {
    const { user_id } = await newUser('admin')
    const own = (await boss('GET', '/session')).body.data.user.user_id
    await fixture.database.query(`UPDATE users SET role = 'member' WHERE user_id NOT IN ($1, $2)`, [
      own,
      user_id,
    ])
    const reply = await interleaved(fixture.database, {
      hold: `DELETE FROM users WHERE user_id = '${user_id}'`,
      request: () => boss('DELETE', `/users/${own}`),
    })
    expect([reply.status, reply.body.code]).toEqual([400, 'RESOURCE_IN_USE'])
  })
})

describe('an API key', () => {
  it('keeps concurrent changes of label and state, and is refused from then on', async () => {
    await inRounds(async () => {
      const { key, api_key_id } = (await boss('POST', '/keys', { label: 'One', workspace_id: workspaceId }))
        .body.data
      const path = `/keys/${api_key_id}`
      const replies = await Promise.all([
        boss('PATCH', path, { label: 'Two' }),
        boss('PATCH', path, { active: false }),
        boss('PATCH', path, { label: 'Two' }),
      ])
      expect(new Set(outcomes(replies))).toEqual(new Set(['success']))
      // What each answers is what it has written.
      expect(replies.map(({ body }) => body.data)).toMatchObject([
        { label: 'Two' },
        { active: false },
        { label: 'Two' },
      ])
      const [row] = await fixture.database.query('SELECT label, active FROM api_keys WHERE api_key_id = $1', [
        api_key_id,
      ])
      expect(row).toEqual({ label: 'Two', active: false })
      const use = () => fixture.bare('GET', '/agent/v1/agents', { headers: { 'x-api-key': key } })
      await expect.poll(async () => (await use()).body.code).toBe('API_KEY_INACTIVE')
    })
  })
})

describe('a workspace', () => {
  it('has the name that one of five concurrent requests gave it', async () => {
    await inRounds(async () => {
      const { workspace_id } = (await boss('POST', '/workspaces', { name: 'New' })).body.data
      const names = ['a', 'b', 'c', 'd', 'e']
      const replies = await Promise.all(
        names.map((name) => boss('PATCH', `/workspaces/${workspace_id}`, { name })),
      )
      expect(replies.map(({ body }) => body.data.name)).toEqual(names)
    })
  })

  it('signs callbacks with one of five secrets that were made at once', async () => {
    await oneByOne(async () => {
      const replies = await five(() => fixture.speak('POST', '/callback-secret/rotate'))
      const secrets = replies.map(({ body }) => body.data.secret)
      expect(new Set(secrets).size).toBe(5)
      expect(secrets).toContain((await fixture.speak('GET', '/callback-secret')).body.data.secret)
    })
  })
})

describe('a file', () => {
  let original: string
  beforeAll(async () => {
    original = await fixture.fileOf(toneWav(1))
    // Transcripts that are begun do not end.
    fixture.engine.gate = new Promise(() => {})
  })

  const place = (fileId: string) => join(fixture.dataDir, 'uploads', 'files', fileId)

  /** A copy: an upload would be inspected by another process each time. */
  async function newFile(): Promise<string> {
    const fileId = randomUUID()
    await copyFile(place(original), place(fileId))
    await fixture.database.query(
      `INSERT INTO speech_files (file_id, workspace_id, media_type, bytes, expires_at)
       VALUES ($1, $2, 'audio/wav', 32044, now() + interval '1 day')`,
      [fileId, workspaceId],
    )
    return fileId
  }
  const transcribe = (file_id: string) => fixture.speak('POST', '/transcripts', { body: { file_id } })

  it('is deleted by one of five concurrent requests, and the others find nothing', async () => {
    await inRounds(async () => {
      const fileId = await newFile()
      const replies = await five(() => fixture.speak('DELETE', `/files/${fileId.toUpperCase()}`))
      expect(outcomes(replies)).toEqual(oneOf('404 FILE_NOT_FOUND'))
      expect(await fixture.stored()).not.toContain(fileId)
    })
  })

  it('is either deleted or transcribed', async () => {
    await inRounds(async () => {
      const fileId = await newFile()
      const [deleted, begun] = await Promise.all([
        fixture.speak('DELETE', `/files/${fileId}`),
        transcribe(fileId),
      ])
      const won = deleted.status === 200 ? '404 FILE_NOT_FOUND' : '400 RESOURCE_IN_USE'
      expect(outcomes([deleted, begun])).toEqual([won, 'success'])
      if (begun.status === 202) expect(await fixture.stored()).toContain(fileId)
    })
  })

  it('is removed when the last two of its transcripts are deleted at once', async () => {
    await inRounds(async () => {
      const fileId = await newFile()
      const made = [await transcribe(fileId), await transcribe(fileId)]
      const replies = await Promise.all(
        made.map(({ body }) => fixture.speak('DELETE', `/transcripts/${body.data.transcript_id}`)),
      )
      expect(outcomes(replies)).toEqual(['success', 'success'])
      expect(await fixture.stored()).not.toContain(fileId)
      expect((await fixture.speak('GET', `/files/${fileId}`)).status).toBe(404)
    })
  })

  it('has a transcript that is deleted by one of five concurrent requests', async () => {
    await inRounds(async () => {
      const { transcript_id } = (await transcribe(await newFile())).body.data
      const replies = await five(() => fixture.speak('DELETE', `/transcripts/${transcript_id}`))
      expect(outcomes(replies)).toEqual(oneOf('404 TRANSCRIPT_NOT_FOUND'))
    })
  })
})
