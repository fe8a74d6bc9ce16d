// Mutated packets against a call that goes on. faults/hostile-rtp.ts does the same with 100,000.
import { describe, expect, it } from 'vitest'
import { assaults, battle } from '../../../../test/props/sip/hostile-rtp.ts'

describe.each(assaults)(
  '$codec, encrypted: $isEncrypted, in the name of the far end: $inItsName',
  (assault) => {
    it('survives, and hears the far end', async () => {
      const peace = await battle({ ...assault, rate: 0 }, 60, 1)
      const war = await battle(assault, 60, 2)
      expect(war.hostile).toBeGreaterThan(1_000)
      // Whoever may write in the far end's name without a key is heard as the far end.
      if (assault.isEncrypted || !assault.inItsName) expect(war.heard).toEqual(peace.heard)
      else expect(war.heard).toHaveLength(peace.heard.length)
    })
  },
)
