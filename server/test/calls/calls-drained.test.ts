// A process that stops while it has calls: it takes no new ones, lets others go on with what they can, and ends the
// rest with their reason. The calls are scripted; one of them is a carrier's that can be gone on with.
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import type { CarrierDescription } from '../../src/carriers/description.ts'
import { soundOnly } from '../../src/carriers/over-sound-only.ts'
import { ownCarriers } from '../../src/main/open-carriers.ts'
import type { KeepCallState } from '../../src/ports/call-state.ts'
import { detailOf, eventsOf, newAgent, placeCall, reaches } from '../support/call-fixture.ts'
import { type ScriptedRunner, type Step, scriptedRunner } from '../support/scripted-runner.ts'
import { makeDatabase, openService, type TestDatabase, type TestService } from '../support/service.ts'

interface MediaService extends TestService {
  readonly runner: ScriptedRunner
  /** What another process would need to go on with the call. */
  keepState: KeepCallState
  /**
   * Calls that were abandoned without a word to the far end, with the way in which the far end hangs up here all the
   * same.
   */
  readonly abandoned: Map<string, () => void>
  /** Calls that end by themselves in the moment when they are to be given up. */
  readonly justEnded: Set<string>
}

let database: TestDatabase
let api: TestService
let agentId: string
const open = new Set<TestService>()

const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0' }

beforeAll(async () => {
  database = await makeDatabase()
  api = await openService({ ...quick, PARLEY_ROLES: 'api,worker' }, database)
  agentId = await newAgent(api)
})
afterEach(async () => {
  for (const service of open) await service.close()
  open.clear()
})
afterAll(async () => {
  await api?.close()
  await database?.close()
})

async function openMedia(env: Record<string, string> = {}, capacity = 10): Promise<MediaService> {
  let keepState: KeepCallState = () => {}
  const abandoned = new Map<string, () => void>()
  const justEnded = new Set<string>()
  const parrot: CarrierDescription = {
    name: 'parrot',
    can: soundOnly.can,
    open: () => ({ close() {} }),
    openDoor: (parts) => {
      keepState = parts.keepState
      return {
        resume: (_, state) =>
          state === 'a state'
            ? { carrier: 'parrot', handover: { payload: state, transfer: [] }, refuse() {} }
            : null,
        abandon(sessionId, onHungUp) {
          if (justEnded.has(sessionId)) return false
          abandoned.set(sessionId, onHungUp)
          return true
        },
        close() {},
      }
    },
  }
  const runner = scriptedRunner(capacity)
  const carriers = ownCarriers({ sandbox: 'numbers' })
  const service = await openService(
    { ...quick, PARLEY_ROLES: 'media', ...env },
    database,
    () => runner,
    undefined,
    { ...carriers, descriptions: { ...carriers.descriptions, parrot } },
  )
  open.add(service)
  const close = () => {
    open.delete(service)
    return service.close()
  }
  return { ...service, close, runner, abandoned, justEnded, keepState: (...kept) => keepState(...kept) }
}

const said = (turn: number, content: string): Step => ({
  type: 'transcript',
  entry: { turn, role: 'user', content, startSeconds: turn, endSeconds: turn + 0.5, interrupted: false },
})
const lasting: Step[] = [
  { type: 'status', status: 'in-progress' },
  said(1, 'Hello?'),
  { type: 'until-stopped' },
]

async function startCall(media: MediaService, state?: string, script = lasting): Promise<string> {
  const id = await placeCall(api, agentId, { script })
  await reaches(api, id, 'in-progress')
  if (state !== undefined) {
    media.keepState(id, state)
    const kept = () => database.query('SELECT 1 FROM call_states WHERE session_id = $1', [id])
    await expect.poll(async () => (await kept()).length).toBe(1)
  }
  return id
}

it('calls that another process can go on with go on there, with what was said, and end once', async () => {
  const first = await openMedia()
  const id = await startCall(first, 'a state')
  const second = await openMedia()
  await first.close()
  expect([...first.abandoned.keys()]).toEqual([id])
  await expect.poll(() => second.runner.live.has(id)).toBe(true)
  expect(second.runner.plans[0]).toMatchObject({
    sessionId: id,
    resumed: { transcript: [{ content: 'Hello?' }] },
  })
  expect(await detailOf(api, id)).toMatchObject({ call_status: 'in-progress' })
  await api.ask('POST', `/calls/${id}/stop`)
  expect(await reaches(api, id, 'completed')).toMatchObject({ hangup_reason: 'api_stopped' })
  await expect.poll(() => eventsOf(database, id)).toHaveLength(1)
  const metrics = (await api.bare('GET', '/metrics')).text
  expect(metrics).not.toMatch(/^parley_calls_lost_total [1-9]/m)
})

