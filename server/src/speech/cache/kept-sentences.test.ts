// How long a call waits for kept speech.
import { randomUUID } from 'node:crypto'
import { AgentConfig } from '@parley/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clausesOf } from '../../call/think/clauses.ts'
import { planOf } from '../../resources/calls/plan/plan-call.ts'
import { keptSentencesOf, voiceOptions } from './kept-sentences.ts'
import { encodeSpeech } from './speech-file.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const greeting = 'Good morning.'
const plan = planOf(
  AgentConfig.parse({
    agent_name: 'Ada',
    llm_agent: {},
    agent_welcome_message: greeting,
    synthesizer: { provider: 'cartesia', provider_config: { voice: 'katie' }, caching: true },
  }),
  {
    sessionId: randomUUID(),
    workspaceId: randomUUID(),
    agentId: randomUUID(),
    callType: 'inbound',
    to: null,
    from: null,
    provider: null,
    number: null,
    variables: {},
    metadata: null,
  },
  new Date(),
)

/** A store that answers when the test says so. */
function setUp() {
  const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, Uint8Array>>()
  let wanted: readonly string[] = []
  const cache = {
    find: ({ keys }: { keys: readonly string[] }) => {
      wanted = keys
      return promise
    },
    warm: vi.fn(),
  }
  const find = keptSentencesOf(plan, { name: 'cartesia', baseUrl: undefined }, cache, clausesOf)
  const file = encodeSpeech({ samples: new Int16Array(160).fill(7), words: [] })
  return {
    cache,
    say: () => find(greeting, { ...voiceOptions(plan.synthesizer), rateHz: 8_000 }),
    answers: () => resolve(new Map(wanted.map((key) => [key, file]))),
  }
}

it('a greeting that took long to be found is played, if it was found before the call was answered', async () => {
  const { cache, say, answers } = setUp()
  await vi.advanceTimersByTimeAsync(2_000)
  answers()
  expect((await say())?.samples[0]).toBe(7)
  expect(cache.warm).not.toHaveBeenCalled()
})

it('a greeting that is not found in time is left to the vendor', async () => {
  const { say, answers } = setUp()
  const said = say()
  await vi.advanceTimersByTimeAsync(251)
  expect(await said).toBeUndefined()
  answers()
  expect((await say())?.samples[0]).toBe(7)
})
