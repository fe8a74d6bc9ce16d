// What Mistral's models get of an agent's options.

import { expect, it } from 'vitest'
import { modelSuite, openAiNames } from '../../../test/props/vendors/model-suite.ts'
import { thinks } from './thinks.ts'

modelSuite({
  vendor: thinks,
  model: 'mistral-small-latest',
  options: { ...openAiNames, reasoning_effort: undefined, seed: undefined, random_seed: 7 },
  missing: ['top_k', 'min_p', 'reasoning_effort'],
})

it('Mistral gets ids of tool calls in its own form, the same for a call and its result', () => {
  const messages = [
    { role: 'assistant', content: '', toolCalls: [{ id: 'call_7', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: 'yes', toolCallId: 'call_7' },
  ] as const
  const body = JSON.parse(thinks.protocol.body('m', {}, { messages, tools: [] }))
  const [{ tool_calls }, { tool_call_id }] = body.messages
  expect(tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/)
  expect(tool_calls[0].id).toBe(tool_call_id)
})
