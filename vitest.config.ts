import { configDefaults, defineConfig } from 'vitest/config'

// Speech is heard and answered in real time: these files have the machine to themselves, one after the other.
const inRealTime = [
  'server/test/{scenarios,life-of-a-call,calls-with-a-model,talk-in-a-browser,speech-spoken}.test.ts',
  'server/src/adapters/carriers/sandbox/spoken.test.ts',
  'server/src/adapters/embedded/{engines,flite/flite,moonshine/moonshine,silero/silero}.test.ts',
  'server/src/platform/clock/ticker.test.ts',
]

const shared = {
  // Real servers, real browsers and real compilers take their time on two busy cores.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  unstubEnvs: true,
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/postgres.ts'],
    reporters: ['default', './server/test/support/closing-line.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'together',
          include: ['{contract,sdk,server,dashboard}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...inRealTime],
          // Each file has services of its own; more at once only makes every one of them slower.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'in real time',
          include: inRealTime,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
