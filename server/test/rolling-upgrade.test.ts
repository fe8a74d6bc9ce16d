// The last release beside this one on one database, while one replaces the other: a short run of the script in faults/.
import { expect } from 'vitest'
import { noUpgrade, rollingUpgrade } from '../../faults/rolling-upgrade.ts'
import { itUnless } from './props/unless.ts'

itUnless(
  noUpgrade,
  'replaced process by process under load, nothing is lost and nobody refused',
  async () => {
    const outcome = await rollingUpgrade(500, () => {})
    expect(outcome).toMatchObject({ refused: 0, lost: 0, doubled: 0, givenUp: 0, undelivered: 0 })
    expect(outcome.complaints).toEqual([])
    expect(outcome.events).toBeGreaterThan(0)
  },
)
