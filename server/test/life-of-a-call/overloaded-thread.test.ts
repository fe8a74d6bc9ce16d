// A real media thread that is kept from its clock: it says so, and says when it is in time again.
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterAll, expect, it } from 'vitest'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { CallUpdate } from '../../src/ports/call.ts'
import { planOf } from '../../src/resources/calls/plan/plan-call.ts'

const logged: string[] = []
const runner = openMediaRunner(
  {
    // On a crowded machine many ticks are late, but not most of them.
    config: readConfig({ PARLEY_LATE_SOUND_PERCENT: '60' }),
    recordingsFolder: '',
    log: pino(
      { level: 'info' },
      { write: (line: string) => void logged.push(JSON.parse(line).msg) },
    ) as never,
  },
  new URL('../props/call/stalling-media-thread.ts', import.meta.url),
)
afterAll(() => runner.close())

const agent = AgentConfig.parse({ agent_name: 'Test', agent_welcome_message: 'Hello.', llm_agent: {} })

async function call(sessionId: string): Promise<readonly CallUpdate[]> {
  const updates: CallUpdate[] = []
  const row = {
    sessionId,
    workspaceId: 'workspace-1',
    agentId: 'agent-1',
    callType: 'outbound' as const,
    to: '+15550100',
    from: null,
    provider: null,
    number: null,
    variables: {},
    metadata: {},
  }
  await runner.run(planOf(agent, row, new Date(0)), (update) => updates.push(update)).outcome
  return updates
}

it('a thread that is kept from its clock takes no more calls until it keeps time again, and its calls tell of it', async () => {
  expect(runner.keepsTime?.()).toBe(true)
  const called = call('session-1')
  await expect.poll(() => runner.keepsTime?.()).toBe(false)
  await expect.poll(() => runner.keepsTime?.()).toBe(true)
  const updates = await called
  const late = updates.flatMap((update) => (update.type === 'late-sound' ? [update.frames] : []))
  expect(late.reduce((sum, frames) => sum + frames, 0)).toBeGreaterThan(50)
  expect(updates).toContainEqual({
    type: 'note',
    note: expect.stringMatching(/^The machine was overloaded: [\d,]+ frames of sound were late\.$/),
  })
  expect(logged).toEqual([
    'sound leaves late, because the machine is overloaded: new calls are refused',
    'sound leaves in time again: new calls are taken',
  ])
})
