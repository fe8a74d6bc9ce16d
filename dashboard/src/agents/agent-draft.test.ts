// The difference between two configurations, as an update expresses it.
import { describe, expect, it } from 'vitest'
import { valueAt, withValue } from '../ui/tree.ts'
import { agentChanges } from './agent-draft.ts'

const before = {
  agent_name: 'Ada',
  llm_agent: { agent_type: 'simple_llm_agent', llm_config: { provider: 'openai', model: 'small' } },
  task_config: { hangup_after_silence: 20, call_terminate: 300 },
  call_analysis_config: { summary: true, sentiment: false, data_extraction: false },
}

describe('the changes of an agent', () => {
  it('are nothing when nothing changed, whatever the order of the keys', () => {
    const { task_config: _same, ...others } = before
    const after = { task_config: { call_terminate: 300, hangup_after_silence: 20 }, ...others }
    expect(agentChanges(before, after)).toEqual({ changes: {}, removed: [] })
  })

  it('name only the changed leaf of an object that merges', () => {
    const after = withValue(before, 'llm_agent.llm_config.model', 'large')
    expect(agentChanges(before, after).changes).toEqual({ llm_agent: { llm_config: { model: 'large' } } })
  })

  it('carry an object that is replaced as a whole', () => {
    const after = withValue(before, 'call_analysis_config.sentiment', true)
    expect(agentChanges(before, after).changes).toEqual({
      call_analysis_config: { summary: true, sentiment: true, data_extraction: false },
    })
  })

  it('carry an object that was not there before', () => {
    const after = withValue(before, 'synthesizer.provider_config.voice', 'Joanna')
    expect(agentChanges(before, after).changes).toEqual({
      synthesizer: { provider_config: { voice: 'Joanna' } },
    })
  })

  it('tell which keys are gone', () => {
    const after = withValue(
      withValue(before, 'task_config.call_terminate', undefined),
      'agent_name',
      undefined,
    )
    expect(agentChanges(before, after)).toEqual({
      changes: {},
      removed: ['agent_name', 'task_config.call_terminate'],
    })
  })
})

describe('a path', () => {
  it('leads to nothing through what is not an object', () => {
    expect(valueAt({ agent_name: 'Ada' }, 'agent_name.first')).toBeUndefined()
  })

  it('makes the objects on its way, and leaves the original alone', () => {
    const empty = {}
    expect(withValue(empty, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } })
    expect(empty).toEqual({})
  })
})
