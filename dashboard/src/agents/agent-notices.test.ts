import { expect, it } from 'vitest'
import { noticesOf } from './agent-notices.ts'

const config = (model: string) => ({ llm_agent: { llm_config: { provider: 'openai', model } } })
const sentence = 'OpenAI ends gpt-5-mini on 11 December 2026. Use gpt-5.6-terra instead.'

it('a model that ends is told while it is written, and once', () => {
  expect(noticesOf(config('gpt-5-mini'), '2026-11-19', [])).toEqual([sentence])
  expect(noticesOf(config('gpt-5-mini'), '2026-11-19', [sentence, 'Two keywords are left out.'])).toEqual([
    sentence,
    'Two keywords are left out.',
  ])
})

it('one that does not is not', () => expect(noticesOf(config('gpt-6-luna'), '2026-11-19', [])).toEqual([]))
