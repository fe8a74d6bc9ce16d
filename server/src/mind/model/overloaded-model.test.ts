// Calls whose model server is overloaded, on the call's own clock: it stands still while a request is under way.
import { afterEach, describe, expect, it } from 'vitest'
import { rehearse, settle } from '../../../test/props/call/rehearsal.ts'
import { type Answer, type ModelServer, openModelServer } from '../../../test/props/servers/model-server.ts'
import { settled } from '../../../test/props/virtual-clock/outstanding-work.ts'
import type { CallParts } from '../../call/call-parts.ts'
import { type Ticker, waitOnTicks } from '../../platform/clock/ticker.ts'
import { openGuard } from '../../platform/guard/guard.ts'
import { readModel } from '../../resources/calls/plan/read-model.ts'
import { chooseModel, openTrustedConnections } from './choose-model.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const overload: Answer = {
  status: 529,
  body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
}
const slowDown = (seconds: string): Answer => ({
  status: 429,
  headers: { 'retry-after': seconds },
  body: { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } },
})
const unpaid: Answer = {
  status: 429,
  body: {
    error: {
      message: 'You exceeded your current quota.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    },
  },
}
const refusal: Answer = { status: 401, body: { error: { message: 'Incorrect API key provided' } } }
const words: Answer = { words: ['The ferry leaves ', 'at six.'] }

async function setUp(answers: readonly Answer[], models = ['large'], agent: { use_fillers?: boolean } = {}) {
  const server: ModelServer = await openModelServer(...answers)
  const guard = openGuard({ allowPrivate: false, trustedHosts: [] })
  const trusted = openTrustedConnections()
  cleanups.push(
    () => server.close(),
    () => guard.close(),
    () => trusted.destroy(),
  )
  const waiting = new Set<(dueMs: number) => void>()
  const ticker: Pick<Ticker, 'add'> = {
    add(onTick) {
      waiting.add(onTick)
      return { end: () => void waiting.delete(onTick) }
    },
  }
  const notes: string[] = []
  const operator = {
    server: { provider: 'custom' as const, baseUrl: server.baseUrl, models, apiKey: 'k' },
    keys: {},
  }
  const { model } = chooseModel({
    plan: readModel({}),
    operator,
    guard,
    trusted,
    onFailover: (note) => notes.push(note),
    wait: waitOnTicks(ticker),
  })
  const askedAtMs: number[] = []
  const call = rehearse({
    task: { optimize_latency: false, check_if_user_online: false, ...agent },
    parts: { model } satisfies Partial<CallParts>,
  })
  const until = async (condition: () => boolean, withinMs = 20_000) => {
    for (let passed = 0; passed < withinMs && !condition(); passed += 20) {
      await call.tick()
      for (const onTick of [...waiting]) onTick(call.nowMs)
      await settled()
      await settle()
      while (askedAtMs.length < server.asked.length) askedAtMs.push(call.nowMs)
    }
    if (!condition()) throw new Error(`it did not happen: ${condition}`)
  }
  /** The pauses between the requests of the last turn, to a tenth of a second. */
  const pauses = () =>
    askedAtMs.slice(1).map((atMs, place) => Math.round((atMs - (askedAtMs[place] ?? 0)) / 100) / 10)
  await call.answer()
  await call.says('when does the ferry leave')
  return { call, server, until, pauses, notes }
}

const sayAgain = "agent: I'm sorry, something went wrong. Could you say that again, please?"
const agentSaid = ({ call }: Awaited<ReturnType<typeof setUp>>) =>
  call.spoken().filter((line) => line.startsWith('agent: '))

describe('a model that is overloaded', () => {
  it('is asked again behind a filler, at longer and longer intervals, until it answers', async () => {
    const scene = await setUp([overload, overload, overload, words], ['large'], { use_fillers: true })
    await scene.until(() => agentSaid(scene).length === 1)
    expect(agentSaid(scene)[0]).toMatch(/^agent: (?!I'm sorry).+ The ferry leaves at six\.$/)
    expect(scene.pauses()).toEqual([0.3, 1, 2])
    expect(scene.notes).toEqual(
      [0.3, 1, 2].map(
        (seconds) =>
          `the language model large at ${new URL(scene.server.baseUrl).host} is overloaded (529): Overloaded; it is asked again in ${seconds} s`,
      ),
    )
  })

  it('costs the caller a repetition, and the call only in a second turn', async () => {
    const scene = await setUp([overload])
    await scene.until(() => agentSaid(scene).at(-1) === sayAgain)
    expect(scene.server.asked).toHaveLength(4)
    scene.server.answers.splice(0, 1, words)
    await scene.call.says('the ferry, when does it leave')
    await scene.until(() => agentSaid(scene).at(-1) === 'agent: The ferry leaves at six.')
    scene.server.answers.splice(0, 1, overload)
    for (const question of ['and back', 'and back again']) {
      await scene.call.says(question)
      const { length } = agentSaid(scene)
      await scene.until(() => agentSaid(scene).length > length || scene.call.isOver, 30_000)
    }
    await scene.until(() => scene.call.isOver)
    expect(scene.call.outcome).toMatchObject({ status: 'failed', hangupReason: 'llm_error' })
  })

  it('is not waited for where the agent has another one', async () => {
    const scene = await setUp([overload, words], ['large', 'small'])
    await scene.until(() => agentSaid(scene).length === 1)
    expect(scene.server.asked.map(({ body }) => body.model)).toEqual(['large', 'small'])
    expect(scene.pauses()).toEqual([0])
  })

  it('is asked when it wants to be', async () => {
    const scene = await setUp([slowDown('2.5'), words])
    await scene.until(() => agentSaid(scene).length === 1)
    expect(scene.pauses()).toEqual([2.5])
  })

  it('by a date too', async () => {
    const scene = await setUp([slowDown(new Date(Date.now() + 60_000).toUTCString()), words])
    await scene.until(() => agentSaid(scene).at(-1) === sayAgain)
    expect(scene.server.asked).toHaveLength(1)
  })
})

it.each([
  ['does not accept the key', refusal],
  ['has no quota left', unpaid],
  ['does not know the request', { status: 400, body: { error: { message: 'Bad messages' } } } as Answer],
])('a model that %s is asked once in a turn', async (_, answer) => {
  const scene = await setUp([answer])
  await scene.until(() => agentSaid(scene).at(-1) === sayAgain)
  expect(scene.server.asked).toHaveLength(1)
})
