// A media thread whose calls get a message of an unknown type from a vendor, and no parts.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../../../src/main/media/media-messages.ts'
import type { MediaRuntime } from '../../../src/main/media/media-runtime.ts'
import { serveCalls } from '../../../src/main/media/serve-calls.ts'
import { openTicker } from '../../../src/platform/clock/ticker.ts'
import { PassedOver } from '../../../src/vendors/over/wire/passed-over.ts'

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
  () => {
    new PassedOver('Acme', 'transcriber').unknown('novel')
    throw new Error('It has no parts.')
  },
)
