// Whole calls through real engines, judged on their recordings: scenarios/*.yaml say what happens and what must be heard.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flite, moonshine, silero } from '../src/adapters/embedded/models/catalogue.ts'
import { modelsAtHand } from './props/engines/models-at-hand.ts'
import { account, hearCall } from './support/scenario/hear-call.ts'
import { faultsOf } from './support/scenario/judge.ts'
import { readScenarios, type Scenario } from './support/scenario/scenario.ts'
import { type Fixture, openFixture, type Played, play, playAll } from './support/scenario/scenario-fixture.ts'

const { folder: models, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, flite)
const only = process.env.SCENARIO
const scenarios = readScenarios(new URL('./scenarios/', import.meta.url)).filter(
  ({ name }) => !only || name === only,
)

// More at once and the recognizer answers late on two cores, which is not what is judged here.
const callsAtOnce = 3
const allOfThemMs = 300_000
// Two short ones in a call are a collection of garbage.
const stallsAtMost = 2
const attempts = 3
const oneMs = 120_000

interface Judged {
  readonly faults: readonly string[]
  readonly told: string
}

describe.skipIf(absent)(absent ? `skipped: ${absent}` : 'a call', () => {
  let fixture: Fixture
  let folder: string
  let played: ReadonlyMap<string, Played>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-scenarios-'))
    fixture = await openFixture(models)
    played = await playAll(scenarios, callsAtOnce, (scenario) => play(scenario, fixture, folder))
  }, allOfThemMs)

  afterAll(async () => {
    await fixture.close()
    // To listen to what went wrong: SCENARIO_RECORDINGS=<folder>.
    const kept = process.env.SCENARIO_RECORDINGS
    if (kept) await cp(folder, kept, { recursive: true })
    await rm(folder, { recursive: true })
  })

  /** A machine too busy to send its frames cannot hear in time either: then the call is made again, by itself. */
  async function judged(scenario: Scenario, call: Played, left: number): Promise<Judged> {
    const heard = await hearCall(call, scenario, fixture)
    const faults = faultsOf(scenario.must, heard, call.outcome)
    const overloaded = call.stalls.length > stallsAtMost
    if (faults.length === 0 || !overloaded || left <= 1) return { faults, told: account(heard, call) }
    return judged(scenario, await play(scenario, fixture, folder), left - 1)
  }

  it.each(scenarios.map((scenario) => [scenario.name, scenario.about, scenario] as const))(
    '%s: %s',
    async (name, _, scenario) => {
      const first = played.get(name)
      if (!first) throw new Error('it was not played')
      const { faults, told } = await judged(scenario, first, attempts)
      if (scenario.open) expect(faults, `this is mended: ${scenario.open}`).not.toEqual([])
      else expect(faults, told).toEqual([])
    },
    oneMs,
  )
})
