import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,sdk,server,dashboard}/**/*.test.ts'],
    globalSetup: ['server/test/support/postgres.ts'],
    reporters: ['default', './server/test/support/closing-line.ts'],
    // Real servers, real browsers and real compilers take their time on two busy cores.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Each file has services of its own; more at once only makes every one of them slower.
    maxWorkers: 2,
    unstubEnvs: true,
  },
})
