import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './server/test/support/longest-first.ts'

// About real time itself: a browser's sound, the ticker, calls that are watched while they last. These files have the
// machine to themselves, one after the other. Everything else of speech runs on the virtual clock.
const inRealTime = [
  'server/test/talk-in-a-browser.test.ts',
  'server/test/sip-softphones.test.ts',
  'server/test/sip-taken-over.test.ts',
  'server/src/platform/clock/ticker.test.ts',
]

// With weights, other people's programs or whole services: not for the edit loop.
const needServices = [
  'server/test/!(docs-paths).test.ts',
  'server/test/support/skip-gate.test.ts',
  'server/src/adapters/carriers/sandbox/spoken.test.ts',
  'server/src/adapters/dialogue/routes.test.ts',
  'server/src/adapters/embedded/*.test.ts',
  'server/src/adapters/embedded/{kokoro,models,minilm,moonshine,silero,whisper,xvector}/*.test.ts',
  'server/src/adapters/embedded/wren/{wave,wren}*.test.ts',
  'server/src/adapters/embedded/pronunciation/english*.test.ts',
  'server/src/adapters/ffmpeg/*.test.ts',
  'server/src/adapters/knowledge/parse/*.test.ts',
  'server/src/adapters/transcription/embedded/embedded-engine.test.ts',
  'server/src/main/assemble-call.test.ts',
  'server/src/platform/outbound.test.ts',
  '**/no-garbage.test.ts',
]

// Mocks modules or counts what a process holds: each file needs a process that nothing else has used.
const needFreshProcess = ['server/test/failed-start.test.ts']

const shared = {
  // A file begins with the modules that the one before it loaded: loading them again takes longer than most files.
  // Modules therefore hold no state that a test can see.
  isolate: false,
  restoreMocks: true,
  // Nothing is asserted of speed: this only ends what would never end, on the busiest machine.
  testTimeout: 400_000,
  hookTimeout: 400_000,
  expect: { poll: { timeout: 150_000 } },
  unstubEnvs: true,
  // Each file has services of its own; more at once only makes every one of them slower.
  maxWorkers: 3,
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/postgres.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './server/test/support/closing-line.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{contract,sdk,server,dashboard}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...needServices, ...inRealTime],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'with services',
          include: needServices,
          exclude: [...configDefaults.exclude, ...needFreshProcess, ...inRealTime],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'in a fresh process',
          include: needFreshProcess,
          isolate: true,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'in real time',
          include: inRealTime,
          isolate: true,
          maxWorkers: 1,
          // Calls at a time: more than two cores can listen to and speak in would stutter.
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
