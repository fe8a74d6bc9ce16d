// The run of vitest that skip-gate.test.ts judges.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/test/props/skips/skips.fixture.ts'],
    reporters: ['./server/test/support/closing-line.ts'],
  },
})
