// What servers that are asked for chat completions only get of an agent's options.
import { expect, it } from 'vitest'
import {
  bodyOf,
  modelRequests,
  modelSuite,
  openAiNames,
  openWeightNames,
} from '../../test/props/vendors/model-suite.ts'
import { completionServers } from './chat-completions.ts'

const { groq, together, deepseek, ollama, vllm, llamacpp, custom } = completionServers

modelSuite({
  vendor: groq,
  model: 'openai/gpt-oss-120b',
  options: { ...openAiNames, frequency_penalty: undefined, presence_penalty: undefined },
  missing: ['top_k', 'min_p', 'frequency_penalty', 'presence_penalty'],
})

modelSuite({
  vendor: together,
  model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  options: openWeightNames,
  missing: [],
})

modelSuite({
  vendor: deepseek,
  model: 'deepseek-flash',
  options: { ...openAiNames, seed: undefined, thinking: { type: 'enabled' } },
  missing: ['top_k', 'min_p', 'seed'],
  defaults: ['thinking'],
})

it.each([{}, { reasoning_effort: 'none' }])('DeepSeek does not think unless it is asked to: %j', (wish) => {
  const { thinking, reasoning_effort } = bodyOf(deepseek, 'deepseek-flash', wish)
  expect([thinking, reasoning_effort]).toEqual([{ type: 'disabled' }, undefined])
})

modelSuite({ vendor: ollama, model: 'llama3.2', options: openAiNames, missing: ['top_k', 'min_p'] })

modelSuite({ vendor: vllm, model: 'Qwen/Qwen2.5-7B-Instruct', options: openWeightNames, missing: [] })

modelSuite({
  vendor: llamacpp,
  model: 'any',
  options: { ...openWeightNames, reasoning_effort: undefined },
  missing: ['reasoning_effort'],
})

modelSuite({ vendor: custom, model: 'any', options: openWeightNames, missing: [] })

modelRequests(custom, [['http://x/v1/chat/completions/', undefined, 'm', 'http://x/v1/chat/completions']])
