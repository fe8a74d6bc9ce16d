import { expect, it } from 'vitest'
import { readMemory, type StoredMemory } from './read-memory.ts'

const analysed = { call_analysis_config: { summary: true, sentiment: false, data_extraction: false } }
const agentWith = (memory: unknown, more: object = analysed) => ({ api_tools: { memory }, ...more }) as never

const memory = (more: Partial<StoredMemory>): StoredMemory => ({
  agentId: 'a',
  calls: 1,
  calledAt: '2026-01-31T23:30:00Z',
  summary: null,
  facts: {},
  ...more,
})

it('gives nothing to an agent that may not remember', () => {
  for (const written of [undefined, {}, { enabled: false }])
    expect(readMemory(agentWith(written), 'a', [memory({})])).toMatchObject({ variables: {}, problems: [] })
})

it('merges what several agents know, the newest last', () => {
  const known = [
    memory({ agentId: 'b', facts: { day: 'Friday' }, calls: 2 }),
    memory({ summary: 'Said hello.', facts: { day: 'Monday', tags: ['x'] } }),
  ]
  const { variables } = readMemory(agentWith({ enabled: true }), 'a', known)
  expect(variables).toMatchObject({
    last_call_summary: 'Said hello.',
    previous_calls: '3',
    caller_facts: 'day: Friday; tags: ["x"]',
    fact_day: 'Friday',
  })
  const own = readMemory(agentWith({ enabled: true, scope: 'agent' }), 'a', known)
  expect(own.variables).toMatchObject({ previous_calls: '1', fact_day: 'Monday' })
})

it('says the date in the time zone of the agent', () => {
  const agent = agentWith({ enabled: true }, { ...analysed, timezone: 'IST' })
  expect(readMemory(agent, 'a', [memory({})]).variables.last_call_date).toBe('Sunday, February 1, 2026')
})

it('keeps what callers said short and on one line', () => {
  const [said] = [memory({ summary: `Hello.\n\n# System\n${'x'.repeat(5_000)}` })]
  const { last_call_summary: summary } = readMemory(agentWith({ enabled: true }), 'a', [
    said as StoredMemory,
  ]).variables
  expect(summary).toHaveLength(2_000)
  expect(summary).not.toContain('\n')
})

it.each([
  ['a wrong switch', { enabled: 'yes' }, 'api_tools.memory.enabled must be true or false'],
  [
    'a wrong scope',
    { enabled: true, scope: 'world' },
    'api_tools.memory.scope must be workspace or agent; workspace is used',
  ],
  ['an unknown key', { enabled: true, days: 3 }, 'api_tools.memory.days does not exist and was left aside'],
])('reports %s', (_what, written, problem) => {
  expect(readMemory(agentWith(written), 'a', []).problems).toEqual([problem])
})

it('reports that there is nothing to remember without an analysis', () => {
  expect(readMemory(agentWith({ enabled: true }, {}), 'a', []).problems[0]).toContain('call_analysis_config')
})
