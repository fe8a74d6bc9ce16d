// The media thread on a virtual clock: calls run as fast as the engines answer, with the same results under any load.
//
// For calls without outside interaction while they run: a person, a browser or a test that stops a call is in real
// time.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../../src/main/media/media-messages.ts'
import { openMediaRuntime } from '../../src/main/media/media-runtime.ts'
import { serveCalls } from '../../src/main/media/serve-calls.ts'
import { openVirtualTicker } from '../props/virtual-clock/virtual-ticker.ts'

serveCalls((log) => openMediaRuntime(workerData as MediaThreadOptions, log, { ticker: openVirtualTicker() }))