it('a caller who hangs up on the way is not called by the other process, and has hung up', async () => {
  const first = await openMedia()
  const id = await startCall(first, 'a state')
  const second = await openMedia()
  // The call has been given up here, and its last words are not stored yet.
  const mayEnd = Promise.withResolvers<void>()
  first.runner.mayEnd = mayEnd.promise
  const closed = first.close()
  await expect.poll(() => first.abandoned.has(id)).toBe(true)
  first.abandoned.get(id)?.()
  mayEnd.resolve()
  await closed
  expect(await detailOf(api, id)).toMatchObject({
    call_status: 'completed',
    call_terminated_by: 'user',
    hangup_reason: 'user_hangup',
    transcript: [{ content: 'Hello?' }],
  })
  expect(second.runner.plans).toEqual([])
  await expect.poll(() => eventsOf(database, id)).toHaveLength(1)
  expect(await database.query('SELECT 1 FROM call_states WHERE session_id = $1', [id])).toEqual([])
})

it('a caller of whom the other process learns that they had hung up has hung up', async () => {
  const first = await openMedia()
  const hungUp: Step = {
    type: 'outcome',
    outcome: { status: 'canceled', hangupReason: 'user_hangup', answeredAfterMs: null },
  }
  const id = await startCall(first, 'a state', [...lasting, hungUp])
  const second = await openMedia()
  await first.close()
  await expect.poll(() => second.runner.live.has(id)).toBe(true)
  // The call ends as its script says.
  await api.ask('POST', `/calls/${id}/stop`)
  expect(await reaches(api, id, 'completed')).toMatchObject({ hangup_reason: 'user_hangup' })
  await expect.poll(() => eventsOf(database, id)).toHaveLength(1)
})

it('a call that ends by itself when it is to be handed over has its own end', async () => {
  const first = await openMedia()
  const id = await startCall(first, 'a state')
  const second = await openMedia()
  first.justEnded.add(id)
  await first.close()
  expect(await detailOf(api, id)).toMatchObject({ call_status: 'completed' })
  await expect.poll(() => eventsOf(database, id)).toHaveLength(1)
  expect(second.runner.plans).toEqual([])
})

it('a process that has begun to stop takes no calls of others', async () => {
  const first = await openMedia()
  const id = await startCall(first, 'a state')
  const second = await openMedia({ PARLEY_SHUTDOWN_DELAY_SECONDS: '2' })
  const closed = second.close()
  await expect.poll(async () => (await second.bare('GET', '/readyz')).body.status).toBe('draining')
  await first.close()
  expect(first.runner.stops.get(id)).toBe('draining')
  expect(second.runner.plans).toEqual([])
  await closed
})

it.each([
  ['nobody else is there', undefined, 'a state'],
  ['nobody else has room', 0, 'a state'],
  ['its carrier has kept nothing', 10, undefined],
])('a call ends with its reason and its event where %s', async (_, capacityElsewhere, state) => {
  const first = await openMedia()
  const id = await startCall(first, state)
  const second = capacityElsewhere === undefined ? undefined : await openMedia({}, capacityElsewhere)
  await first.close()
  expect(first.runner.stops.get(id)).toBe('draining')
  // It is stored before the process has ended.
  expect(await detailOf(api, id)).toMatchObject({ call_terminated_by: 'system' })
  await expect.poll(() => eventsOf(database, id)).toHaveLength(1)
  expect(second?.runner.plans ?? []).toEqual([])
})

it('while calls end by themselves it says so, answers its health, and takes no others', async () => {
  const media = await openMedia({ PARLEY_DRAIN_SECONDS: '600' }, 1)
  const ready = async (role = '') => {
    const { status, body } = await media.bare('GET', `/readyz${role}`)
    return [status, body]
  }
  expect(await ready()).toEqual([
    200,
    { status: 'ready', roles: { media: { status: 'ready', calls: 0, capacity: 1, free: 1 } } },
  ])
  const id = await startCall(media)
  // A process that is full is not to be restarted.
  expect(await ready('/media')).toEqual([503, { status: 'full', calls: 1, capacity: 1, free: 0 }])
  expect((await ready())[0]).toBe(200)
  expect((await ready('/worker'))[0]).toBe(404)

  const closed = media.close()
  await expect
    .poll(() => ready('/media'))
    .toEqual([503, { status: 'draining', calls: 1, capacity: 1, free: 0 }])
  expect((await ready())[1]).toMatchObject({ status: 'draining' })
  expect((await media.bare('GET', '/healthz')).status).toBe(200)
  const { token } = (await api.ask('POST', '/calls/web', { body: { agent_id: agentId } })).body.data
  const socket = new WebSocket(`${media.url.replace('http', 'ws')}/talk/line`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'join', token }))
  const [message] = await once(socket, 'message')
  expect(JSON.parse(String(message))).toEqual({
    type: 'refused',
    message: 'This server is being restarted and takes no new calls. Try again in a moment.',
  })
  const waiting = await placeCall(api, agentId)
  await api.ask('POST', `/calls/${id}/stop`)
  await closed
  expect(await detailOf(api, id)).toMatchObject({ call_status: 'completed', hangup_reason: 'api_stopped' })
  expect(await detailOf(api, waiting)).toMatchObject({ call_status: 'queued' })
})
