// The media thread: one clock, one set of engines, and every call of this process. It runs before other threads, where it may.
import { workerData } from 'node:worker_threads'
import { goFirst } from '../../platform/clock/thread-priority.ts'
import type { MediaThreadOptions } from './media-messages.ts'
import { openMediaRuntime } from './media-runtime.ts'
import { serveCalls } from './serve-calls.ts'

// Before the clock's thread is started, which is to have the same priority.
const goesFirst = goFirst()

serveCalls((log) => {
  log.info({ goesFirst }, 'the media thread has started')
  return openMediaRuntime(workerData as MediaThreadOptions, log)
})
