// The difference between two configurations, as the body of an update.
import { describe, expect, it } from 'vitest'
import { valueAt, withValue } from '../ui/forms/tree.ts'
import { agentChanges } from './agent-draft.ts'

const before = {
  agent_name: 'Ada',
  llm_agent: { agent_type: 'simple_llm_agent', llm_config: { provider: 'openai', model: 'small' } },
  task_config: { hangup_after_silence: 20, call_terminate: 300 },
  call_analysis_config: { summary: true, sentiment: false, data_extraction: false },
}

describe('the changes of an agent', () => {
  it('are empty when nothing changed, whatever the order of the keys', () => {
    const { task_config: _same, ...others } = before
    const after = { task_config: { call_terminate: 300, hangup_after_silence: 20 }, ...others }
    expect(agentChanges(before, after)).toEqual({ changes: {}, removed: [] })
  })

  it('contain only the changed leaf of a merged object', () => {
    const after = withValue(before, 'llm_agent.llm_config.model', 'large')
    expect(agentChanges(before, after).changes).toEqual({ llm_agent: { llm_config: { model: 'large' } } })
  })

  it('contain the whole of a replaced object', () => {
    const after = withValue(before, 'call_analysis_config.sentiment', true)
    expect(agentChanges(before, after).changes).toEqual({
      call_analysis_config: { summary: true, sentiment: true, data_extraction: false },
    })
  })

  it('contain an added object', () => {
    const after = withValue(before, 'synthesizer.provider_config.voice', 'Joanna')
    expect(agentChanges(before, after).changes).toEqual({
      synthesizer: { provider_config: { voice: 'Joanna' } },
    })
  })

  it('list the removed keys', () => {
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
  it('through a value that is not an object is undefined', () => {
    expect(valueAt({ agent_name: 'Ada' }, 'agent_name.first')).toBeUndefined()
  })

  it('creates the objects along it, and does not change the original', () => {
    const empty = {}
    expect(withValue(empty, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } })
    expect(empty).toEqual({})
  })
})
