// Chunks as different servers send them.
import { expect, it } from 'vitest'
import type { ModelPart } from '../../../../ports/language-model.ts'
import { CompletionReader } from './read-answer.ts'

const chunk = (delta: object, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })

const read = (...data: string[]): ModelPart[] => {
  const reader = new CompletionReader()
  return data.flatMap((one) => {
    const reading = reader.take(one)
    return reading.type === 'parts' ? reading.parts : []
  })
}

const call = (id: string, name: string, args: string) => ({
  type: 'tool-call',
  call: { id, name, arguments: args },
})

it('interleaved tool calls are sorted by index', () => {
  const parts = read(
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'y', arguments: '[' } }] }),
    chunk({
      tool_calls: [
        { index: 0, function: { arguments: '}' } },
        { index: 1, function: { arguments: ']' } },
      ],
    }),
    chunk({}, 'tool_calls'),
  )
  expect(parts).toEqual([call('a', 'x', '{}'), call('b', 'y', '[]')])
})

it('tool calls that all have index 0 are distinguished by their ids', () => {
  const whole = (id: string) => ({ index: 0, id, function: { name: id, arguments: '{}' } })
  const parts = read(chunk({ tool_calls: [whole('a')] }), chunk({ tool_calls: [whole('b')] }, 'stop'))
  expect(parts).toEqual([call('a', 'a', '{}'), call('b', 'b', '{}')])
})

it('tool calls without index and id are given an id', () => {
  expect(read(chunk({ tool_calls: [{ function: { name: 'x' } }] }, 'tool_calls'))).toEqual([
    call('call_0', 'x', '{}'),
  ])
})

it('an unfinished tool call is dropped', () => {
  expect(
    read(chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{' } }] })),
  ).toEqual([])
})

it('reasoning in its own field is not said', () => {
  expect(read(chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Yes.' }))).toEqual([
    { type: 'text', text: 'Yes.' },
  ])
})

it.each([
  ['<think>Hm.</think>\n\nYes, <b>.', 'Yes, <b>.'],
  ['\n<think>Hm.', ''],
  ['<thin air', '<thin air'],
  ['Yes. <think>x</think>', 'Yes. <think>x</think>'],
])('the reasoning in %j is not said, however it is split', (answer, said) => {
  const words = (pieces: readonly string[]) =>
    read(...pieces.map((content) => chunk({ content })))
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
  expect([words([answer]), words([...answer])]).toEqual([said, said])
})

it.each(['', 'null', '[]x', '7', '{"choices":[{"delta":{"content":7}}]}'])('%j is rejected', (data) => {
  expect(() => new CompletionReader().take(data)).toThrow()
})

it.each([
  ['OpenAI', { prompt_tokens_details: { cached_tokens: 7 } }, [7, 0]],
  ['OpenRouter', { prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 5 } }, [7, 5]],
  ['DeepSeek', { prompt_cache_hit_tokens: 7, prompt_cache_miss_tokens: 13 }, [7, 0]],
])('tokens that %s had kept, or begins to keep, are counted', (_, kept, counts) => {
  const reader = new CompletionReader()
  reader.take(
    JSON.stringify({
      choices: [],
      usage: { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23, ...kept },
    }),
  )
  expect(reader.tokens).toMatchObject({ inputTokens: 20, outputTokens: 3 })
  expect([reader.tokens?.cachedTokens, reader.tokens?.cacheWriteTokens]).toEqual(counts)
})
