import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from './connection.ts'
import { ClaimantJudge } from './judgement.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const after = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('dead'), ms))

it('believes what it sees at once, and nothing without a connection of its own', async () => {
  const claimant = { mayJudge: true }
  const judgement = new ClaimantJudge(claimant)
  expect(await judgement.look(async () => 'dead')).toBe('dead')
  claimant.mayJudge = false
  expect(await judgement.look(async () => 'dead')).toBeUndefined()
})

it('does not believe what it sees after a look that was held, until the others are back', async () => {
  const judgement = new ClaimantJudge({ mayJudge: true })
  const held = judgement.look(() => after(6_000))
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await held).toBeUndefined()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(await judgement.look(async () => 'dead')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_001)
  expect(await judgement.look(async () => 'dead')).toBe('dead')
})

it('does not believe what it sees after the database was away; another error changes nothing', async () => {
  const judgement = new ClaimantJudge({ mayJudge: true })
  const failing = (error: Error) => judgement.look(() => Promise.reject(error)).catch(() => {})
  await failing(new Error('deadlock detected'))
  expect(await judgement.look(async () => 'dead')).toBe('dead')
  await failing(new DatabaseUnavailable('away'))
  expect(await judgement.look(async () => 'dead')).toBeUndefined()
})
