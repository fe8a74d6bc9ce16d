// A media thread with the no-op line.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../server/src/main/media-messages.ts'
import { openMediaRuntime } from '../server/src/main/media-runtime.ts'
import { serveCalls } from '../server/src/main/serve-calls.ts'
import { noOp } from './no-op-line.ts'

const carriers = { descriptions: { 'no-op': noOp }, choose: () => 'no-op' }

serveCalls((log) => openMediaRuntime(workerData as MediaThreadOptions, log, { carriers }))
