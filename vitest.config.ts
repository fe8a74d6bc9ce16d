import { totalmem } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './server/test/support/run/longest-first.ts'

// About real time itself: a browser's sound, the ticker, calls that are watched while they last. These files run after the
// others, two at a time. Everything else of speech runs on the virtual clock.
const inRealTime = [
  'server/test/dashboard/talk-in-a-browser.test.ts',
  'server/test/telephone/sip-softphones.test.ts',
  'server/test/telephone/sip-taken-over.test.ts',
  'server/src/platform/clock/ticker.test.ts',
]

// With weights, other people's programs or whole services: not for the edit loop.
const needServices = [
  'server/test/!(props|support)/!(docs-paths|model-ends|names).test.ts',
  'server/test/support/run/skip-gate.test.ts',
  'server/src/carriers/sandbox/spoken.test.ts',
  'server/src/mind/semantic-routes.test.ts',
  'server/src/engines/*.test.ts',
  'server/src/engines/{kokoro,models,minilm,moonshine,silero,whisper,xvector}/*.test.ts',
  'server/src/engines/wren/{wave,wren}*.test.ts',
  'server/src/engines/pronunciation/english*.test.ts',
  'server/src/engines/ffmpeg/*.test.ts',
  'server/src/engines/knowledge/parse/*.test.ts',
  'server/src/engines/transcription/embedded-engine.test.ts',
  'server/src/main/media/assemble-call.test.ts',
  'server/src/platform/outbound.test.ts',
  '**/no-garbage.test.ts',
]

// Mocks modules, which takes vite, watches them being loaded, or counts what a process holds: each file needs a process that
// nothing else has used.
const needFreshProcess = [
  'server/test/installation/failed-start.test.ts',
  'server/test/tree/linear-expressions.test.ts',
]

// Files wait for something half of the time: four of them keep two cores busy, where there is memory for the weights and
// services that each worker holds.
const workerBytes = 3e9
const workers = Math.max(2, Math.min(4, Math.floor(totalmem() / workerBytes)))

// Node imports the modules, as it does in the product. What vite makes of them takes a third more processor time, because
// every use of an import is a look-up.
const asInTheProduct = { experimental: { viteModuleRunner: false, nodeLoader: false } }

const shared = {
  // A file begins with the modules that the one before it loaded: loading them again takes longer than most files.
  // Modules therefore hold no state that a test can see.
  isolate: false,
  restoreMocks: true,
  // Nothing is asserted of speed: this only ends what would never end, on the busiest machine.
  testTimeout: 400_000,
  hookTimeout: 400_000,
  expect: { poll: { timeout: 150_000 } },
  setupFiles: ['server/test/support/run/patient-waits.ts'],
  unstubEnvs: true,
  maxWorkers: workers,
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/postgres.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './server/test/support/run/closing-line.ts'],
    projects: [
      {
        test: {
          ...shared,
          ...asInTheProduct,
          name: 'unit',
          include: ['{contract,sdk,server}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...needServices, ...inRealTime],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          // Node does not import .tsx.
          name: 'dashboard',
          include: ['dashboard/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          ...asInTheProduct,
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
          ...asInTheProduct,
          name: 'in real time',
          include: inRealTime,
          setupFiles: [...shared.setupFiles, 'server/test/support/before-others.ts'],
          isolate: true,
          maxWorkers: 2,
          // Calls at a time: more than two cores can listen to and speak in would stutter.
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
