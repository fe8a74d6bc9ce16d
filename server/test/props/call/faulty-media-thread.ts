// A media thread whose calls get parts that fail as their metadata says.
import { parentPort, workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../../../src/main/media/media-messages.ts'
import type { MediaRuntime } from '../../../src/main/media/media-runtime.ts'
import { serveCalls } from '../../../src/main/media/serve-calls.ts'
import { openTicker } from '../../../src/platform/clock/ticker.ts'
import { type Fault, faultyParts } from './faulty-parts.ts'

const ticker = openTicker()

serveCalls(
  () =>
    ({
      ...(workerData as MediaThreadOptions),
      ticker,
      carriers: {
        connectionFor: () => ({ provider: 'test', connect: undefined, release() {} }),
        onPost() {},
      },
      warmed: Promise.resolve(),
      close: () => ticker.close(),
    }) as unknown as MediaRuntime,
  ({ plan, onUpdate }) =>
    faultyParts(plan.metadata as Fault, {
      onUpdate,
      onBroken: () =>
        parentPort?.postMessage({
          type: 'log',
          level: 'info',
          fields: { sessionId: plan.sessionId, metadata: plan.metadata },
          message: 'broken',
        }),
    }),
)
