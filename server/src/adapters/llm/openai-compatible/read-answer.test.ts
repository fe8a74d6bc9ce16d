// Chunks as different servers send them.
import { expect, it } from 'vitest'
import type { ModelPart } from '../../../ports/language-model.ts'
import { answerReader } from './read-answer.ts'

const chunk = (delta: object, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })

const read = (...data: string[]): ModelPart[] => {
  const reader = answerReader()
  return data.flatMap((one) => {
    const reading = reader.take(one)
    return reading.type === 'parts' ? reading.parts : []
  })
}

const call = (id: string, name: string, args: string) => ({
  type: 'tool-call',
  call: { id, name, arguments: args },
})

it('calls that are mixed are sorted by their number', () => {
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

it('calls that all have the number 0 are told apart by their ids', () => {
  const whole = (id: string) => ({ index: 0, id, function: { name: id, arguments: '{}' } })
  const parts = read(chunk({ tool_calls: [whole('a')] }), chunk({ tool_calls: [whole('b')] }, 'stop'))
  expect(parts).toEqual([call('a', 'a', '{}'), call('b', 'b', '{}')])
})

it('calls without number and id are given one', () => {
  expect(read(chunk({ tool_calls: [{ function: { name: 'x' } }] }, 'tool_calls'))).toEqual([
    call('call_0', 'x', '{}'),
  ])
})

it('a call that was not finished is no call', () => {
  expect(
    read(chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{' } }] })),
  ).toEqual([])
})

it('thoughts in a field of their own are not said', () => {
  expect(read(chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Yes.' }))).toEqual([
    { type: 'text', text: 'Yes.' },
  ])
})

it.each([
  ['<think>Hm.</think>\n\nYes, <b>.', 'Yes, <b>.'],
  ['\n<think>Hm.', ''],
  ['<thin air', '<thin air'],
  ['Yes. <think>x</think>', 'Yes. <think>x</think>'],
])('of %j the thoughts are not said, however it is split', (answer, said) => {
  const words = (pieces: readonly string[]) =>
    read(...pieces.map((content) => chunk({ content })))
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
  expect([words([answer]), words([...answer])]).toEqual([said, said])
})

it.each(['', 'null', '[]x', '7', '{"choices":[{"delta":{"content":7}}]}'])('%j is garbage', (data) => {
  expect(answerReader().take(data)).toEqual({ type: 'garbage' })
})
