// The media thread on a virtual clock: its calls pass as fast as the engines answer, and no load makes them mishear.
//
// For calls that need nobody from outside while they live: a person, a browser or a test that stops one is in real time.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../../src/main/media-messages.ts'
import { openMediaRuntime } from '../../src/main/media-runtime.ts'
import { serveCalls } from '../../src/main/serve-calls.ts'
import { openVirtualTicker } from '../props/virtual-clock/virtual-ticker.ts'

serveCalls((log) => openMediaRuntime(workerData as MediaThreadOptions, log, { ticker: openVirtualTicker() }))
