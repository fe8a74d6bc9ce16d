// Tests that are skipped for an allowed reason, for another, and for none. Run only by skip-gate.test.ts.
import { expect, it } from 'vitest'
import { itUnless } from '../unless.ts'

it('runs', () => expect(1).toBe(1))
itUnless('only root can open network namespaces', 'agreed', () => {})
if (process.env.SKIP === 'forbidden') {
  itUnless('the registry does not answer', 'weights', () => {})
  it.skip('unnamed', () => {})
  it('noted', ({ skip }) => skip('the moon is not full'))
}
