// A whole call on a machine that is too busy for it: what is said, what is heard, and what the record tells.
import { expect, it } from 'vitest'
import { rehearse } from '../../test/props/call/rehearsal.ts'

const greeted = { agent_welcome_message: 'Good morning, this is the Maple clinic.' }

it('sound that could not be sent is in the record, and named as what it was', async () => {
  const call = rehearse({ agent: greeted })
  await call.answer()
  for (let n = 0; n < 9; n++) {
    await call.run(100)
    await call.tick(20 * 7)
  }
  call.session.stop('api')
  await call.tick()
  expect(call.outcome.line?.lateFrames).toBe(54)
  expect(call.notes()).toContain('The machine was overloaded: 54 frames of sound were late.')
  const told = call.updates.flatMap((update) => (update.type === 'late-sound' ? [update.frames] : []))
  expect(told.reduce((sum, frames) => sum + frames, 0)).toBe(54)
})

it('a call in time says nothing of it', async () => {
  const call = rehearse({ agent: greeted })
  await call.answer()
  await call.run(3_000)
  call.session.stop('api')
  await call.tick()
  expect(call.outcome.line?.lateFrames).toBeUndefined()
  expect(call.notes()).toEqual([])
})

it('both sides of the recording stay on the clock, and what the caller said meanwhile is in it', async () => {
  const call = rehearse()
  await call.answer()
  await call.run(200)
  const before = call.recording.caller.length
  for (let n = 0; n < 23; n++) call.line.bring(1_000 + n)
  await call.tick(23 * 20)
  expect(call.recording.caller.slice(before)).toEqual(Array.from({ length: 23 }, (_, n) => 1_000 + n))
  expect(call.recording.agent).toHaveLength(call.recording.caller.length)
})

it('an answer is timed from when the caller’s sound came, not from when it was heard', async () => {
  const total = async (waitedMs: number) => {
    const call = rehearse({ replies: ['Sure.'] })
    await call.answer()
    call.line.arrivedMs = () => call.nowMs - waitedMs
    call.line.bring(1)
    await call.tick()
    await call.says('a table for two')
    await call.until(() => call.updates.some(({ type }) => type === 'latency'))
    const [latency] = call.updates.flatMap((update) => (update.type === 'latency' ? [update.latency] : []))
    return latency?.totalMs ?? Number.NaN
  }
  expect((await total(140)) - (await total(0))).toBe(140)
})
