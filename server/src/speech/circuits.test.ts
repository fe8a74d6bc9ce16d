import { expect, it } from 'vitest'
import { Circuits } from './circuits.ts'

const setUp = () => {
  const clock = { nowMs: 0 }
  return { clock, circuits: new Circuits(() => clock.nowMs) }
}

it('a vendor that failed is left alone for a while, in this workspace only', () => {
  const { clock, circuits } = setUp()
  circuits.fail('w1/deepgram', 'Deepgram refused the connection (401).')
  expect(circuits.faultOf('w1/deepgram')).toBe('Deepgram refused the connection (401).')
  expect(circuits.faultOf('w2/deepgram')).toBeUndefined()
  clock.nowMs = 15_000
  expect(circuits.faultOf('w1/deepgram')).toBeUndefined()
})

it('longer each time, up to five minutes, until it works again', () => {
  const { clock, circuits } = setUp()
  const restMs = () => {
    const failedMs = clock.nowMs
    circuits.fail('v', 'It failed.')
    while (circuits.faultOf('v')) clock.nowMs += 1_000
    return clock.nowMs - failedMs
  }
  expect([restMs(), restMs(), restMs()]).toEqual([15_000, 30_000, 60_000])
  for (let n = 0; n < 5; n++) restMs()
  expect(restMs()).toBe(300_000)
  circuits.succeed('v')
  expect(restMs()).toBe(15_000)
})
