// A media thread like ours, with the line that does nothing.
import { workerData } from 'node:worker_threads'
import type { Birth } from '../server/src/main/media-messages.ts'
import { serveCalls } from '../server/src/main/serve-calls.ts'
import { openStudio } from '../server/src/main/media-runtime.ts'
import { noOpCarrier } from './no-op-line.ts'

serveCalls((log) => ({ ...openStudio(workerData as Birth, log), carrier: noOpCarrier }))
