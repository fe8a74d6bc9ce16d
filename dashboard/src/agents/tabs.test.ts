// In which tab a field is found.
import { expect, it } from 'vitest'
import { faultsByTab, isTab, tabOf } from './tabs.ts'

it.each([
  ['agent_prompt', 'prompt'],
  ['llm_agent.llm_config.temperature', 'model'],
  ['transcriber.keywords', 'voice'],
  ['transcriber.endpointing', 'conversation'],
  ['api_tools.quality.rubric.0.name', 'analysis'],
  ['api_tools.something_new', 'advanced'],
  ['', 'advanced'],
])('%s is in %s', (path, tab) => {
  expect(tabOf(path)).toBe(tab)
})

it('counts the faults of every tab', () => {
  const faults = ['agent_name', 'task_config.call_terminate', 'agent_prompt'].map((path) => ({
    path,
    message: '!',
  }))
  expect(faultsByTab(faults)).toEqual({ prompt: 2, conversation: 1 })
})

it('takes no other word of an address for a tab', () => {
  expect(['voice', 'toString', null].map(isTab)).toEqual([true, false, false])
})
