// A carrier from outside the service: calls run over it in both directions.
import { request } from 'node:http'
import { CallDetail } from '@parley/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { withPigeon } from '../props/pigeon/pigeon.ts'
import { detailOf, newAgent, placeCall, reaches } from '../support/call-fixture.ts'
import { openService, type TestService } from '../support/service.ts'

const thread = new URL('../props/pigeon/pigeon-thread.ts', import.meta.url)
const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0' }

let service: TestService
let agentId: string

beforeAll(async () => {
  const openRunner = (options: Parameters<typeof openMediaRunner>[0]) => openMediaRunner(options, thread)
  service = await openService(quick, undefined, openRunner, undefined, withPigeon)
  agentId = await newAgent(service, { agent_welcome_message: 'Good morning to you.' })
})
afterAll(() => service?.close())

/** Everything that the connection of an arriving call receives until it is closed. */
const arrive = (token: string) =>
  new Promise<object[]>((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'pigeon' }
    request(`${service.url}/pigeons?token=${token}`, { headers })
      .on('upgrade', (_response, socket, head) => {
        let text = String(head)
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('end', () =>
          resolve(
            text
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
          ),
        )
        socket.on('end', () => socket.end())
      })
      .on('error', reject)
      .end()
  })

it('dials over it, and the record has its name and its cause of the end', async () => {
  const id = await placeCall(service, agentId, {})
  await reaches(service, id, 'completed')
  const detail = await detailOf(service, id)
  expect(CallDetail.parse(detail)).toMatchObject({
    provider: 'pigeon',
    sandbox: false,
    call_sid: `pigeon-${id}`,
    hangup_reason: 'user_hangup',
    line: { codec: 'COO/16000', cause: { protocol: 'pigeon', code: '7', text: 'Tired' } },
    transfer: null,
    transcript: [{ role: 'agent', content: 'Good morning to you.' }],
  })
})

it('answers its incoming calls, and it receives the agent’s audio', async () => {
  const { session_id, token } = (await service.ask('POST', '/calls/web', { body: { agent_id: agentId } }))
    .body.data
  const [admission, flight] = await arrive(token)
  expect(admission).toEqual({ is: 'in', sessionId: session_id })
  // Four words of 200 ms.
  expect(flight).toEqual({ sounded: 40 })
  await reaches(service, session_id, 'completed')
  expect(await detailOf(service, session_id)).toMatchObject({
    provider: 'pigeon',
    call_sid: `homing-${session_id}`,
  })
})

it('refuses an arrival without a call', async () => {
  expect(await arrive('web_nobody')).toEqual([{ is: 'unknown' }])
})

it('refuses an arrival whose agent was deleted, with the reason', async () => {
  const gone = await newAgent(service)
  const { session_id, token } = (await service.ask('POST', '/calls/web', { body: { agent_id: gone } })).body
    .data
  await service.database.query('DELETE FROM agents WHERE agent_id = $1', [gone])
  const [refused] = await arrive(token)
  expect(refused).toEqual({ refused: 'The agent of this call no longer exists.' })
  await reaches(service, session_id, 'failed')
})

it.each([
  ['+15550188', 'browser'],
  ['+15550189', 'owl'],
])('fails a call to %s, whose carrier %s cannot dial', async (to, provider) => {
  const id = await placeCall(service, agentId, { to_phone_number: to })
  await reaches(service, id, 'failed')
  expect(await detailOf(service, id)).toMatchObject({
    hangup_reason: 'dial_failed',
    error_message: `The carrier ${provider} cannot place calls here.`,
    line: null,
  })
})
