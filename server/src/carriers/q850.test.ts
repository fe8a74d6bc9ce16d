// From the causes of the telephone network to the record of a call.
import { describe, expect, it } from 'vitest'
import { lineEnding } from '../call/turn/endings.ts'
import { endOfQ850, q850 } from './q850.ts'

describe('a call that was not answered', () => {
  it.each([
    [17, 'User busy', 'busy', 'dial_busy', null],
    [21, 'Call rejected', 'busy', 'dial_busy', 'The call was rejected.'],
    [19, 'No answer from user', 'no-answer', 'dial_no_answer', null],
    [20, 'Subscriber absent', 'no-answer', 'dial_no_answer', null],
    [102, 'Recovery on timer expiry', 'no-answer', 'dial_no_answer', null],
    [1, 'Unallocated number', 'failed', 'dial_failed', 'The number does not exist, or cannot be reached.'],
    [
      27,
      'Destination out of order',
      'failed',
      'dial_failed',
      'The number does not exist, or cannot be reached.',
    ],
    [38, 'Network out of order', 'failed', 'dial_failed', 'The call could not be placed.'],
    [99, 'Normal, unspecified', 'failed', 'dial_failed', 'The call could not be placed.'],
  ])('because of %i, %s, is %s/%s', (code, text, status, reason, error) => {
    expect(q850(code)).toEqual({ protocol: 'q850', code, text })
    expect(lineEnding(endOfQ850(code), false, null)).toEqual({ status, reason, error, by: 'carrier' })
  })
})
