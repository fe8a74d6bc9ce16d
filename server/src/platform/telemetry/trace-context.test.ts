import { expect, it } from 'vitest'
import {
  partContextOf,
  randomContext,
  readTraceparent,
  rootContextOf,
  traceparentOf,
} from './trace-context.ts'

const id = '0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a1b'

it('the trace of a call has the id of the call', () => {
  expect(rootContextOf(id).traceId).toBe('0199a0b1c2d37e4f8a5b6c7d8e9f0a1b')
  expect(rootContextOf(id)).toEqual(rootContextOf(id))
  expect(partContextOf(id, 'turn 1')).not.toEqual(partContextOf(id, 'turn 2'))
})

it('what is written can be read', () => {
  const context = randomContext()
  expect(readTraceparent(traceparentOf(context))).toEqual(context)
  expect(readTraceparent(traceparentOf(rootContextOf(id)))).toEqual(rootContextOf(id))
})

it.each([
  undefined,
  '',
  'nonsense',
  '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
  'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7',
])('%s names no trace', (header) => {
  expect(readTraceparent(header)).toBeUndefined()
})

it('a later version may say more', () => {
  expect(readTraceparent('01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more')).toEqual({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
  })
})
