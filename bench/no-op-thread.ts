// A media thread with the no-op line.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../server/src/main/media/media-messages.ts'
import { openMediaRuntime } from '../server/src/main/media/media-runtime.ts'
import { serveCalls } from '../server/src/main/media/serve-calls.ts'
import type { CarrierChoice } from '../server/src/main/open-carriers.ts'
import { noOp } from './no-op-line.ts'

const carriers: CarrierChoice = {
  descriptions: { 'no-op': noOp },
  choose: () => ({ is: 'dialled', by: 'no-op' }),
}

serveCalls((log) => openMediaRuntime(workerData as MediaThreadOptions, log, { carriers }))
