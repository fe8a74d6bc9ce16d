// Whose key a recording is transcribed with.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { jobIn, type Loopback, openLoopback, plain } from '../../test/props/transcription-vendors/fixture.ts'
import { readConfig } from '../platform/config.ts'
import { openGuard } from '../platform/guard/guard.ts'
import type { AccountPlan } from '../ports/call-plan.ts'
import { openTranscriptionEngine } from './transcription-engine.ts'

let loopback: Loopback
beforeAll(async () => {
  loopback = await openLoopback()
})
beforeEach(() => {
  loopback.reset()
  loopback.script = { '*': { body: { text: 'Hello.', segments: [] } } }
})
afterAll(() => loopback.close())

async function keySent(env: Record<string, string>, accounts: Readonly<Record<string, AccountPlan>>) {
  const guard = openGuard({ allowPrivate: false, trustedHosts: ['127.0.0.1'] })
  const engine = openTranscriptionEngine(readConfig({ PARLEY_STT_PROTOCOL: 'openai', ...env }), {
    accountsOf: async (workspaceId) => (workspaceId === 'own' ? accounts : {}),
    guard,
  })
  const { job } = await jobIn(loopback.folder, 1, plain)
  await engine.transcribe({ ...job, workspaceId: 'own' }, new AbortController().signal)
  await Promise.all([engine.close(), guard.close()])
  return loopback.received.at(-1)?.headers.authorization
}

it('the workspace’s own goes to the address that was given with it', async () => {
  const account = { credentials: { apiKey: 'sk-workspace' }, baseUrl: `${loopback.server.baseUrl}/v1` }
  expect(await keySent({ PARLEY_STT_API_KEY: 'sk-operator' }, { openai: account })).toBe(
    'Bearer sk-workspace',
  )
})

it('the operator’s is used by a workspace without one, and at a server of the operator’s', async () => {
  const env = { PARLEY_STT_BASE_URL: `${loopback.server.baseUrl}/v1`, PARLEY_STT_API_KEY: 'sk-operator' }
  expect(await keySent(env, {})).toBe('Bearer sk-operator')
  const account = { credentials: { apiKey: 'sk-workspace' }, baseUrl: undefined }
  expect(await keySent(env, { openai: account })).toBe('Bearer sk-operator')
})
