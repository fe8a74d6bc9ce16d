// The sign-in link that the first start prints: valid once, and for a limited time.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { announcement } from '../../src/main/announce.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { makeLink } from '../../src/resources/users/sessions.ts'
import { admin, openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

const open = (token: string) => service.bare('POST', '/dashboard/api/session/link', { body: { token } })

const newLink = async () => {
  const db = openDb({ connectionString: service.database.url }, 1, () => {})
  try {
    return await makeLink(db, admin.email)
  } finally {
    await db.close()
  }
}

it('is printed on the first start, and on no other', async () => {
  const { signInToken } = service.service
  expect(signInToken).toMatch(/^[0-9A-Za-z]{40}$/)
  const config = readConfig({})
  expect(announcement(service.service, config)).toContain(`/talk#sign-in=${signInToken}`)
  const later = await openService({}, service.database)
  expect(announcement(later.service, config)).not.toContain('sign-in')
  await later.close()
})

it('signs the first user in, once', async () => {
  const token = await newLink()
  const first = await open(token)
  expect(first.status, first.text).toBe(201)
  expect(first.body.data.user.email).toBe(admin.email)
  const cookie = first.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  expect((await service.bare('GET', '/dashboard/api/session', { headers: { cookie } })).status).toBe(200)
  const again = await open(token)
  expect([again.status, again.body.code]).toEqual([401, 'LOGIN_FAILED'])
})

it('is refused when it has expired or is unknown', async () => {
  const token = await newLink()
  await service.database.query("UPDATE sign_in_links SET expires_at = now() - interval '1 second'")
  expect((await open(token)).status).toBe(401)
  expect((await open('x'.repeat(40))).status).toBe(401)
})

it('is stored as a hash', async () => {
  const token = await newLink()
  const rows = await service.database.query('SELECT * FROM sign_in_links WHERE token_hash = $1', [
    Buffer.from(token),
  ])
  expect(rows).toEqual([])
})
