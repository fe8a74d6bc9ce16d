// What a status of SIP means in the record of a call.
import { describe, expect, it } from 'vitest'
import { causeOfStatus, lineEndOf, outOfReach, reasonHeaders } from './causes.ts'

describe('a call that is refused', () => {
  it.each([
    ['busy', [486, 600]],
    ['no-answer', [408, 480, 487]],
    ['rejected', [603]],
    ['unreachable', [404, 410, 484, 485, 604]],
    ['failed', [400, 401, 402, 403, 405, 407, 481, 483, 488, 500, 502, 503, 504, 606]],
  ] as const)('is %s after %j', (end, statuses) =>
    expect(statuses.map((status) => lineEndOf(causeOfStatus(status)))).toEqual(statuses.map(() => end)),
  )

  it('by nobody, because the trunk is gone, is not one that the callee did not answer', () =>
    expect(lineEndOf(outOfReach('The trunk did not answer.'))).toBe('no-trunk'))

  it('with a status that nobody knows is refused like the first of its hundred', () =>
    expect([418, 599, 699].map((status) => lineEndOf(causeOfStatus(status)))).toEqual([
      'failed',
      'failed',
      'busy',
    ]))

  it('tells the network behind the same in its own numbers', () =>
    expect([404, 486, 480, 603].map((status) => reasonHeaders(causeOfStatus(status))[0]?.value)).toEqual([
      'Q.850;cause=1;text="Not Found"',
      'Q.850;cause=17;text="Busy Here"',
      'Q.850;cause=18;text="Temporarily Unavailable"',
      'Q.850;cause=21;text="Decline"',
    ]))
})
