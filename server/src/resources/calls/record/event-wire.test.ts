// The times of words in a record, from the pieces that a transcriber timed.
import { expect, it } from 'vitest'
import type { TranscriptEntry } from '../../../ports/call.ts'
import { wordTimesOf } from './event-wire.ts'

const said = (content: string, ...pieces: readonly (readonly [string, number])[]): TranscriptEntry => ({
  turn: 1,
  role: 'user',
  content,
  startSeconds: 3,
  endSeconds: 9,
  interrupted: false,
  parts: pieces.map(([text, startSeconds]) => ({ text, startSeconds, endSeconds: startSeconds + 0.3 })),
})

it('gives every word the time of its first piece, whatever stands around it', () => {
  const entry = said('“Forty-two, please …”', ['For', 3.1], ['ty', 3.3], ['two', 3.5], ['please', 4])
  expect(wordTimesOf(entry)).toEqual({ word_times: [3.1, 4, 4] })
})

it('tells words apart that are written alike', () => {
  expect(wordTimesOf(said('no no', ['no', 3], ['no', 3.6]))).toEqual({ word_times: [3, 3.6] })
})

it('has none where the pieces are not those of the text, and none of the agent', () => {
  expect(wordTimesOf(said('yes'))).toEqual({})
  expect(wordTimesOf(said('yes', ['no', 3]))).toEqual({})
  expect(wordTimesOf({ ...said('yes', ['yes', 3]), role: 'agent' })).toEqual({})
})
