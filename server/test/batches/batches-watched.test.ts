// Live progress of a batch, and its results as a file.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  alike,
  becomes,
  execute,
  newBatch,
  noAnswer,
  recipients,
  startedBatch,
} from '../support/batch-fixture.ts'
import { type CallFixture, newAgent, openCallFixture } from '../support/call-fixture.ts'
import type { TestService } from '../support/service.ts'

let fixture: CallFixture
let api: TestService
let agentId: string
beforeEach(async () => {
  fixture = await openCallFixture()
  api = await fixture.api()
  agentId = await newAgent(api)
})
afterEach(() => fixture.close())

const started = (body: object) => startedBatch(api, { agent_id: agentId, ...body })

describe('a watcher', () => {
  it('gets the progress until the batch has ended', async () => {
    await fixture.media()
    const id = await newBatch(api, { agent_id: agentId, recipients: alike(5, [{ type: 'wait', ms: 50 }]) })
    const watching = api.ask('GET', `/batch-calls/${id}/events`)
    await execute(api, id)
    const { text, headers } = await watching
    expect(headers.get('content-type')).toContain('text/event-stream')
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type, data = '']) => [
      type,
      JSON.parse(data),
    ])
    expect(events[0]?.[1]).toMatchObject({ recipient_count: 5, at: expect.any(String) })
    expect(events.at(-1)).toMatchObject(['ended', { status: 'completed', counts: { completed: 5 } }])
  })

  it('gets the results as a file', async () => {
    await fixture.media()
    const id = await started({
      recipients: recipients(4, (place) => ({
        name: ['Ada "L"', '=1+1', 'x', '-1+cmd|x'][place] as string,
        script: place === 2 ? noAnswer : [],
      })),
    })
    await becomes(api, id, 'completed')
    const { text, headers } = await api.ask('GET', `/batch-calls/${id}/results.csv`)
    expect(headers.get('content-disposition')).toContain(`batch-${id}.csv`)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toMatch(
      /^1,r0,\+15550000000,"Ada ""L""",completed,1,[0-9a-f-]{36},completed,human,user_hangup,1\.5,/,
    )
    expect(lines[2]).toMatch(/^2,r1,\+15550000001,'=1\+1,completed/)
    expect(lines[3]).toMatch(/^3,r2,\+15550000002,x,no-answer,1,/)
    expect(lines[4]).toMatch(/^4,r3,\+15550000003,'-1\+cmd\|x,completed/)
  })
})
