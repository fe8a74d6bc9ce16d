// Whole calls through real engines on the virtual clock, judged by their recordings: scenarios/*.yaml describe what
// happens and what must be heard. The thresholds are in the time of the call.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { account, hearCall } from '../support/scenario/hear-call.ts'
import { faultsOf } from '../support/scenario/judge.ts'
import { readScenarios } from '../support/scenario/scenario.ts'
import { type Fixture, openFixture, play } from '../support/scenario/scenario-fixture.ts'

const { folder: models, absent } = await modelsAtHand(
  process.env.PARLEY_MODELS_DIR,
  silero,
  moonshine,
  pronunciation,
)
const only = process.env.SCENARIO
const scenarios = readScenarios(new URL('../scenarios/', import.meta.url)).filter(
  ({ name }) => !only || name === only,
)

// Nothing is measured in real time; this only bounds a call that would never end.
const oneMs = 300_000

describeUnless(absent, 'a call', () => {
  let fixture: Fixture
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-scenarios-'))
    fixture = openFixture(models)
  })

  afterAll(async () => {
    await fixture.close()
    // SCENARIO_RECORDINGS=<folder> keeps the recordings for listening.
    const kept = process.env.SCENARIO_RECORDINGS
    if (kept) await cp(folder, kept, { recursive: true })
    await rm(folder, { recursive: true })
  })

  it.each(scenarios.map((scenario) => [scenario.name, scenario.about, scenario] as const))(
    '%s: %s',
    async (_name, _about, scenario) => {
      const call = await play(scenario, fixture, folder)
      const heard = await hearCall(call, scenario, fixture)
      const faults = faultsOf(scenario.must, heard, call.outcome)
      if (scenario.open) expect(faults, `this is fixed now: ${scenario.open}`).not.toEqual([])
      else expect(faults, account(heard, call)).toEqual([])
    },
    oneMs,
  )
})
