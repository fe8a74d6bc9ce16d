// The vitest run that skip-gate.test.ts checks.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/test/props/skips/skips.fixture.ts'],
    reporters: ['./server/test/support/run/closing-line.ts'],
  },
})
